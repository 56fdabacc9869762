package protocol_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/protocol"
)

// A script is a Player that plays by a script and writes down what it is told.
type script struct {
	mu           sync.Mutex
	name, status string
	moves        []string            // the replies to PLAY, in order; the last one repeats
	hold         map[string]chan any // calls, by message name, that wait for release
	matches      map[string]bool
	panics       bool
	events       []string
	heard        chan string // each event as well; buffered
}

func newScript() *script {
	return &script{
		name: "Script", status: "available", moves: []string{"noop"},
		hold: map[string]chan any{}, matches: map[string]bool{}, heard: make(chan string, 1000),
	}
}

func (p *script) event(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.mu.Lock()
	p.events = append(p.events, text)
	p.mu.Unlock()
	p.heard <- text
}

// drain returns the events since the last call.
func (p *script) drain() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.events
	p.events = nil
	for len(p.heard) > 0 {
		<-p.heard
	}
	return out
}

// holdBack makes calls of a message wait until the returned release. It is to
// be called inside the bubble of a test with a fake clock.
func (p *script) holdBack(name string) (release func()) {
	ch := make(chan any)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold[name] = ch
	return func() { close(ch) }
}

// pause holds a call back until its release or the end of its context.
func (p *script) pause(ctx context.Context, name string) {
	p.mu.Lock()
	ch := p.hold[name]
	p.mu.Unlock()
	if ch == nil {
		return
	}
	select {
	case <-ch:
	case <-ctx.Done():
		p.event("%s: the manager has gone", name)
	}
}

func (p *script) knows(match string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.matches[match]
}

func (p *script) set(match string, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.matches[match] = known
}

func (p *script) Info() (string, string) {
	if p.panics {
		panic("the script says so")
	}
	return p.name, p.status
}

// Admits lets everything in but turns of matches that are not in play.
func (p *script) Admits(kind protocol.Kind, match string) bool {
	return kind != protocol.KindPlay && kind != protocol.KindStop || p.knows(match)
}

func (p *script) Preview(ctx context.Context, rules []kif.Term, clock time.Duration) {
	p.event("preview rules=%d clock=%v", len(rules), clock)
	p.pause(ctx, "PREVIEW")
}

func (p *script) Start(ctx context.Context, m protocol.Start) string {
	p.event("start match=%s role=%s rules=%s clocks=%v,%v", m.Match, m.Role, brief(kif.List(m.Rules...).String()), m.StartClock, m.PlayClock)
	if m.Received.IsZero() {
		p.event("no time of receipt")
	}
	p.pause(ctx, "START")
	if sees(m.Rules) {
		return "busy"
	}
	p.set(m.Match, true)
	return "ready"
}

func (p *script) Play(ctx context.Context, m protocol.Play) (kif.Term, bool) {
	p.event("play match=%s moves=%s", m.Match, terms(m.Moves))
	p.pause(ctx, "PLAY")
	if !p.knows(m.Match) {
		return kif.Term{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	move := p.moves[0]
	if len(p.moves) > 1 {
		p.moves = p.moves[1:]
	}
	t, err := kif.ParseTerm(move)
	return t, err == nil
}

func (p *script) Stop(ctx context.Context, m protocol.Play) string {
	p.event("stop match=%s moves=%s", m.Match, terms(m.Moves))
	p.pause(ctx, "STOP")
	if !p.knows(m.Match) {
		return "busy"
	}
	p.set(m.Match, false)
	return "done"
}

func (p *script) Abort(ctx context.Context, match string) string {
	p.event("abort match=%s", match)
	if !p.knows(match) {
		return "busy"
	}
	p.set(match, false)
	return "aborted"
}

func terms(ts []kif.Term) string {
	if ts == nil {
		return "nil"
	}
	return kif.List(ts...).String()
}

func brief(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

// sees reports whether rules define what players see: GDL-II.
func sees(rules []kif.Term) bool {
	for _, r := range rules {
		if r.IsList() && sees(r.Items) || strings.EqualFold(r.Name, "sees") {
			return true
		}
	}
	return false
}

// served is a server and where it listens.
type served struct {
	*protocol.Server
	addr string
}

// serve starts a server of p on loopback and stops it with the test.
func serve(t *testing.T, p protocol.Player, o protocol.ServerOptions) served {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := protocol.NewServer(p, o)
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-done; err != protocol.ErrServerClosed {
			t.Errorf("Serve returned %v", err)
		}
	})
	return served{s, l.Addr().String()}
}

// dial opens a connection to s that no test can hang on.
func dial(t *testing.T, s served) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return c.(*net.TCPConn)
}

// exchange sends raw bytes and reads the reply to the end of the stream.
func exchange(t *testing.T, s served, raw string, halfClose bool) string {
	t.Helper()
	c := dial(t, s)
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, raw); err != nil {
		t.Fatalf("sending: %v", err)
	}
	if halfClose {
		_ = c.CloseWrite()
	}
	got, err := io.ReadAll(c)
	if err != nil {
		t.Fatalf("reading the reply: %v (after %q)", err, got)
	}
	return string(got)
}

// body cuts the text out of a raw reply and checks its headers.
func body(t *testing.T, raw string) (status int, text string) {
	t.Helper()
	head, text, ok := strings.Cut(raw, "\r\n\r\n")
	if !ok {
		t.Fatalf("no headers in the reply %q", raw)
	}
	if _, err := fmt.Sscanf(head, "HTTP/1.0 %d ", &status); err != nil {
		t.Fatalf("status line of %q: %v", raw, err)
	}
	want := fmt.Sprintf("\r\nContent-length: %d\r\n", len(text))
	if !strings.Contains(head, want) {
		t.Fatalf("the reply %q lacks %q", raw, want)
	}
	return status, text
}

func post(message string) string {
	return fmt.Sprintf("POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s", len(message), message)
}

// pipes is a listener whose connections are made in memory by Dial.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (p *pipes) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readReply reads what a server writes on a pipe, which it closes then.
func readReply(c net.Conn) string {
	b, _ := io.ReadAll(bufio.NewReader(c))
	return string(b)
}
