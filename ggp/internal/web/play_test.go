package web

import (
	"cmp"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"semisplit/player/agent"
	"semisplit/player/choice"
)

// seated is a game in its first state, of tic-tac-toe unless the wish names another. It has
// no goroutine: the test runs it.
func seated(t *testing.T, w wish) *session {
	t.Helper()
	s, err := New(Config{Threads: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	w.Game = cmp.Or(w.Game, "tictactoe")
	g := s.library.find(w.Game)
	if err := g.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	p, err := s.newSession(g, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.rest)
	p.clockRun = time.NewTimer(time.Hour)
	p.states = [][]uint64{p.board.State()}
	p.reached(nil, nil)
	if err := p.next(); err != nil {
		t.Fatal(err)
	}
	return p
}

// do obeys an order, whose answer comes to the channel.
func (p *session) do(t *testing.T, o order) chan reply {
	t.Helper()
	o.answer = make(chan reply, 1)
	if err := p.obey(o); err != nil {
		t.Fatal(err)
	}
	return o.answer
}

// TestTake gets the way to play while the player thinks: it thinks anew, and whoever waits
// for a hint is told.
func TestTake(t *testing.T) {
	p := seated(t, wish{})
	chosen := &choice.Choice{Agent: agent.Default(), Machine: p.game.machine, Chosen: &choice.Candidate{Name: "orthodox"}}
	hint := p.do(t, order{Action: "hint"})
	p.take(chosen)
	select {
	case <-hint:
	default:
		t.Error("whoever waits for a hint is forgotten")
	}
	if answer := <-p.do(t, order{Action: "move", Move: "(mark a 1)"}); answer.status != http.StatusOK {
		t.Fatal(answer)
	}
	p.take(chosen)
	if err := p.begin(); err != nil {
		t.Fatal(err)
	}
	if len(p.history) != 1 || p.thoughts == nil {
		t.Errorf("after %d moves the player thinks: %v; it should think about its first one", len(p.history), p.thoughts != nil)
	}
}

// TestPrepare has the seed of the choice before the session draws anything else.
func TestPrepare(t *testing.T) {
	p := seated(t, wish{Start: 0.1}) // too short for a choice
	same := rand.New(rand.NewPCG(1, 5))
	same.Uint64()
	p.prepare()
	if p.random.Uint64() != same.Uint64() {
		t.Error("the seed is drawn beside the session")
	}
}

// TestLateBesideHint lets the clock run out while a hint is thought about: the match goes on
// after that.
func TestLateBesideHint(t *testing.T) {
	p := seated(t, wish{Play: 60})
	p.do(t, order{Action: "hint"})
	if err := p.late(); err != nil {
		t.Fatal(err)
	}
	p.thinker.stop.Store(true)
	fault := <-p.thoughts
	p.thoughts = nil
	p.thinker.stop.Store(false)
	if err := p.thought(fault); err != nil {
		t.Fatal(err)
	}
	if len(p.history) != 1 {
		t.Errorf("%d moves were played, want 1", len(p.history))
	}
}

// TestLateBeforeChoice lets the clock run out in a game of moves at the same time before the
// way to play is chosen: the player thinks before it moves.
func TestLateBeforeChoice(t *testing.T) {
	p := seated(t, wish{Game: "blotto", Play: 60})
	p.stopThinking()
	p.thoughtAt, p.chosen = -1, make(chan *choice.Choice)
	if err := p.late(); err != nil {
		t.Fatal(err)
	}
	if len(p.history) != 0 {
		t.Fatal("the player moved without a thought")
	}
	p.chosen = nil
	p.take(nil)
	if err := p.begin(); err != nil || p.thoughts == nil || !p.hasMoved {
		t.Errorf("the player thinks: %v, beside the person's move: %v (%v)", p.thoughts != nil, p.hasMoved, err)
	}
}

// TestQuickForgotten forgets a quick machine before others are made: it is not made any more.
func TestQuickForgotten(t *testing.T) {
	g := seated(t, wish{}).game
	for range cap(compiling) {
		compiling <- struct{}{}
	}
	f := g.quick()
	g.forget()
	for range cap(compiling) {
		compiling.give()
	}
	if <-f.done; f.machine != nil || f.err != nil {
		t.Errorf("a machine that nobody wants is made: %v", f.err)
	}
	f = g.quick()
	if <-f.done; f.err != nil || f.machine == nil {
		t.Errorf("afterwards none is made: %v", f.err)
	}
}

// TestThinkForgotten thinks on where the quick machine is forgotten for those of other games:
// on the machine that it has, and none is made that the library does not count.
func TestThinkForgotten(t *testing.T) {
	p := seated(t, wish{})
	p.server.library.use(p.game)
	<-p.game.quick().done
	if err := p.thinker.follow(nil); err != nil {
		t.Fatal(err)
	}
	on := p.thinker.on
	p.game.forget()
	if err := p.thinker.follow(nil); err != nil {
		t.Fatal(err)
	}
	if p.game.fast != nil || p.thinker.on != on || on == p.game.machine {
		t.Errorf("a machine is made: %v, and the thoughts are on the same: %v", p.game.fast != nil, p.thinker.on == on)
	}
}
