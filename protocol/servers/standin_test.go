package servers_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A standIn is a server whose replies are sections of a fixture, in a
// txtar archive. A section "GET /path" or "POST /path" is a reply: in its
// first line the status, or "drop" (the connection ends without a byte), or
// "silent"; then headers, an empty line, and the body, whose length is
// announced unless a header says otherwise ("Content-Length: none" announces
// none). Several sections of one name are used up in order, and the last
// stays. A reply with the header "X-After: N" is held back, behind 204, until
// there were N POSTs. What has no section is 404.
type standIn struct {
	*httptest.Server
	mu      sync.Mutex
	replies map[string][]string
	calls   []string
	posts   int
	quit    chan struct{}
}

func newStandIn(t *testing.T, archive *txtar.Archive) *standIn {
	s := &standIn{replies: map[string][]string{}, quit: make(chan struct{})}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "GET ") || strings.HasPrefix(f.Name, "POST ") {
			s.replies[f.Name] = append(s.replies[f.Name], string(f.Data))
		}
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() { close(s.quit); s.Close() })
	return s
}

func (s *standIn) serve(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	name := req.Method + " " + req.URL.Path
	if req.URL.RawQuery != "" {
		name += "?" + req.URL.RawQuery
	}
	text := s.next(name, call(name, req, string(body)))
	first, rest, _ := strings.Cut(text, "\n")
	if first == "silent" {
		select {
		case <-req.Context().Done():
		case <-s.quit:
		}
		return
	}
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	if first == "drop" {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		return
	}
	head, content, _ := strings.Cut("\n"+rest, "\n\n")
	head = strings.TrimPrefix(head, "\n")
	status, _ := strconv.Atoi(first)
	if strings.Contains(head, "Content-Length: none") {
		head = strings.Replace(head, "Content-Length: none", "X-Length: none", 1)
	} else if !strings.Contains(head, "Content-Length:") && status != http.StatusNotModified {
		head += "\nContent-Length: " + strconv.Itoa(len(content))
	}
	head = strings.ReplaceAll(strings.TrimSpace(head), "\n", "\r\n")
	if head != "" {
		head += "\r\n"
	}
	fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\n%sConnection: close\r\n\r\n%s", status, http.StatusText(status), strings.ReplaceAll(head, "SERVER", s.URL), content)
}

// next notes a call and takes the reply for it.
func (s *standIn) next(name, call string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
	if strings.HasPrefix(name, "POST ") {
		s.posts++
	}
	left := s.replies[name]
	if len(left) == 0 {
		return "404\n\n"
	}
	if _, rest, waits := strings.Cut(left[0], "X-After: "); waits {
		number, _, _ := strings.Cut(rest, "\n")
		if after, _ := strconv.Atoi(number); s.posts < after {
			return "204\n\n"
		}
	}
	if len(left) > 1 {
		s.replies[name] = left[1:]
	}
	return left[0]
}

// call is how a request stands in a fixture: with what matters of its
// headers, and its body.
func call(name string, req *http.Request, body string) string {
	for _, header := range []string{"If-None-Match", "If-Modified-Since", "Cookie"} {
		if value := req.Header.Get(header); value != "" {
			name += " " + header + "=" + value
		}
	}
	if body != "" {
		name += " " + body
	}
	return name
}

// TestServers plays each fixture: the section "do" holds steps, "want" what
// they say, "calls" what the stand-in was asked, so that the fixtures show
// what is tried again and how often. -rewrite renews the last two.
func TestServers(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			playFixture(t, file)
		})
	}
}

func playFixture(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	server := newStandIn(t, archive)
	v := newVisitor(t, server)
	var said strings.Builder
	for line := range strings.Lines(string(section(archive, "do").Data)) {
		line = strings.TrimSpace(line)
		fmt.Fprintf(&said, "%s: %s\n", line, strings.TrimRight(v.do(strings.Fields(line)), "\n"))
	}
	server.mu.Lock()
	if strings.HasPrefix(filepath.Base(path), "poll_") { // how often a server is asked for messages is a matter of time
		server.calls = slices.DeleteFunc(server.calls, func(c string) bool { return strings.HasPrefix(c, "GET ") })
	}
	calls := strings.Join(server.calls, "\n") + "\n"
	server.mu.Unlock()
	if !noSecret(said.String()) || !noSecret(v.log.String()) || !noSecret(calls) {
		t.Error("the cookie was told to somebody else")
	}
	hold(t, archive, path, "want", v.steady(said.String()))
	hold(t, archive, path, "calls", v.steady(calls))
}

func section(a *txtar.Archive, name string) *txtar.File {
	for i := range a.Files {
		if a.Files[i].Name == name {
			return &a.Files[i]
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name})
	return &a.Files[len(a.Files)-1]
}

// hold compares a section with what it should be, or renews it.
func hold(t *testing.T, a *txtar.Archive, path, name, got string) {
	t.Helper()
	f := section(a, name)
	if want := string(f.Data); got != want {
		if *rewrite {
			f.Data = []byte(got)
			if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Errorf("%s:\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}
