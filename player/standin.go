package player

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/reasoner"
)

// standIn finds a legal move for a turn in which the worker is kept from one: by
// rules of terminal or goal that take long or never end, or by very many legal
// moves. It follows the match by the rules of next alone, and asks for one move
// of our role alone. It begins at once in the first turn, and with half of the play
// clock left in the others, if the worker has not got there by then.
type standIn struct {
	mu      sync.Mutex
	turns   []pending     // that the worker has not reached, oldest first
	at      standing      // where the worker stands, or the stand-in itself
	changed chan struct{} // holds one; something of the above is new

	ctx    context.Context // of the match, also where the worker has given up
	cancel context.CancelFunc
}

// pending is a turn: its number, the moves that led to it, and when the stand-in
// begins with it.
type pending struct {
	number int
	moves  []kif.Term
	due    time.Time
}

// standing is a state that was reached, and the number of its turn. machine is nil
// before the first.
type standing struct {
	number  int
	machine reasoner.Machine
	state   []uint64
}

// legalFinder is an engine that answers less than a whole Step does; the prover's is.
type legalFinder interface {
	FirstMove(state []uint64, role int, stop *atomic.Bool) (move uint32, found bool, err error)
	After(state []uint64, joint []uint32, stop *atomic.Bool) ([]uint64, error)
}

func newStandIn() *standIn {
	s := &standIn{turns: []pending{{}}, changed: make(chan struct{}, 1)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

func (s *standIn) wake() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// follow tells of a new turn, which comes after the one with the number from.
func (s *standIn) follow(from int, f pending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns = slices.DeleteFunc(s.turns, func(p pending) bool { return p.number > from })
	s.turns = append(s.turns, f)
	s.wake()
}

// reached tells of a state that the worker stands at.
func (s *standIn) reached(p standing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = p
	for len(s.turns) > 0 && s.turns[0].number <= p.number {
		s.turns = s.turns[1:]
	}
	s.wake()
}

// drop forgets a turn whose moves cannot be played.
func (s *standIn) drop(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns = slices.DeleteFunc(s.turns, func(p pending) bool { return p.number == number })
}

// ahead are the turns that are to be followed from a place; a copy.
func (s *standIn) ahead() (place standing, turns []pending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at, append(turns, s.turns...)
}

// followBeside runs the stand-in until the match is over. It has a machine of its own,
// which is ready before the one that the worker plays on at first. The worker
// drops its rules once they are read, so these are given. It does not wait for
// the worker's place: a match that waits for one needs moves, too.
func (w *worker) followBeside(rules []kif.Term) {
	if err := w.standIns.Acquire(w.standIn.ctx, 1); err != nil {
		return // the match is over
	}
	defer w.standIns.Release(1)
	program, diagnostics := reasoner.Analyze(rules)
	if diagnostics.Err() != nil {
		return
	}
	m, err := reasoner.NewStandIn(w.standIn.ctx, program, w.limits)
	if err != nil {
		return // the worker tells why
	}
	f := foresight{machine: m, role: findRole(m.Roles(), w.start.Role), names: spellings(rules)}
	finder, ok := m.NewEngine(w.seed).(legalFinder)
	if !ok || f.role < 0 {
		return
	}
	f.finder, f.at = finder, standing{-1, m, m.Initial()}
	for done := -1; w.standIn.ctx.Err() == nil; {
		place, turns := w.standIn.ahead()
		var due <-chan time.Time
		if n := len(turns); n > 0 && turns[n-1].number > done {
			wait := time.Until(turns[n-1].due)
			if wait <= 0 {
				if place.machine != nil && place.number > f.at.number {
					f.at = place
				}
				done = turns[n-1].number
				w.foresee(&f, turns)
				continue
			}
			due = time.After(wait)
		}
		select {
		case <-w.standIn.changed:
		case <-due:
		case <-w.standIn.ctx.Done():
		}
	}
}

// foresight is what the stand-in works with.
type foresight struct {
	machine reasoner.Machine
	finder  legalFinder
	role    int
	names   map[string]string // see spellings
	at      standing          // how far it came
}

// foresee follows turns and tells the core of a legal move in the last one. Where
// the rules of next do not end in time, it is a move of the last state that is
// known: a better guess than any.
func (w *worker) foresee(f *foresight, turns []pending) {
	last := turns[len(turns)-1].number
	stop, release := w.standIn.within(w.start.PlayClock / 4)
	f.follow(turns, stop)
	release()
	clock := w.start.PlayClock
	if last == 0 {
		clock += w.start.StartClock
	}
	stop, release = w.standIn.within(clock) // later it is of no use
	defer release()
	if move, found, err := f.finder.FirstMove(f.at.state, f.role, stop); err == nil && found {
		w.tell(foreseen{turn: last, move: f.machine.Move(f.role, []uint32{move}), sure: f.at.number == last})
	}
}

// follow goes through turns as far as it can.
func (f *foresight) follow(turns []pending, stop *atomic.Bool) {
	if f.at.machine != f.machine {
		state, err := f.machine.Encode(f.at.machine.Fluents(f.at.state))
		if err != nil {
			return
		}
		f.at.machine, f.at.state = f.machine, state
	}
	for _, t := range turns {
		if t.number <= f.at.number {
			continue
		}
		if t.number > 0 {
			joint, ok := f.joint(t.moves)
			if !ok {
				return
			}
			after, err := f.finder.After(f.at.state, joint, stop)
			if err != nil {
				return
			}
			f.at.state = after
		}
		f.at.number = t.number
	}
}

// within is a flag that ends an evaluation after a time, or with the match.
func (s *standIn) within(limit time.Duration) (stop *atomic.Bool, release func()) {
	stop = new(atomic.Bool)
	timer := time.AfterFunc(limit, func() { stop.Store(true) })
	forget := context.AfterFunc(s.ctx, func() { stop.Store(true) })
	return stop, func() { timer.Stop(); forget() }
}

// joint is a joint move in the numbers of the machine; false if it has names that
// the rules do not.
func (f *foresight) joint(moves []kif.Term) (joint []uint32, ok bool) {
	if len(moves) != len(f.machine.Roles()) {
		return nil, false
	}
	for role, move := range moves {
		move = board.Plain(move)
		path, ok := f.machine.Path(role, move)
		if !ok {
			path, ok = f.machine.Path(role, respelled(move, f.names))
		}
		if !ok {
			return nil, false
		}
		joint = append(joint, path...)
	}
	return joint, true
}

// spellings are the names in rules as they are spelled there, by their lower case.
func spellings(rules []kif.Term) map[string]string {
	names := map[string]string{}
	var walk func(t kif.Term)
	walk = func(t kif.Term) {
		if lower := strings.ToLower(t.Name); names[lower] == "" {
			names[lower] = t.Name
		}
		for _, item := range t.Items {
			walk(item)
		}
	}
	for _, rule := range rules {
		walk(rule)
	}
	return names
}

// respelled is a move of a manager that writes in another case than the rules.
func respelled(move kif.Term, names map[string]string) kif.Term {
	if !move.IsList() {
		if name, ok := names[strings.ToLower(move.Name)]; ok {
			return kif.Symbol(name)
		}
		return move
	}
	items := make([]kif.Term, len(move.Items))
	for i, item := range move.Items {
		items[i] = respelled(item, names)
	}
	return kif.List(items...)
}
