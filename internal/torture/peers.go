package main

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

// peers are the hostile managers. Each has an address of its own and does one thing
// until the time has passed.
var peers = []struct {
	name string
	act  func(p *peer)
}{
	{"floods", func(p *peer) {
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() { p.often(0, func(int) { p.ask("(INFO)") }) })
		}
		group.Wait()
	}},
	{"stalls", func(p *peer) {
		p.many(40, func(c net.Conn) { p.told(c) })
	}},
	{"drips its head", func(p *peer) {
		p.many(20, func(c net.Conn) { p.drip(c, "POST / HTTP/1.0\r\nX: "+strings.Repeat("a", 1000)) })
	}},
	{"drips its body", func(p *peer) {
		p.many(20, func(c net.Conn) {
			p.drip(c, "POST / HTTP/1.0\r\nContent-Length: 100000\r\n\r\n(START drip r ("+strings.Repeat("(a b) ", 1000))
		})
	}},
	{"sends garbage", func(p *peer) {
		p.often(50*time.Millisecond, func(n int) {
			junk := make([]byte, 1+rand.IntN(4000))
			for i := range junk {
				junk[i] = byte(rand.Uint32())
			}
			if n%2 == 0 {
				p.raw(string(junk))
			} else {
				p.ask(string(junk))
			}
		})
	}},
	{"nests", func(p *peer) {
		deep := strings.Repeat("(", 1<<19)
		p.often(200*time.Millisecond, func(n int) {
			p.ask([]string{deep, "(START " + p.id(n) + " r (" + deep, "(PLAY " + p.id(n) + " " + deep, "(INFO " + deep}[n%4])
		})
	}},
	{"brings huge rules", func(p *peer) {
		var facts strings.Builder
		for n := 0; facts.Len() < 15<<20; n++ {
			fmt.Fprintf(&facts, "(fact a%d b%d) ", n, n)
		}
		p.often(time.Second, func(n int) { p.match(n, "x", "((role x) (legal x go) (goal x 50) (init s) "+facts.String()+")") })
	}},
	{"brings exponential rules", func(p *peer) {
		p.often(time.Second, func(n int) { p.match(n, "x", exponential[n%len(exponential)]) })
	}},
	{"brings a million roles", func(p *peer) {
		var roles strings.Builder
		for n := range 1_000_000 {
			fmt.Fprintf(&roles, "(role r%d) ", n)
		}
		p.often(time.Second, func(n int) { p.match(n, "r7", "("+roles.String()+")") })
	}},
	{"says things twice and in disorder", func(p *peer) {
		const rules = "((role x) (role y) (init (s 1)) (legal x a) (legal x b) (legal y c) (<= (next (s 2)) (true (s 1))) (<= terminal (true (s 2))) (goal x 50) (goal y 50))"
		p.often(300*time.Millisecond, func(n int) {
			id := p.id(n)
			start := fmt.Sprintf("(START %s x %s 2 1)", id, rules)
			said := []string{start, start, "(PLAY " + id + " NIL)", "(PLAY " + id + " NIL)", "(PLAY " + id + " (a c))", "(PLAY " + id + " (c a a))", "(STOP " + id + " (a c))", "(STOP " + id + " (a c))", "(ABORT " + id + ")"}
			rand.Shuffle(len(said), func(i, j int) { said[i], said[j] = said[j], said[i] })
			var group sync.WaitGroup
			for _, message := range said {
				group.Go(func() { p.ask(message) })
			}
			group.Wait()
			p.ask("(ABORT " + id + ")")
		})
	}},
}

// exponential are rules whose text is short and whose meaning is not.
var exponential = []string{
	"((role x) (init (b a)) (legal x noop) (<= (next (b (f ?x ?x))) (true (b ?x))) (<= terminal (true (b done))) (goal x 50))",
	"((role x) (init (s 1)) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9) (<= (legal x (m ?a ?b ?c ?d ?e ?f ?g ?h ?i)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i)) (<= (next (s 2)) (true (s 1))) (<= terminal (true (s 2))) (goal x 100))",
	"((role x) (init (s 1)) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (<= (p ?a ?b ?c ?d ?e ?f) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f)) (<= (q ?a ?c) (p ?a ?b ?c ?d ?e ?f) (p ?f ?e ?d ?c ?b ?a) (not (s ?b))) (<= (legal x (m ?a)) (q ?a ?b)) (<= (next (t ?a ?b ?c ?d ?e ?f)) (p ?a ?b ?c ?d ?e ?f) (does x (m ?a))) (<= terminal (true (s 9))) (goal x 100))",
	"((role x) (init (n z)) (legal x go) (<= (big ?x) (true (n ?x))) (<= (big (s ?x)) (big ?x)) (<= (next (n ?x)) (big ?x)) (<= terminal (big done)) (goal x 0))",
}

// peer is one hostile manager.
type peer struct {
	ctx    context.Context
	tally  *tally
	to     string
	number int
}

func (p *peer) id(n int) string { return fmt.Sprintf("hostile.%d.%d", p.number, n) }

// often does something again and again, with pauses.
func (p *peer) often(pause time.Duration, do func(n int)) {
	for n := 0; p.ctx.Err() == nil; n++ {
		do(n)
		wait(p.ctx, max(pause, 2*time.Millisecond))
	}
}

// many holds so many connections at a time.
func (p *peer) many(number int, do func(c net.Conn)) {
	var group sync.WaitGroup
	for range number {
		group.Go(func() {
			p.often(100*time.Millisecond, func(int) {
				if c, err := p.dial(); err == nil {
					do(c)
					_ = c.Close()
				}
			})
		})
	}
	group.Wait()
}

// dial connects. The connection ends with the torture.
func (p *peer) dial() (net.Conn, error) {
	d := net.Dialer{LocalAddr: ownAddress(p.number), Timeout: 5 * time.Second}
	c, err := d.DialContext(p.ctx, "tcp", p.to)
	if err != nil {
		if p.ctx.Err() == nil {
			p.tally.refuse("not connected")
		}
		return nil, err
	}
	forget := context.AfterFunc(p.ctx, func() { _ = c.Close() })
	return &conn{c, forget}, c.SetDeadline(time.Now().Add(time.Minute))
}

// conn is forgotten with its end: there are hundreds a second.
type conn struct {
	net.Conn
	forget func() bool
}

func (c *conn) Close() error {
	c.forget()
	return c.Conn.Close()
}

func (p *peer) drip(c net.Conn, text string) {
	go func() {
		for i := range len(text) {
			if _, err := io.WriteString(c, text[i:i+1]); err != nil {
				return
			}
			wait(p.ctx, 500*time.Millisecond)
		}
	}()
	p.told(c)
}

// ask sends a message as managers do.
func (p *peer) ask(message string) {
	p.raw(fmt.Sprintf("POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: %d\r\n\r\n%s", len(message), message))
}

func (p *peer) raw(text string) {
	c, err := p.dial()
	if err != nil {
		return
	}
	defer func() { _ = c.Close() }()
	go func() { _, _ = io.WriteString(c, text) }() // the reply may come before all is sent
	p.told(c)
}

// match begins a match, asks for a move and leaves it, or ends it.
func (p *peer) match(n int, role, rules string) {
	id := p.id(n)
	p.ask(fmt.Sprintf("(START %s %s %s 2 1)", id, role, rules))
	p.ask("(PLAY " + id + " NIL)")
	if n%3 > 0 {
		p.ask("(ABORT " + id + ")")
	}
}

// told counts what a peer is told.
func (p *peer) told(c net.Conn) {
	reply, _ := io.ReadAll(io.LimitReader(c, 1<<16)) // what came before the connection broke
	if p.ctx.Err() == nil {
		p.tally.refuse(kindOf(string(reply)))
	}
}

// kindOf is what a reply says, for the table.
func kindOf(reply string) string {
	first, rest, _ := strings.Cut(reply, "\r\n")
	_, body, _ := strings.Cut(rest, "\r\n\r\n")
	switch status, ok := strings.CutPrefix(first, "HTTP/1.0 "); {
	case !ok:
		return "closed without a word"
	case !strings.HasPrefix(status, "200"):
		return "status " + status
	case body == "busy":
		return "busy"
	}
	return "answered"
}
