package protocol_test

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/protocol"
)

// A captured exchange: the bytes of a request, and of the reply of the player
// of that day ("" if it gave none).
type captured struct{ request, reply string }

var (
	blockHead   = regexp.MustCompile(`(?m)^===== #(\d+) (REQUEST|REPLY|NO REPLY)[^\n]*\n`)
	requestHead = regexp.MustCompile(`(?m)^===== request \d+ [^\n]*\n`)
	// The recorder's own complaint about a peer that had closed.
	complaint = regexp.MustCompile(`<<\[Errno[^\n]*>>`)
	logLine   = regexp.MustCompile(`(?m)^[\d.]+ req \d+ (\([^\n]*\))$`)
)

// readCaptures reads the three forms of captures: blocks headed "#N REQUEST"
// and "#N REPLY", blocks headed "request N" with visible line ends, and the
// log of a scripted player (whole messages only, without headers).
func readCaptures(text string) []captured {
	var out []captured
	if heads := blockHead.FindAllStringSubmatchIndex(text, -1); heads != nil {
		at := map[string]int{}
		for i, h := range heads {
			end := len(text)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			number, kind := text[h[2]:h[3]], text[h[4]:h[5]]
			block := complaint.ReplaceAllString(strings.TrimSuffix(text[h[1]:end], "\n"), "")
			switch k, known := at[number]; {
			case kind == "REQUEST":
				at[number] = len(out)
				out = append(out, captured{request: block})
			case kind == "REPLY" && known:
				out[k].reply = block
			}
		}
		return out
	}
	if heads := requestHead.FindAllStringIndex(text, -1); heads != nil {
		for i, h := range heads {
			end := len(text)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			request, reply, _ := strings.Cut(text[h[1]:end], "\n----- reply: ")
			out = append(out, captured{visible(request), visible(strings.TrimSpace(reply))})
		}
		return out
	}
	for _, m := range logLine.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], "...") {
			out = append(out, captured{request: post(m[1])})
		}
	}
	return out
}

// visible turns "<CR><LF>" and the line end after it into one line end.
func visible(s string) string {
	return strings.NewReplacer("<CR><LF>\n", "\r\n", "<CR><LF>", "\r\n").Replace(s)
}

func captureFiles(t *testing.T) map[string][]captured {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t, "wire"), "*.txt"))
	if err != nil || len(files) == 0 {
		t.Skip("skipping the replay of captured traffic: the folder holds none")
	}
	out := map[string][]captured{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if out[filepath.Base(f)] = readCaptures(string(text)); len(out[filepath.Base(f)]) == 0 {
			t.Errorf("%s: no exchange found", f)
		}
	}
	return out
}

// TestCapturedRequests serves every request that real managers sent.
func TestCapturedRequests(t *testing.T) {
	for name, exchanges := range captureFiles(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newScript()
			s := serve(t, p, protocol.ServerOptions{Grace: 20 * time.Millisecond})
			if name == "dresden-slow-player.txt" {
				p.set("slow1", true) // its START is cut short in the log
			}
			for i, x := range exchanges {
				_, message, _ := strings.Cut(x.request, "\r\n\r\n")
				m, err := protocol.ParseMessage(message)
				if err != nil || m.Kind == protocol.KindUnknown {
					t.Errorf("request %d is not understood: %+v, %v", i, m.Kind, err)
					continue
				}
				before := p.knows(m.Match)
				status, text := body(t, exchange(t, s, x.request, false))
				if want := wanted(m, before); status != 200 || text != want {
					t.Errorf("request %d, %s: got %d %q, want %q", i, brief(message), status, text, want)
				}
			}
			if _, text := body(t, exchange(t, s, post("(ping)"), false)); text != "available" {
				t.Errorf("after the captures: %q", text)
			}
		})
	}
}

// wanted is the reply of a script that knows, or does not know, the match.
func wanted(m protocol.Message, known bool) string {
	switch {
	case m.Imperfect:
		return "gdl-ii-is-not-supported"
	case m.Kind == protocol.KindInfo:
		return "((name Script) (status available))"
	case m.Kind == protocol.KindPreview:
		return "done"
	case m.Kind == protocol.KindStart && sees(m.Rules):
		return "busy"
	case m.Kind == protocol.KindStart:
		return "ready"
	case !known:
		return "busy"
	case m.Kind == protocol.KindPlay:
		return "noop"
	case m.Kind == protocol.KindStop:
		return "done"
	}
	return "aborted"
}

// TestCapturedReplies gives every reply that players sent to a Client: it
// reads it, or says that it cannot, and never hangs.
func TestCapturedReplies(t *testing.T) {
	n := 0
	for name, exchanges := range captureFiles(t) {
		for i, x := range exchanges {
			if x.reply == "" {
				continue
			}
			n++
			_, text, headed := strings.Cut(x.reply, "\r\n\r\n")
			got, err := playAgainst(t, x.reply)
			if err != nil {
				t.Logf("%s, reply %d, %q: %v", name, i, brief(text), err)
				continue
			}
			first, perr := protocol.ParseReply(text)
			if headed && !strings.Contains(x.reply, "chunked") && (perr != nil || !kif.Equal(first, got)) {
				t.Errorf("%s, reply %d, %q: got %v, want %v (%v)", name, i, text, got, first, perr)
			}
		}
	}
	if n == 0 {
		t.Error("no captured reply was found")
	}
}

// playAgainst sends a PLAY to a player that answers with raw bytes and closes.
func playAgainst(t *testing.T, raw string) (kif.Term, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return answering(raw, nil).Play(ctx, protocol.Remote{URL: "http://player:9147/", Name: "P"}, "m", nil)
}

// answering makes a client whose every request is answered with raw bytes;
// sent, if not nil, is told the request.
func answering(raw string, sent func(request string)) *protocol.Client {
	return protocol.NewClient(protocol.ClientOptions{Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			defer func() { _ = far.Close() }()
			var buf [4096]byte
			request := ""
			for !strings.HasSuffix(request, ")") {
				k, err := far.Read(buf[:])
				if err != nil {
					return
				}
				request += string(buf[:k])
			}
			if sent != nil {
				sent(request)
			}
			_, _ = io.WriteString(far, raw)
		}()
		return near, nil
	}})
}
