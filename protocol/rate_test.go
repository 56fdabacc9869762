package protocol_test

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/protocol"
)

// A host that asks too often is told so, and nobody else: not another host, nor the
// manager of a match in play, even from the same host. After a while it is heard again.
func TestRate(t *testing.T) {
	p := newScript()
	p.set("m", true)
	bubble(t, p, protocol.ServerOptions{Rate: 5, MaxConns: 1000}, func(t *testing.T, _ *protocol.Server, l *pipes) {
		ask := func(host, message string) string {
			near, far := net.Pipe()
			l.conns <- &named{far, host}
			synctest.Wait()
			got, _ := timed(t, near, post(message))
			return got[strings.LastIndex(got, "\n")+1:]
		}
		// Who plays many matches has its whole allowance for what is not of these.
		const busy = "192.0.2.99:1"
		for n := range 50 {
			message, want := "(PLAY m NIL)", "noop"
			if n >= 30 {
				message, want = "(ping)", "available"
			}
			if got := ask(busy, message); got != want {
				t.Fatalf("message %d of a busy manager, %s, got %q", n, message, got)
			}
		}
		time.Sleep(4 * time.Second) // as another host may share its place
		const flood = "192.0.2.66:1"
		refused := 0
		for range 30 {
			if strings.HasPrefix(ask(flood, "(ping)"), "too many messages") {
				refused++
			}
		}
		if refused != 10 {
			t.Errorf("%d of 30 messages were refused: 20 are allowed at once", refused)
		}
		for _, message := range []string{"(INFO)", "(START x y ((role y)) 1 1)", "(PLAY unknown NIL)", "(ABORT unknown)", "(DANCE)", "play(unknown,nil)"} {
			if got := ask(flood, message); !strings.HasPrefix(got, "too many messages") {
				t.Errorf("%s got %q", message, got)
			}
		}
		for _, message := range []string{"(PLAY m NIL)", "(STOP m NIL)"} {
			if got := ask(flood, message); got != "noop" && got != "done" {
				t.Errorf("the manager of a match in play got %q to %s", got, message)
			}
		}
		// Hosts share places by a hash that is another one in each process: now and then two
		// of them come to the same, so what holds for one host is asked of several.
		var heard []string
		for n := range 5 {
			heard = append(heard, ask(fmt.Sprintf("192.0.2.%d:1", n), "(ping)"))
		}
		if !slices.Contains(heard, "available") {
			t.Errorf("other hosts got %q", heard)
		}
		// Addresses of one net of IPv6 are one host.
		var counts []int
		for k := range 5 {
			refused := 0
			for n := range 30 {
				if strings.HasPrefix(ask(fmt.Sprintf("[2001:db8:%x::%x]:1", k, n), "(ping)"), "too many messages") {
					refused++
				}
			}
			counts = append(counts, refused)
		}
		if !slices.Contains(counts, 10) {
			t.Errorf("of 30 messages of each net were refused: %d", counts)
		}
		time.Sleep(time.Second)
		if got := ask(flood, "(ping)"); got != "available" {
			t.Errorf("a second later: %q", got)
		}
	})
}
