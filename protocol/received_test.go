package protocol_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"semisplit/protocol"
)

// punctual keeps when a START was received.
type punctual struct {
	*script
	received chan time.Time
}

func (p punctual) Start(ctx context.Context, m protocol.Start) string {
	p.received <- m.Received
	return p.script.Start(ctx, m)
}

// TestReceived: the clock of a request that nobody could read for a while began when it
// came.
func TestReceived(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells when data came")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const text = "(START m x ((role x)) 10 5)"
	if _, err := fmt.Fprintf(c, "POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		t.Fatal(err)
	}
	sent := time.Now()
	time.Sleep(300 * time.Millisecond) // the data lies there
	p := punctual{newScript(), make(chan time.Time, 1)}
	s := protocol.NewServer(p, protocol.ServerOptions{})
	begun := time.Now()
	go func() { _ = s.Serve(l) }() // it ends with Shutdown
	if _, err := io.ReadAll(c); err != nil {
		t.Fatal(err)
	}
	if at := <-p.received; begun.Sub(at) < 250*time.Millisecond {
		t.Errorf("received %v after it was sent, which a server begun %v after that could not read before", at.Sub(sent), begun.Sub(sent))
	}
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}
