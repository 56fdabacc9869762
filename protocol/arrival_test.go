package protocol

import (
	"io"
	"net"
	"runtime"
	"testing"
	"time"
)

// TestArrival: what lay unread for a while came that much earlier.
func TestArrival(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	out, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	sent := time.Now()
	if _, err := io.WriteString(out, "hello"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	in, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := io.ReadFull(in, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if at := arrival(in, now); runtime.GOOS == "linux" && (at.Before(sent) || now.Sub(at) < 250*time.Millisecond) {
		t.Errorf("sent %v ago, arrived %v ago", now.Sub(sent), now.Sub(at))
	}
	one, other := net.Pipe()
	defer one.Close()
	defer other.Close()
	if at := arrival(one, now); !at.Equal(now) {
		t.Errorf("a pipe: %v before", now.Sub(at))
	}
}
