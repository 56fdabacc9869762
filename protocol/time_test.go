package protocol_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/kif"
	"semisplit/protocol"
)

// bubble runs a test of time against a server on pipes, with a fake clock.
func bubble(t *testing.T, p *script, o protocol.ServerOptions, test func(t *testing.T, s *protocol.Server, l *pipes)) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		s := protocol.NewServer(p, o)
		done := make(chan error, 1)
		go func() { done <- s.Serve(l) }()
		test(t, s, l)
		if err := s.Shutdown(t.Context()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-done; err != protocol.ErrServerClosed {
			t.Errorf("Serve returned %v", err)
		}
	})
}

func connect(t *testing.T, l *pipes) net.Conn {
	t.Helper()
	c, err := l.Dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// timed sends what there is to send and returns the reply and how long it took.
func timed(t *testing.T, c net.Conn, parts ...string) (string, time.Duration) {
	t.Helper()
	began := time.Now()
	for i, part := range parts {
		if i > 0 {
			time.Sleep(700 * time.Millisecond)
		}
		if _, err := io.WriteString(c, part); err != nil {
			t.Fatal(err)
		}
	}
	return readReply(c), time.Since(began)
}

func TestServerTimeouts(t *testing.T) {
	const headers = "POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n"
	for _, x := range []struct {
		name  string
		parts []string
		takes time.Duration
		says  string
	}{
		{"silence", nil, 10 * time.Second, ""},
		{"half a header", []string{"POST / HT"}, 10 * time.Second, "408"},
		{"headers and no body", []string{headers}, 10 * time.Second, "408"},
		{"half a body", []string{headers, "(PLAY m"}, 10700 * time.Millisecond, "408"},
		{"in parts", []string{"POST / HT", "TP/1.0\r\nContent-Length: 12\r\n\r\n(PL", "AY m ", "NIL)"}, 2100 * time.Millisecond, "noop"},
		{"longer than announced", []string{headers + "(PLAY m ((a ", "b) (c", " d)))"}, 1400 * time.Millisecond, "noop"},
		{"never closed", []string{headers + "(PLAY m ((a b"}, time.Second, "bad message"},
		{"shorter than announced", []string{"POST / HTTP/1.0\r\nContent-Length: 99\r\n\r\n(PLAY m NIL)"}, time.Second, "noop"},
		{"nothing announced", []string{"POST / HTTP/1.0\r\n\r\n", "(PLAY m NIL)"}, 700 * time.Millisecond, "noop"},
		{"nothing announced, nothing sent", []string{"POST / HTTP/1.0\r\n\r\n"}, time.Second, "available"},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := newScript()
			p.set("m", true)
			bubble(t, p, protocol.ServerOptions{}, func(t *testing.T, _ *protocol.Server, l *pipes) {
				got, took := timed(t, connect(t, l), x.parts...)
				if !strings.Contains(got, x.says) || x.says == "" && got != "" {
					t.Errorf("got %q, want %q", got, x.says)
				}
				if took != x.takes {
					t.Errorf("took %v, want %v", took, x.takes)
				}
			})
		})
	}
}

// A body that drips in, always just within the grace, ends with BodyTimeout.
func TestEndlessBody(t *testing.T) {
	bubble(t, newScript(), protocol.ServerOptions{BodyTimeout: 5 * time.Second}, func(t *testing.T, _ *protocol.Server, l *pipes) {
		c := connect(t, l)
		began := time.Now()
		_, err := io.WriteString(c, "POST / HTTP/1.0\r\nContent-Length: 1\r\n\r\n(")
		go func() {
			for err == nil {
				time.Sleep(900 * time.Millisecond)
				_, err = io.WriteString(c, "(")
			}
		}()
		got := readReply(c)
		if took := time.Since(began); took != 5*time.Second || !strings.Contains(got, "400") {
			t.Errorf("after %v: %q", took, got)
		}
		time.Sleep(time.Second) // for the goroutine that drips
	})
}

// Connections without a request make room; those with one do not.
func TestTooManyConnections(t *testing.T) {
	p := newScript()
	p.set("m", true)
	bubble(t, p, protocol.ServerOptions{MaxConns: 2}, func(t *testing.T, _ *protocol.Server, l *pipes) {
		release := p.holdBack("PLAY")
		silent := connect(t, l)
		busy := []net.Conn{connect(t, l), nil}
		_, _ = io.WriteString(busy[0], post("(PLAY m NIL)"))
		synctest.Wait()
		busy[1] = connect(t, l) // in place of the silent one
		if got := readReply(silent); got != "" {
			t.Errorf("the silent connection got %q", got)
		}
		_, _ = io.WriteString(busy[1], post("(PLAY m NIL)"))
		synctest.Wait()
		if got := readReply(connect(t, l)); !strings.Contains(got, "503") {
			t.Errorf("one too many got %q", got)
		}
		release()
		for _, c := range busy {
			if got := readReply(c); !strings.HasSuffix(got, "noop") {
				t.Errorf("got %q", got)
			}
		}
	})
}

// A call goes on where the stream ends with the request, which may be all that its
// manager has to say, and ends where the stream ends later.
func TestEndOfStream(t *testing.T) {
	for after, want := range map[time.Duration]time.Duration{0: 10 * time.Second, 900 * time.Millisecond: 10 * time.Second, 2 * time.Second: 2 * time.Second} {
		p := newScript()
		p.set("m", true)
		bubble(t, p, protocol.ServerOptions{}, func(t *testing.T, s *protocol.Server, l *pipes) {
			time.AfterFunc(10*time.Second, p.holdBack("PLAY"))
			began, c := time.Now(), connect(t, l)
			_, _ = io.WriteString(c, post("(PLAY m NIL)"))
			synctest.Wait()
			time.Sleep(after)
			_ = c.Close()
			if err := s.Shutdown(t.Context()); err != nil || time.Since(began) != want {
				t.Errorf("the stream ended after %v: the call after %v, want %v; %v", after, time.Since(began), want, err)
			}
			time.Sleep(time.Minute) // for the release
		})
	}
}

// Shutdown waits for the replies under way, or ends the player's calls.
func TestShutdown(t *testing.T) {
	for _, patience := range []time.Duration{time.Minute, time.Second} {
		p := newScript()
		bubble(t, p, protocol.ServerOptions{}, func(t *testing.T, s *protocol.Server, l *pipes) {
			time.AfterFunc(10*time.Second, p.holdBack("START"))
			idle, c := connect(t, l), connect(t, l)
			_, _ = io.WriteString(c, post("(START m a ((role a)) 9 9)"))
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			began, replies := time.Now(), make(chan string, 1)
			go func() { replies <- readReply(c) }()
			synctest.Wait()
			err := s.Shutdown(ctx)
			took, got := time.Since(began), <-replies
			if patience > 10*time.Second && (err != nil || took != 10*time.Second || !strings.HasSuffix(got, "ready")) {
				t.Errorf("patient: %v after %v, reply %q", err, took, got)
			}
			if patience < 10*time.Second && (!errors.Is(err, context.DeadlineExceeded) || took != patience || got != "") {
				t.Errorf("impatient: %v after %v, reply %q", err, took, got)
			}
			if got := readReply(idle); got != "" {
				t.Errorf("the idle connection got %q", got)
			}
			time.Sleep(time.Minute) // for the held call
		})
	}
}

// Players that never answer hold nothing beyond the deadline, whatever part
// of the exchange they hang in; those that answer in time are heard.
func TestGatherDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newScript()
		p.set("m", true)
		l := newPipes()
		s := protocol.NewServer(p, protocol.ServerOptions{})
		done := make(chan error, 1)
		go func() { done <- s.Serve(l) }()
		dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
			switch addr {
			case "good:1":
				return l.Dial(ctx, network, addr)
			case "nodial:1":
				<-ctx.Done()
				return nil, ctx.Err()
			case "refused:1":
				return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
			}
			near, far := net.Pipe() // reads the request and never says more
			go func() {
				if addr == "drips:1" {
					_, _ = far.Read(make([]byte, 4096))
					_, _ = io.WriteString(far, "HTTP/1.0 200 OK\r\n\r\n(mark ")
				}
				_, _ = io.Copy(io.Discard, far)
			}()
			return near, nil
		}
		c := protocol.NewClient(protocol.ClientOptions{Dial: dial})
		hosts := []string{"good:1", "nodial:1", "refused:1", "silent:1", "drips:1"}
		want := []error{nil, protocol.ErrTimeout, protocol.ErrConnection, protocol.ErrTimeout, protocol.ErrTimeout}
		for _, message := range []string{"PLAY", "STOP"} {
			began := time.Now()
			got := protocol.Gather(t.Context(), len(hosts), 3*time.Second, func(ctx context.Context, i int) (kif.Term, error) {
				r := protocol.Remote{URL: "http://" + hosts[i] + "/", Name: "X"}
				if message == "STOP" {
					return c.Stop(ctx, r, "m", nil)
				}
				return c.Play(ctx, r, "m", nil)
			})
			if took := time.Since(began); took != 3*time.Second {
				t.Errorf("%s took %v", message, took)
			}
			for i, r := range got {
				if !errors.Is(r.Err, want[i]) || (want[i] == protocol.ErrTimeout) != (r.Elapsed == 3*time.Second) {
					t.Errorf("%s to %s: %v after %v, want %v", message, hosts[i], r.Err, r.Elapsed, want[i])
				}
			}
		}
		if err := s.Shutdown(t.Context()); err != nil || <-done != protocol.ErrServerClosed {
			t.Errorf("Shutdown: %v", err)
		}
	})
}

// A call that does not heed its context is left behind.
func TestGatherLeavesTheDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := protocol.Gather(t.Context(), 2, time.Second, func(_ context.Context, i int) (int, error) {
			time.Sleep(time.Duration(i) * time.Hour)
			return i + 7, nil
		})
		if got[0].Value != 7 || got[0].Err != nil || !errors.Is(got[1].Err, protocol.ErrTimeout) || got[1].Elapsed != time.Second {
			t.Errorf("got %+v", got)
		}
		time.Sleep(2 * time.Hour)
	})
}

// INFO, STOP and ABORT are tried again when the connection fails; START and
// PLAY are sent once and no more.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		attempts := 0
		c := protocol.NewClient(protocol.ClientOptions{Dial: func(context.Context, string, string) (net.Conn, error) {
			attempts++
			near, far := net.Pipe()
			go func() {
				_, _ = far.Read(make([]byte, 4096))
				_ = far.Close()
			}()
			return near, nil
		}})
		r := protocol.Remote{URL: "http://player:1/"}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for _, x := range []struct {
			name string
			want int
			send func() error
		}{
			{"INFO", 3, func() error { _, err := c.Info(ctx, r); return err }},
			{"STOP", 3, func() error { _, err := c.Stop(ctx, r, "m", nil); return err }},
			{"ABORT", 3, func() error { _, err := c.Abort(ctx, r, "m"); return err }},
			{"PREVIEW", 1, func() error { _, err := c.Preview(ctx, r, nil, time.Second); return err }},
			{"START", 1, func() error { _, err := c.Start(ctx, r, protocol.Start{Match: "m"}); return err }},
			{"PLAY", 1, func() error { _, err := c.Play(ctx, r, "m", nil); return err }},
		} {
			attempts = 0
			if err := x.send(); !errors.Is(err, protocol.ErrConnection) || attempts != x.want {
				t.Errorf("%s: %d attempts, want %d; %v", x.name, attempts, x.want, err)
			}
		}
		attempts = 0
		short, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
		defer cancel()
		began := time.Now()
		if _, err := c.Info(short, r); !errors.Is(err, protocol.ErrTimeout) || attempts != 2 || time.Since(began) != 60*time.Millisecond {
			t.Errorf("within a short deadline: %d attempts, %v, %v", attempts, time.Since(began), err)
		}
	})
}
