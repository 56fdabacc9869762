package referee_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"
)

// A hostile manager does one thing that no manager should do. Each returns
// when it is through; what the player answers does not matter, only that the
// honest matches beside it do not suffer.
type hostile struct {
	name string
	act  func(h *hostility)
}

// hostility is one visit of a hostile manager to a player.
type hostility struct {
	addr  string
	match string
	rules string // of a small game, as one list
	role  string
	rng   *rand.Rand
}

var hostiles = []hostile{
	{"cut in the middle of START", func(h *hostility) {
		text := request(h.start(2, 1))
		h.send(text[:len(text)/2], false)
	}},
	{"garbage", func(h *hostility) {
		junk := make([]byte, 1+h.rng.IntN(4000))
		for i := range junk {
			junk[i] = byte(h.rng.Uint32())
		}
		h.send(string(junk), false)
		h.send(request(string(junk)), true)
	}},
	{"unbalanced and unknown messages", func(h *hostility) {
		for _, body := range []string{"(((((", ")", "(START)", "(PLAY)", "(STOP)", "(DANCE now)", "(PLAY nobody (a b))", strings.Repeat("(", 5000)} {
			h.send(request(body), true)
		}
	}},
	{"repeated PLAY at once", func(h *hostility) {
		h.send(request(h.start(2, 1)), true)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() { h.send(request("(PLAY "+h.match+" NIL)"), true) })
		}
		group.Wait()
		h.send(request("(STOP "+h.match+" NIL)"), true)
	}},
	{"no STOP", func(h *hostility) {
		h.send(request(h.start(2, 1)), true)
		h.send(request("(PLAY "+h.match+" NIL)"), true)
	}},
	{"a new START of the same match, then ABORT", func(h *hostility) {
		h.send(request(h.start(2, 1)), true)
		h.send(request(h.start(2, 1)), true)
		h.send(request("(PLAY "+h.match+" NIL)"), true)
		h.send(request("(ABORT "+h.match+")"), true)
	}},
	{"leaves while the player thinks", func(h *hostility) {
		h.send(request(h.start(2, 1)), true)
		h.send(request("(PLAY "+h.match+" NIL)"), false)
		h.send(request("(ABORT "+h.match+")"), true)
	}},
	{"moves that do not exist", func(h *hostility) {
		h.send(request(h.start(2, 1)), true)
		h.send(request("(PLAY "+h.match+" ((fly 1 2 3) (dig ?x)))"), true)
		h.send(request("(PLAY "+h.match+" (a b c d e f))"), true)
		h.send(request("(STOP "+h.match+" (nowhere))"), true)
	}},
	{"rules that are none", func(h *hostility) {
		h.send(request("(START "+h.match+" nobody ((<= (legal ?x) (not (legal ?x)))) 2 1)"), true)
		h.send(request("(PLAY "+h.match+" NIL)"), true)
		h.send(request("(STOP "+h.match+" NIL)"), true)
	}},
	{"says nothing", func(h *hostility) {
		conn, err := net.DialTimeout("tcp", h.addr, time.Second)
		if err != nil {
			return
		}
		defer conn.Close()
		_ = conn.SetReadDeadline(time.Now().Add(2 * time.Second))
		_, _ = conn.Read(make([]byte, 1))
	}},
}

func (h *hostility) start(startClock, playClock int) string {
	return fmt.Sprintf("(START %s %s %s %d %d)", h.match, h.role, h.rules, startClock, playClock)
}

func request(body string) string {
	return fmt.Sprintf("POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: X\r\nContent-Type: text/acl\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// send writes text on a connection of its own and, if asked to, reads the reply.
func (h *hostility) send(text string, wait bool) {
	conn, err := net.DialTimeout("tcp", h.addr, 2*time.Second)
	if err != nil {
		return
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(6 * time.Second))
	if _, err := io.WriteString(conn, text); err != nil || !wait {
		return
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(conn, 1<<16))
}

// harass sends hostile managers to the players, one after each such time, until
// ctx ends, and reports how many have come.
func harass(ctx context.Context, addrs []string, every time.Duration, role, rules string, seed uint64) (visits int) {
	rng := rand.New(rand.NewPCG(seed, 7))
	tick := time.NewTicker(every)
	defer tick.Stop()
	var group sync.WaitGroup
	for {
		select {
		case <-ctx.Done():
			group.Wait()
			return visits
		case <-tick.C:
		}
		kind := hostiles[visits%len(hostiles)]
		h := &hostility{
			addr: addrs[rng.IntN(len(addrs))], match: fmt.Sprintf("hostile.%d", visits),
			rules: rules, role: role, rng: rand.New(rand.NewPCG(seed, uint64(visits))),
		}
		group.Go(func() { kind.act(h) })
		visits++
	}
}
