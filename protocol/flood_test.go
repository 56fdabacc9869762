package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/protocol"
)

// big is a PLAY with so many terms.
func big(match string, terms int) string {
	return "(PLAY " + match + " (" + strings.Repeat("a ", terms) + "))"
}

// send writes a request that is ready as bytes, and reads the reply as managers
// do: to the end of the stream, and with an error if the stream breaks off.
func send(t *testing.T, s served, raw []byte) string {
	t.Helper()
	c := dial(t, s)
	defer func() { _ = c.Close() }()
	if _, err := c.Write(raw); err != nil {
		t.Errorf("sending %d bytes: %v", len(raw), err)
	}
	got, err := io.ReadAll(c)
	if err != nil {
		t.Errorf("reading the reply to %d bytes: %v (after %q)", len(raw), err, got)
	}
	return string(got)
}

// A turn of a match that is not in play costs nothing, however long it is, and
// its sender reads the reply.
func TestUnknownMatchesAreNotRead(t *testing.T) {
	s := serve(t, newScript(), protocol.ServerOptions{})
	var before, after runtime.MemStats
	for name, message := range map[string]string{
		"PLAY":    big("unknown", 3<<20),
		"STOP":    strings.Replace(big("unknown", 3<<20), "PLAY", "STOP", 1),
		"nobody":  strings.Replace(big("unknown", 3<<20), "PLAY", "WHAT", 1),
		"unended": "(PLAY unknown " + strings.Repeat("(a ", 2<<20),
	} {
		raw := []byte(post(message))
		runtime.ReadMemStats(&before)
		_, text := body(t, send(t, s, raw))
		runtime.ReadMemStats(&after)
		if want := map[bool]string{true: "done", false: "busy"}[name == "nobody"]; text != want {
			t.Errorf("%s: %q", name, text)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 2<<20 {
			t.Errorf("%s: %d bytes were allocated for %d", name, took, len(raw))
		}
	}
}

// Large messages share a bound, and what is over it is told so. The manager of
// a match is heard all the same.
func TestMemoryOfMessages(t *testing.T) {
	p := newScript()
	p.set("m", true)
	s := serve(t, p, protocol.ServerOptions{Memory: 4 << 20})
	release := p.holdBack("PLAY")
	first := dial(t, s)
	if _, err := io.WriteString(first, post(big("m", 30_000))); err != nil {
		t.Fatal(err)
	}
	<-p.heard
	for _, x := range []struct {
		terms, status int
	}{{30_000, 503}, {100_000, 413}, {150_000, 413}} {
		if status, text := body(t, send(t, s, []byte(post(big("m", x.terms))))); status != x.status {
			t.Errorf("%d terms: %d %q", x.terms, status, text)
		}
	}
	honest := dial(t, s)
	if _, err := io.WriteString(honest, post(big("m", 1000))); err != nil {
		t.Fatal(err)
	}
	<-p.heard
	release()
	for _, c := range []net.Conn{first, honest} {
		got, err := io.ReadAll(c)
		if _, text := body(t, string(got)); err != nil || text != "noop" {
			t.Errorf("got %q, %v", got, err)
		}
	}
	if status, text := body(t, send(t, s, []byte(post(big("m", 30_000))))); status != 200 || text != "noop" {
		t.Errorf("afterwards: %d %q", status, text)
	}
}

// A move that no manager could tell back is not sent.
func TestLongMove(t *testing.T) {
	p := newScript()
	p.set("m", true)
	p.moves = []string{strings.Repeat("a", 8<<20)}
	s := serve(t, p, protocol.ServerOptions{})
	if status, text := body(t, send(t, s, []byte(post("(PLAY m NIL)")))); status != 500 || !strings.Contains(text, "longer than 262144") {
		t.Errorf("%d %q", status, text[:min(len(text), 100)])
	}
}

// Whoever is turned away can read why, though its request is still on the way.
func TestRefusalIsRead(t *testing.T) {
	p := newScript()
	p.set("m", true)
	s := serve(t, p, protocol.ServerOptions{MaxConns: 1})
	release := p.holdBack("PLAY")
	first := dial(t, s)
	if _, err := io.WriteString(first, post("(PLAY m NIL)")); err != nil {
		t.Fatal(err)
	}
	<-p.heard
	for range 3 {
		if status, text := body(t, send(t, s, []byte(post(big("m", 1<<20))))); status != 503 || text != "too many connections at a time" {
			t.Errorf("%d %q", status, text)
		}
	}
	release()
	if got, err := io.ReadAll(first); err != nil || !strings.HasSuffix(string(got), "noop") {
		t.Errorf("got %q, %v", got, err)
	}
}

// A flood from another address does not keep the manager of a match out,
// whatever its connections do: say nothing, send half a message, send much, or
// leave the reply unread.
func TestFlood(t *testing.T) {
	const other = "127.0.0.2"
	p := newScript()
	p.set("m", true)
	s := serve(t, p, protocol.ServerOptions{MaxConns: 8, Memory: 1 << 20})
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(other)}, Timeout: 5 * time.Second}
	if c, err := dialer.Dial("tcp", s.addr); err != nil {
		t.Skip("skipped: this system has one loopback address:", err)
	} else {
		_ = c.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for _, raw := range []string{
		"", "POST / HT", "POST / HTTP/1.0\r\nContent-Length: 100000\r\n\r\n(START m",
		post("(START x y (" + strings.Repeat("a ", 50_000) + ") 1 1)"), post("(PLAY unknown NIL)"), post("(INFO)"),
	} {
		for range 2 {
			group.Go(func() {
				var held []net.Conn
				for n := 0; n < 1000 && ctx.Err() == nil; n++ {
					c, err := dialer.DialContext(ctx, "tcp", s.addr)
					if err != nil {
						break // it floods no more
					}
					_ = c.SetDeadline(time.Now().Add(5 * time.Second))
					_, _ = io.WriteString(c, raw)
					if held = append(held, c); len(held) > 20 {
						_ = held[0].Close()
						held = held[1:]
					}
				}
				<-ctx.Done()
				for _, c := range held {
					_ = c.Close()
				}
			})
		}
	}
	for n := range 30 {
		if _, text := body(t, send(t, s, []byte(post("(PLAY m NIL)")))); text != "noop" {
			t.Errorf("PLAY %d got %q", n, text)
		}
	}
	cancel()
	group.Wait()
}

// exhausted is a listener of a process that has no descriptors left for a time.
type exhausted struct {
	*pipes
	until time.Time
}

func (e *exhausted) Accept() (net.Conn, error) {
	if time.Now().Before(e.until) {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return e.pipes.Accept()
}

// However long there are no descriptors, serving goes on, and connections that
// say nothing are dropped for those that will.
func TestNoDescriptors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &exhausted{pipes: newPipes()}
		s := protocol.NewServer(newScript(), protocol.ServerOptions{HeaderTimeout: time.Hour})
		done := make(chan error, 1)
		go func() { done <- s.Serve(l) }()
		var idle []net.Conn
		for range 3 {
			idle = append(idle, connect(t, l.pipes))
		}
		synctest.Wait()
		l.until = time.Now().Add(10 * time.Minute)
		last := connect(t, l.pipes) // the one for which Accept waits already
		time.Sleep(5 * time.Minute)
		for _, c := range append(idle, last) {
			if got := readReply(c); got != "" {
				t.Errorf("an idle connection got %q", got)
			}
		}
		if got, _ := timed(t, connect(t, l.pipes), post("(ping)")); !strings.HasSuffix(got, "available") {
			t.Errorf("afterwards: %q", got)
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-done; !errors.Is(err, protocol.ErrServerClosed) {
			t.Errorf("Serve: %v", err)
		}
	})
}

// Of those that may be dropped the host with the most connections loses one.
func TestEvictionIsFair(t *testing.T) {
	p := newScript()
	bubble(t, p, protocol.ServerOptions{MaxConns: 3}, func(t *testing.T, _ *protocol.Server, l *pipes) {
		from := func(host string) net.Conn {
			near, far := net.Pipe()
			l.conns <- &named{far, host}
			synctest.Wait()
			return near
		}
		honest := from("192.0.2.1:1")
		flood := make([]net.Conn, 20)
		for i := range flood {
			flood[i] = from(fmt.Sprintf("192.0.2.66:%d", i))
		}
		if got, _ := timed(t, honest, post("(ping)")); !strings.HasSuffix(got, "available") {
			t.Errorf("the only connection of its host got %q", got)
		}
	})
}

// named is a connection from an address.
type named struct {
	net.Conn
	addr string
}

func (n *named) RemoteAddr() net.Addr { return &net.UnixAddr{Name: n.addr, Net: "tcp"} }
