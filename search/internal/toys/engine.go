// Package toys has games written down directly, and an engine that plays them, for
// the tests of search.
package toys

import (
	"math/rand/v2"
	"sync/atomic"
)

// Game is a game written down directly. States are not changed in place.
type Game interface {
	Levels() []int
	Initial() []uint64
	Terminal(s []uint64) bool
	Goals(s []uint64) []float64
	Offers(s []uint64, role int, prefix []uint32) []uint32
	Play(s []uint64, joint []uint32) []uint64
}

// Engine plays a game in lanes.
type Engine struct {
	Game   Game
	levels []int
	Rand   *rand.Rand // of all draws
	lanes  []laneState
	ended  []uint64
	Steps  int
	Played int // joint moves

	Stall   int      // a random joint move is put off once in so many Steps; 0: never
	stalled []uint64 // lanes whose move was put off in the last Step

	Choose func(lane, role int, prefix, offers []uint32) uint32 // instead of a uniform choice
	OnPlay func(lane int, joint []uint32)

	prefer func(s []uint64) (joint []uint32) // before a random joint move; nil: nothing is preferred

	OnStep func(e *Engine, stop *atomic.Bool) error // called before each Step
}

type laneState struct {
	loaded bool
	over   bool // ended in the last Step
	look   bool
	state  []uint64
	joint  []uint32
}

// NewEngine makes an engine of so many lanes.
func NewEngine(g Game, lanes int, seed uint64) *Engine {
	return &Engine{
		Game: g, levels: g.Levels(), Rand: rand.New(rand.NewPCG(seed, 77)),
		lanes: make([]laneState, lanes), ended: make([]uint64, (lanes+63)/64), stalled: make([]uint64, (lanes+63)/64),
	}
}

// Stalling is a Engine that says when it stalls.
type Stalling struct{ *Engine }

func (e Stalling) Stalled() []uint64 { return e.stalled }

func (e *Engine) Lanes() int { return len(e.lanes) }

func (e *Engine) Load(lane int, state []uint64, joint []uint32) {
	l := &e.lanes[lane]
	*l = laneState{loaded: true, look: joint == nil, state: append([]uint64(nil), state...), joint: append([]uint32(nil), joint...)}
	if len(joint) > 0 {
		e.mustBeLegal(l.state, joint)
	}
}

func (e *Engine) mustBeLegal(s []uint64, joint []uint32) {
	if e.Game.Terminal(s) {
		panic("a move in a terminal state")
	}
	for r, levels := range e.levels {
		for i := range levels {
			found := false
			for _, x := range e.Game.Offers(s, r, joint[:i]) {
				found = found || x == joint[i]
			}
			if !found {
				panic("an illegal move was loaded")
			}
		}
		joint = joint[levels:]
	}
}

// Loaded counts the lanes that hold a state.
func (e *Engine) Loaded() (n int) {
	for _, l := range e.lanes {
		if l.loaded {
			n++
		}
	}
	return n
}

func (e *Engine) Unload(lane int) { e.lanes[lane] = laneState{} }

func (e *Engine) Step(stop *atomic.Bool) ([]uint64, error) {
	e.Steps++
	if e.OnStep != nil {
		if err := e.OnStep(e, stop); err != nil {
			for i := range e.lanes {
				e.lanes[i] = laneState{}
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
			if e.Stall > 0 && len(l.joint) == 0 && e.Rand.IntN(e.Stall) == 0 {
				e.stalled[i/64] |= 1 << (i % 64)
				continue
			}
			if len(l.joint) == 0 && e.prefer != nil {
				l.joint = e.prefer(l.state)
			}
			if len(l.joint) == 0 {
				if l.joint = e.RandomJoint(i, l.state); l.joint == nil {
					l.over = true
					e.ended[i/64] |= 1 << (i % 64)
					e.stalled[i/64] |= 1 << (i % 64)
					continue
				}
			}
			l.state = e.Game.Play(l.state, l.joint)
			e.Played++
			if e.OnPlay != nil {
				e.OnPlay(i, l.joint)
			}
		}
		l.look, l.joint = false, nil
		if e.Game.Terminal(l.state) {
			l.over = true
			e.ended[i/64] |= 1 << (i % 64)
		}
	}
	return e.ended, nil
}

// RandomJoint draws level by level, and again from the first if that is dead;
// nil if a role has drawn so often that it seems to have no move.
func (e *Engine) RandomJoint(lane int, s []uint64) (joint []uint32) {
	for r, levels := range e.levels {
		base := len(joint)
		for tries := 0; len(joint)-base < levels; {
			o := e.Game.Offers(s, r, joint[base:])
			if len(o) == 0 {
				if tries++; len(joint) == base || tries > 200 {
					return nil
				}
				joint = joint[:base]
				continue
			}
			if e.Choose != nil {
				joint = append(joint, e.Choose(lane, r, joint[base:], o))
			} else {
				joint = append(joint, o[e.Rand.IntN(len(o))])
			}
		}
	}
	return joint
}

func (e *Engine) State(lane int, dst []uint64) []uint64 {
	return append(dst, e.lanes[lane].state...)
}

func (e *Engine) Goals(lane int, dst []float64) { copy(dst, e.Game.Goals(e.lanes[lane].state)) }

func (e *Engine) Offers(lane, role int, prefix []uint32, dst []uint32) []uint32 {
	if len(prefix) == e.levels[role] {
		return dst
	}
	return append(dst, e.Game.Offers(e.lanes[lane].state, role, prefix)...)
}
