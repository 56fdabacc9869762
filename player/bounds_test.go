package player

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/protocol"
	"semisplit/reasoner"
	"semisplit/search"
)

// What a match keeps of the joint moves does not grow with their number, and a
// joint move that no game asks for is left alone.
func TestMovesAreNotKept(t *testing.T) {
	c := newCore(1, true, 0)
	c.step(0, started{req: 1, match: "m", role: kif.Symbol("x"), guess: kif.Symbol("noop"), startClock: time.Second, playClock: time.Second})
	c.step(0, told{1, prepared{kind: "prover"}})
	c.step(0, told{1, positioned{legal: 2, move: kif.Symbol("a")}})
	m := c.matches["m"]
	kept := func() (bytes int64) {
		for _, turn := range m.turns {
			bytes += weight(turn.moves)
		}
		return bytes
	}
	const long = 100 << 10
	for n := 1; n <= 100; n++ {
		c.step(0, asked{req: n, match: "m", moves: []kif.Term{kif.Symbol(fmt.Sprintf("%0*d", long, n))}})
		c.step(0, told{1, positioned{turn: n, legal: 2, move: kif.Symbol("a")}})
	}
	if got := kept(); len(m.turns) != 101 || got > (lateTurns+2)*2*long {
		t.Errorf("%d bytes of moves are kept for %d turns", got, len(m.turns))
	}
	before, turns := kept(), len(m.turns)
	answered := func(moves kif.Term) bool {
		for _, a := range c.step(0, asked{req: 1000, match: "m", moves: []kif.Term{moves}}) {
			if r, ok := a.(reply); ok && r.req == 1000 {
				return r.ok
			}
		}
		return false
	}
	if huge := kif.Symbol(strings.Repeat("a", movesLimit)); !answered(huge) || len(m.turns) != turns {
		t.Error("a move of 1 MiB was taken, or not answered")
	}
	for n := range 100 { // the worker does not come to them
		answered(kif.Symbol(fmt.Sprintf("%0*d", long, 1000+n)))
	}
	if got := kept() - before; got > movesLimit {
		t.Errorf("%d bytes of moves wait for the worker", got)
	}
}

// The worker keeps what it needs to replay a match, as long as that is little.
func TestHistoryIsBounded(t *testing.T) {
	w := &position{}
	for range 100 {
		w.remember([]kif.Term{kif.Symbol(strings.Repeat("a", historyLimit/50))})
	}
	kept := int64(0)
	for _, moves := range w.history {
		kept += weight(moves)
	}
	if kept > historyLimit || len(w.history) != 100 {
		t.Errorf("%d bytes for %d turns", kept, len(w.history))
	}
	if err := w.replay(nil); err != errForgotten {
		t.Errorf("replayed without its moves: %v", err)
	}
}

// Matches that are started and aborted do not pile up behind rules that are
// deaf: a few are worked on at a time, and the others end without work.
func TestEndedMatchesDoNotPileUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		var now, most, all atomic.Int32
		read := b.source
		b.source = func(_ context.Context, rules []kif.Term) (source, error) {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			all.Add(1)
			time.Sleep(time.Minute)
			return read(context.Background(), rules)
		}
		for n := range 20 {
			go b.begin(t, fmt.Sprint(n), 0, time.Second)
			synctest.Wait()
			if got := b.Abort(context.Background(), fmt.Sprint(n)); got != "aborted" {
				t.Errorf("ABORT: %q", got)
			}
		}
		if got := most.Load(); got > 2+spareMatches {
			t.Errorf("%d descriptions were worked on at a time", got)
		}
		time.Sleep(2 * time.Minute)
		if got := all.Load(); got > 2+spareMatches {
			t.Errorf("%d descriptions were worked on", got)
		}
		b.source = read
		if got := b.begin(t, "next", 0, time.Second); got != "ready" {
			t.Errorf("the next START: %q", got)
		}
		time.Sleep(time.Second)
		_, m := ticTacToe(t)
		judge, err := board.New(m, 1, new(atomic.Bool))
		if err != nil {
			t.Fatal(err)
		}
		move, ok, _ := b.ask("next")
		if _, legal := judge.Find(0, move); !ok || !legal {
			t.Errorf("the next PLAY: %v, %v", move, ok)
		}
		b.Close()
	})
}

// What is of no use is not read.
func TestAdmits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		admits := func(kind protocol.Kind, match string, want bool) {
			t.Helper()
			if got := b.Admits(kind, match); got != want {
				t.Errorf("%v of %q: %v", kind, match, got)
			}
		}
		admits(protocol.KindStart, "one", true)
		admits(protocol.KindPlay, "one", false)
		b.begin(t, "one", 0, time.Second)
		b.begin(t, "two", 0, time.Second)
		admits(protocol.KindPlay, "one", true)
		admits(protocol.KindStop, "two", true)
		admits(protocol.KindStop, "three", false)
		admits(protocol.KindStart, "three", false)
		admits(protocol.KindStart, "one", true)
		admits(protocol.KindPreview, "", false)
		b.Close()
		admits(protocol.KindStart, "three", false)
	})
}

// heavy is a tree of many bytes.
type heavy struct {
	search.Algorithm
	bytes []byte
}

// When no match is left, the system gets the memory of the last one back.
func TestMemoryGoesBack(t *testing.T) {
	const size = 64 << 20
	resident := func() int64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapSys - m.HeapReleased)
	}
	debug.FreeOSMemory()
	before := resident()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		light := b.newTree
		b.newTree = func(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
			h := heavy{light(m, a, seed), make([]byte, size)}
			for i := range h.bytes {
				h.bytes[i] = 1
			}
			return h
		}
		b.begin(t, "m", 0, time.Second)
		b.ask("m")
		if got := resident() - before; got < size {
			t.Errorf("only %d bytes more are held in a match", got)
		}
		b.Abort(context.Background(), "m")
		b.Close()
	})
	if got := resident() - before; got > size/2 {
		t.Errorf("%d bytes more are held after the match", got)
	}
}
