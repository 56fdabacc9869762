package reasonertest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"semisplit/kif"
	"semisplit/reasoner"
)

// fewJoints is the highest number of joint moves that are all tried, to find
// the one that a random step took.
const fewJoints = 40

// mostStalls is how many Steps an engine may take to find that a role has no
// legal move.
const mostStalls = 10_000

// walk is one random game in every lane of an engine, all different.
type walk struct {
	t        reporter
	m        reasoner.Machine
	e        reasoner.Engine
	oracle   oracle
	rng      *rand.Rand
	lanes    []lane
	stalls   staller              // nil: the engine never stalls
	trace    tracer               // nil: the engine does not tell what it plays
	prefixes int                  // of a role that are walked in one state, see checkWith
	compared int                  // positions so far
	spare    map[string]bool      // fluents that the engine leaves out, as it spells them
	known    map[string]*position // by spelled fluents: positions of small games come again and again
}

// lane is where a walk stands in one lane, and how the next Step goes on.
type lane struct {
	at    *position
	how   way
	moves []kif.Term // the joint move of given
	over  bool       // ended for want of a legal move
}

// staller is an engine whose lanes may take several Steps for one random joint
// move, for they try again where a path of semimoves turned out to be dead.
type staller interface {
	// Stalled has a bit for each lane that was to play a random joint move in
	// the last Step and did not complete it.
	Stalled() []uint64
}

// way is how a lane goes on.
type way uint8

const (
	looking way = iota // a state was loaded without a joint move
	given              // a state was loaded with a joint move
	random             // nothing was loaded
)

func newWalk(t reporter, trusted, m reasoner.Machine, seed uint64) *walk {
	e := m.NewEngine(seed)
	stalls, _ := e.(staller)
	trace, _ := e.(tracer)
	if trace != nil {
		trace.Trace(true)
	}
	w := &walk{
		t: t, m: m, e: e, stalls: stalls, trace: trace,
		oracle: oracle{trusted, trusted.NewEngine(seed)},
		rng:    rand.New(rand.NewPCG(seed, uint64(e.Lanes()))),
		lanes:  make([]lane, e.Lanes()),
		known:  map[string]*position{},
		spare:  map[string]bool{},
	}
	for _, f := range m.Fluents(m.Spare()) {
		w.spare[f.String()] = true
	}
	w.steer()
	return w
}

// run walks for a number of rounds or until end, at least one round.
func (w *walk) run(rounds int, end time.Time) {
	first, err := w.oracle.at(w.oracle.m.Initial(), nil)
	if err != nil {
		w.t.Fatalf("the oracle cannot start: %v", err)
	}
	for i := range w.lanes {
		w.restart(i, first)
	}
	for w.step(end) && rounds > 0 && time.Now().Before(end) {
		rounds--
		for i := range w.lanes {
			w.prepare(i, first)
		}
	}
}

// restart puts the initial state into a lane, to be looked at.
func (w *walk) restart(i int, first *position) {
	w.lanes[i] = lane{at: first, how: looking}
	w.e.Load(i, w.m.Initial(), nil)
}

// prepare decides how a lane goes on: from the initial state again, by a
// random step, or with a joint move of the walk's choice.
func (w *walk) prepare(i int, first *position) {
	l := &w.lanes[i]
	if l.at.terminal || l.at.stuck() && (l.over || w.rng.IntN(2) == 0) {
		w.restart(i, first)
		return
	}
	l.how, l.moves = random, nil
	if l.at.stuck() {
		return
	}
	if w.rng.IntN(3) == 0 && (w.trace != nil || l.at.joints(fewJoints) <= fewJoints) {
		return
	}
	l.how = given
	var joint []uint32
	for r, legal := range l.at.legal {
		move := legal[w.rng.IntN(len(legal))]
		path, ok := w.m.Path(r, move)
		if !ok {
			w.t.Fatalf("lane %d role %d: the machine does not know the legal move %s", i, r, move)
		}
		if back := w.m.Move(r, path); back.String() != move.String() {
			w.t.Fatalf("Move(Path(%s)) = %s", move, back)
		}
		l.moves = append(l.moves, move)
		joint = append(joint, path...)
	}
	state, err := w.m.Encode(w.oracle.m.Fluents(l.at.state))
	if err != nil {
		w.t.Fatalf("lane %d: %v", i, err)
	}
	w.e.Load(i, state, joint)
}

// step advances the machine and compares every lane. It returns false when
// the walk has to end.
func (w *walk) step(end time.Time) bool {
	ended, err := w.e.Step(nil)
	if err != nil {
		w.t.Errorf("Step: %v, though every role has a legal move in every lane", err)
		return false
	}
	ended = slices.Clone(ended)
	for i := range w.lanes {
		if i > 0 && time.Now().After(end) {
			return false
		}
		if w.stalled(i) {
			if !w.still(i, ended[i/64]>>(i%64)&1 != 0) {
				return false
			}
			continue
		}
		if w.lanes[i].how != looking && !w.follow(i) {
			return false
		}
		w.compared++
		if !w.compare(i, ended[i/64]>>(i%64)&1 != 0) {
			return false
		}
	}
	return true
}

// stalled says whether a lane that was to play a joint move did not. A lane
// that was only looked at has played none anyway.
func (w *walk) stalled(i int) bool {
	return w.stalls != nil && w.lanes[i].how != looking && w.stalls.Stalled()[i/64]>>(i%64)&1 != 0
}

// still checks a lane that stalled: only random moves may. What can be read of
// it means nothing (an engine may be in the next state, and not know yet what
// that is), unless it ended for want of a move: then nothing has happened.
func (w *walk) still(i int, ended bool) bool {
	l := &w.lanes[i]
	switch {
	case l.how != random:
		w.t.Errorf("lane %d stalled, though it was loaded with a joint move", i)
	case ended && !l.at.stuck():
		w.t.Errorf("lane %d stalled and ended, though every role can move", i)
	case ended:
		if got := sorted(w.m.Fluents(w.e.State(i, nil))); !slices.Equal(got, w.essential(l.at)) {
			w.t.Errorf("lane %d had no move but went from %v to %v", i, l.at.fluents, got)
		}
		w.compareGoals(i)
	}
	l.over = ended
	return !w.t.Failed()
}

// essential are the fluents of a position that the engine has.
func (w *walk) essential(p *position) []string {
	if len(w.spare) == 0 {
		return p.fluents
	}
	return slices.DeleteFunc(slices.Clone(p.fluents), func(f string) bool { return w.spare[f] })
}

// compareGoals compares what the roles get in the state of a lane.
func (w *walk) compareGoals(i int) {
	p := w.lanes[i].at
	goals := make([]float64, len(p.goals))
	w.e.Goals(i, goals)
	if !slices.Equal(goals, p.goals) {
		w.t.Errorf("lane %d: goals %v, want %v, in %v", i, goals, p.goals, p.fluents)
	}
}

// follow lets the oracle take the joint move of a lane, or finds the one that
// a random step took where no trace tells.
func (w *walk) follow(i int) bool {
	l := &w.lanes[i]
	if w.trace != nil {
		return w.followTrace(i)
	}
	if l.how == given {
		return w.take(i, l.moves)
	}
	got := sorted(w.m.Fluents(w.e.State(i, nil)))
	before := l.at
	for k := range before.joints(fewJoints) {
		p, err := w.successor(before, before.jointAt(k))
		if err != nil {
			w.t.Logf("the oracle gave up: %v", err)
			return false
		}
		if slices.Equal(w.essential(p), got) {
			l.at = p
			return true
		}
	}
	w.t.Errorf("lane %d: a random step went from %v to %v, where no legal joint move leads", i, before.fluents, got)
	return false
}

func (w *walk) take(i int, moves []kif.Term) bool {
	p, err := w.successor(w.lanes[i].at, moves)
	if err != nil {
		w.t.Logf("the oracle gave up: %v", err)
		return false
	}
	w.lanes[i].at = p
	return true
}

// jointAt is joint move number k of a position.
func (p *position) jointAt(k int) []kif.Term {
	moves := make([]kif.Term, len(p.legal))
	for r, legal := range p.legal {
		moves[r] = legal[k%len(legal)]
		k /= len(legal)
	}
	return moves
}

// successor asks the oracle, once for each joint move of a state.
func (w *walk) successor(p *position, moves []kif.Term) (*position, error) {
	key := strings.Join(p.fluents, " ") + "; " + spell(moves)
	if q := w.known[key]; q != nil {
		return q, nil
	}
	q, err := w.oracle.at(p.state, moves)
	if err == nil {
		w.known[key] = q
	}
	return q, err
}

// compare holds a lane against the position that the oracle sees there. In a
// terminal state no machine offers moves.
func (w *walk) compare(i int, ended bool) bool {
	t, p := w.t, w.lanes[i].at
	state := w.e.State(i, nil)
	fluents := w.m.Fluents(state)
	if d := differenceOf(w.essential(p), sorted(fluents)); d != "" {
		t.Errorf("lane %d after %s: state: %s", i, spell(w.lanes[i].moves), d)
		return false
	}
	if back, err := w.m.Encode(fluents); err != nil || !slices.Equal(back, state) {
		t.Errorf("lane %d: Encode(Fluents(%x)) = %x, %v", i, state, back, err)
	}
	if ended != p.terminal {
		t.Errorf("lane %d: ended is %v, want %v, in %v", i, ended, p.terminal, p.fluents)
	}
	w.compareGoals(i)
	for r := range p.legal {
		w.compareMoves(i, r)
	}
	if w.rng.IntN(16) == 0 || p.terminal && w.rng.IntN(4) == 0 {
		w.goalValues(state, p)
	}
	if p.stuck() && !p.terminal {
		w.stuck(state)
	}
	return !t.Failed()
}

// goalValues compares the sets of values, to tell none from 0.
func (w *walk) goalValues(state []uint64, p *position) {
	for r := range p.goals {
		got, want := w.m.GoalValues(r, state), w.oracle.m.GoalValues(r, p.state)
		if !slices.Equal(got, want) {
			w.t.Errorf("role %d: goal values %v, want %v, in %v", r, got, want, p.fluents)
		}
	}
}

// stuck plays on from a state where some role has no legal move: the state
// can be looked at, and is where the game ends.
func (w *walk) stuck(state []uint64) {
	e := w.m.NewEngine(1)
	e.Load(0, state, nil)
	if _, err := e.Step(nil); err != nil {
		w.t.Errorf("looking at a state where a role has no legal move: %v", err)
		return
	}
	stalls, _ := e.(staller)
	for range mostStalls {
		ended, err := e.Step(nil)
		switch {
		case err != nil:
			w.t.Errorf("a step from a state where a role has no legal move: %v", err)
			return
		case stalls == nil || stalls.Stalled()[0]&1 == 0:
			w.t.Errorf("a role has no legal move in a state that is not terminal, but Step went on")
			return
		case ended[0]&1 != 0:
			return
		}
	}
	w.t.Errorf("a role has no legal move in a state that is not terminal, but after %d Steps the game has not ended", mostStalls)
}
