package cmab

import (
	"math"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/search/engine"
)

// Engine plays a model: one role, a level for each bandit, and a move that ends the game
// with a sample of its value. It has one lane, so that each iteration of a search knows of
// all before it.
type Engine struct {
	model  *Model
	rng    *rand.Rand
	values [][]uint32
	state  [1]uint64
	joint  []uint32
	play   bool
	loaded bool
	ended  [1]uint64
}

var (
	_ engine.Engine = (*Engine)(nil)
	_ engine.Spacer = (*Engine)(nil)
)

// Initial is the state before the move. After it, a state is the bits of the sample.
func Initial() []uint64 { return []uint64{unplayed} }

// unplayed is no sample.
const unplayed = math.MaxUint64

// NewEngine makes an engine.
func NewEngine(m *Model, seed uint64) *Engine {
	e := &Engine{model: m, rng: rand.New(rand.NewPCG(seed, 0x656e67)), joint: make([]uint32, len(m.means))}
	for _, arms := range m.means {
		values := make([]uint32, len(arms))
		for i := range values {
			values[i] = uint32(i)
		}
		e.values = append(e.values, values)
	}
	return e
}

// Levels are those of the game's only role.
func (e *Engine) Levels() []int { return []int{len(e.values)} }

// Lanes is engine.Engine.Lanes.
func (e *Engine) Lanes() int { return 1 }

// Load is engine.Engine.Load.
func (e *Engine) Load(_ int, state []uint64, joint []uint32) {
	e.state[0], e.play, e.loaded = state[0], joint != nil, true
	copy(e.joint, joint)
}

// Unload is engine.Engine.Unload.
func (e *Engine) Unload(int) { e.loaded = false }

// Step is engine.Engine.Step. It never fails.
func (e *Engine) Step(*atomic.Bool) ([]uint64, error) {
	e.ended[0] = 0
	if !e.loaded {
		return e.ended[:], nil
	}
	if e.state[0] == unplayed && e.play {
		e.state[0] = math.Float64bits(e.model.sample(e.joint, e.rng))
	}
	if e.state[0] != unplayed {
		e.ended[0] = 1
	}
	for i, values := range e.values { // the next move is a random one
		e.joint[i] = e.rng.Uint32N(uint32(len(values)))
	}
	e.play = true
	return e.ended[:], nil
}

// State is engine.Engine.State.
func (e *Engine) State(_ int, dst []uint64) []uint64 { return append(dst, e.state[0]) }

// Goals is engine.Engine.Goals.
func (e *Engine) Goals(_ int, dst []float64) {
	dst[0] = 0
	if e.state[0] != unplayed {
		dst[0] = math.Float64frombits(e.state[0])
	}
}

// Offers is engine.Engine.Offers.
func (e *Engine) Offers(_, _ int, prefix []uint32, dst []uint32) []uint32 {
	if len(prefix) == len(e.values) {
		return dst
	}
	return append(dst, e.values[len(prefix)]...)
}

// Space is engine.Spacer.Space.
func (e *Engine) Space(int, int) engine.Space { return engine.Space{Values: e.values} }
