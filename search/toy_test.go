package search

import (
	"math/rand/v2"
	"sync/atomic"
)

// toy is a game written down directly. States are not changed in place.
type toy interface {
	levels() []int
	initial() []uint64
	terminal(s []uint64) bool
	goals(s []uint64) []float64
	offers(s []uint64, role int, prefix []uint32) []uint32
	play(s []uint64, joint []uint32) []uint64
}

// toyEngine plays a toy in lanes.
type toyEngine struct {
	game   toy
	levels []int
	rng    *rand.Rand
	lanes  []toyLane
	ended  []uint64
	steps  int
	played int // joint moves

	stall   int      // a random joint move is put off once in so many Steps; 0: never
	stalled []uint64 // lanes whose move was put off in the last Step

	choose func(lane, role int, prefix, offers []uint32) uint32 // instead of a uniform choice
	onPlay func(lane int, joint []uint32)

	onStep func(e *toyEngine, stop *atomic.Bool) error // called before each Step
}

type toyLane struct {
	loaded bool
	over   bool // ended in the last Step
	look   bool
	state  []uint64
	joint  []uint32
}

func newToyEngine(g toy, lanes int, seed uint64) *toyEngine {
	return &toyEngine{
		game: g, levels: g.levels(), rng: rand.New(rand.NewPCG(seed, 77)),
		lanes: make([]toyLane, lanes), ended: make([]uint64, (lanes+63)/64), stalled: make([]uint64, (lanes+63)/64),
	}
}

// stallingEngine is a toyEngine that says when it stalls.
type stallingEngine struct{ *toyEngine }

func (e stallingEngine) Stalled() []uint64 { return e.stalled }

func (e *toyEngine) Lanes() int { return len(e.lanes) }

func (e *toyEngine) Load(lane int, state []uint64, joint []uint32) {
	l := &e.lanes[lane]
	*l = toyLane{loaded: true, look: joint == nil, state: append([]uint64(nil), state...), joint: append([]uint32(nil), joint...)}
	if len(joint) > 0 {
		e.mustBeLegal(l.state, joint)
	}
}

func (e *toyEngine) mustBeLegal(s []uint64, joint []uint32) {
	if e.game.terminal(s) {
		panic("a move in a terminal state")
	}
	for r, levels := range e.levels {
		for i := range levels {
			found := false
			for _, x := range e.game.offers(s, r, joint[:i]) {
				found = found || x == joint[i]
			}
			if !found {
				panic("an illegal move was loaded")
			}
		}
		joint = joint[levels:]
	}
}

func (e *toyEngine) Unload(lane int) { e.lanes[lane] = toyLane{} }

func (e *toyEngine) Step(stop *atomic.Bool) ([]uint64, error) {
	e.steps++
	if e.onStep != nil {
		if err := e.onStep(e, stop); err != nil {
			for i := range e.lanes {
				e.lanes[i] = toyLane{}
			}
			return nil, err
		}
	}
	clear(e.ended)
	clear(e.stalled)
	for i := range e.lanes {
		l := &e.lanes[i]
		if !l.loaded {
			continue
		}
		if l.over {
			panic("a lane that ended was neither unloaded nor loaded anew")
		}
		if !l.look {
			if e.stall > 0 && len(l.joint) == 0 && e.rng.IntN(e.stall) == 0 {
				e.stalled[i/64] |= 1 << (i % 64)
				continue
			}
			if len(l.joint) == 0 {
				if l.joint = e.randomJoint(i, l.state); l.joint == nil {
					l.over = true
					e.ended[i/64] |= 1 << (i % 64)
					e.stalled[i/64] |= 1 << (i % 64)
					continue
				}
			}
			l.state = e.game.play(l.state, l.joint)
			e.played++
			if e.onPlay != nil {
				e.onPlay(i, l.joint)
			}
		}
		l.look, l.joint = false, nil
		if e.game.terminal(l.state) {
			l.over = true
			e.ended[i/64] |= 1 << (i % 64)
		}
	}
	return e.ended, nil
}

// randomJoint draws level by level, and again from the first if that is dead;
// nil if a role has drawn so often that it seems to have no move.
func (e *toyEngine) randomJoint(lane int, s []uint64) (joint []uint32) {
	for r, levels := range e.levels {
		base := len(joint)
		for tries := 0; len(joint)-base < levels; {
			o := e.game.offers(s, r, joint[base:])
			if len(o) == 0 {
				if tries++; len(joint) == base || tries > 200 {
					return nil
				}
				joint = joint[:base]
				continue
			}
			if e.choose != nil {
				joint = append(joint, e.choose(lane, r, joint[base:], o))
			} else {
				joint = append(joint, o[e.rng.IntN(len(o))])
			}
		}
	}
	return joint
}

func (e *toyEngine) State(lane int, dst []uint64) []uint64 {
	return append(dst, e.lanes[lane].state...)
}

func (e *toyEngine) Goals(lane int, dst []float64) { copy(dst, e.game.goals(e.lanes[lane].state)) }

func (e *toyEngine) Offers(lane, role int, prefix []uint32, dst []uint32) []uint32 {
	if len(prefix) == e.levels[role] {
		return dst
	}
	return append(dst, e.game.offers(e.lanes[lane].state, role, prefix)...)
}

// toyTree is a tree at the initial state.
func toyTree(g toy, lanes, threads int, o Options) *Tree {
	return stallingTree(g, lanes, threads, 0, o)
}

// stallingTree is a toyTree whose engines stall once in so many moves.
func stallingTree(g toy, lanes, threads, stall int, o Options) *Tree {
	var engines []Engine
	for i := range threads {
		e := newToyEngine(g, lanes, o.Seed*100+uint64(i))
		if e.stall = stall; stall > 0 {
			engines = append(engines, stallingEngine{e})
		} else {
			engines = append(engines, e)
		}
	}
	t := New(engines, g.levels(), o)
	if err := t.SetRoot(g.initial()); err != nil {
		panic(err)
	}
	return t
}
