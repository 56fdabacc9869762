package berlin

import (
	"math/rand/v2"
	"sync/atomic"

	"semisplit/search/engine"
)

// Presentation is how a move is told in dimensions, section 2.2.2.
type Presentation uint8

const (
	// NodeAsAgent has a dimension for each node, with the order for it.
	NodeAsAgent Presentation = iota
	// SoldierAsAgent has a dimension for each lot that a node can have, with 0 for staying or
	// one more than the link that it goes along.
	SoldierAsAgent
)

// Engine plays a map. Dimensions of nodes that a side does not own, and of lots that are not
// there, have one value.
type Engine struct {
	m            *Map
	presentation Presentation
	guided       float64
	rng          *rand.Rand
	lanes        []lane
	ended        []uint64
	turn         turn
	orders       [Sides][]uint32
	all          [mostLots + 1][mostLinks + 1][]uint32 // orders by lots and links
	steps        [mostLinks + 1][]uint32               // values of a lot by links
}

// lane is a match.
type lane struct {
	loaded, play, given bool
	state               []uint64
	joint               []uint32
}

var (
	_ engine.Engine = (*Engine)(nil)
	_ engine.Spacer = (*Engine)(nil)
)

// NewEngine makes an engine of so many lanes. Moves of playouts are, for each side and turn,
// with probability guided those of Heuristic, else random ones (section 5.3.2).
func NewEngine(m *Map, p Presentation, lanes int, guided float64, seed uint64) *Engine {
	e := &Engine{
		m: m, presentation: p, guided: guided, rng: rand.New(rand.NewPCG(seed, 0x6265726c)),
		lanes: make([]lane, lanes), ended: make([]uint64, (lanes+63)/64),
	}
	for side := range e.orders {
		e.orders[side] = make([]uint32, len(m.Nodes))
	}
	for links := range e.steps {
		for n := range e.all {
			e.all[n][links] = orders(n, links)
		}
		for value := range uint32(links) + 1 {
			e.steps[links] = append(e.steps[links], value)
		}
	}
	for i := range e.lanes {
		e.lanes[i].joint = make([]uint32, Sides*e.dims())
	}
	return e
}

// dims is the number of dimensions of a side.
func (e *Engine) dims() int {
	if e.presentation == SoldierAsAgent {
		return len(e.m.Nodes) * mostLots
	}
	return len(e.m.Nodes)
}

// Levels are those of the sides.
func (e *Engine) Levels() []int { return []int{e.dims(), e.dims()} }

// Lanes is engine.Engine.Lanes.
func (e *Engine) Lanes() int { return len(e.lanes) }

// Load is engine.Engine.Load.
func (e *Engine) Load(i int, state []uint64, joint []uint32) {
	l := &e.lanes[i]
	l.loaded, l.play, l.given = true, joint != nil, joint != nil
	l.state = append(l.state[:0], state...)
	copy(l.joint, joint)
}

// Unload is engine.Engine.Unload.
func (e *Engine) Unload(i int) { e.lanes[i].loaded = false }

// Step is engine.Engine.Step. It never fails.
func (e *Engine) Step(*atomic.Bool) ([]uint64, error) {
	clear(e.ended)
	for i := range e.lanes {
		l := &e.lanes[i]
		if !l.loaded {
			continue
		}
		if l.play {
			for side := range e.orders {
				switch {
				case l.given:
					e.Orders(l.joint[side*e.dims():(side+1)*e.dims()], e.orders[side])
				case e.guided > 0 && e.rng.Float64() < e.guided:
					e.m.Heuristic(l.state, side, e.orders[side])
				default:
					e.random(l.state, side, e.orders[side])
				}
			}
			e.m.play(l.state, e.orders, &e.turn)
		}
		l.play, l.given = true, false
		if e.m.Over(l.state) {
			e.ended[i/64] |= 1 << (i % 64)
		}
	}
	return e.ended, nil
}

// Orders puts what a move of the engine says into dst, by node.
func (e *Engine) Orders(move, dst []uint32) {
	if e.presentation == NodeAsAgent {
		copy(dst, move)
		return
	}
	for i := range dst {
		dst[i] = 0
		for _, link := range move[i*mostLots : (i+1)*mostLots] {
			if link > 0 {
				dst[i] += powers[link-1]
			}
		}
	}
}

// powers of base.
var powers = func() (p [mostLinks]uint32) {
	p[0] = 1
	for i := 1; i < mostLinks; i++ {
		p[i] = p[i-1] * base
	}
	return p
}()

// random puts random orders into dst: each value of each dimension is as likely as another.
func (e *Engine) random(state []uint64, side int, dst []uint32) {
	for i := range dst {
		dst[i] = 0
		owner, soldiers := at(state, i)
		if owner != side+1 || soldiers == 0 {
			continue
		}
		n, links := divide(soldiers).n, len(e.m.next[i])
		if e.presentation == NodeAsAgent {
			all := e.all[n][links]
			dst[i] = all[e.rng.Uint32N(uint32(len(all)))]
			continue
		}
		for range n {
			if link := e.rng.Uint32N(uint32(links) + 1); link > 0 {
				dst[i] += powers[link-1]
			}
		}
	}
}

// State is engine.Engine.State.
func (e *Engine) State(i int, dst []uint64) []uint64 { return append(dst, e.lanes[i].state...) }

// Goals is engine.Engine.Goals.
func (e *Engine) Goals(i int, dst []float64) { e.m.Goals(e.lanes[i].state, dst) }

// values are those of a dimension.
func (e *Engine) values(state []uint64, side, dim int) []uint32 {
	node, lot := dim, 0
	if e.presentation == SoldierAsAgent {
		node, lot = dim/mostLots, dim%mostLots
	}
	owner, soldiers := at(state, node)
	if owner != side+1 {
		soldiers = 0
	}
	n, links := divide(soldiers).n, len(e.m.next[node])
	if e.presentation == NodeAsAgent {
		return e.all[n][links]
	}
	if lot >= n {
		return e.steps[0]
	}
	return e.steps[links]
}

// Offers is engine.Engine.Offers.
func (e *Engine) Offers(i, side int, prefix []uint32, dst []uint32) []uint32 {
	if len(prefix) == e.dims() {
		return dst
	}
	return append(dst, e.values(e.lanes[i].state, side, len(prefix))...)
}

// Space is engine.Spacer.Space.
func (e *Engine) Space(i, side int) engine.Space {
	s := engine.Space{Null: make([]uint32, e.dims())}
	for d := range e.dims() {
		s.Values = append(s.Values, e.values(e.lanes[i].state, side, d))
	}
	return s
}
