package mcts

import (
	"math/bits"

	"semisplit/search/stats"
)

// mode is what a lane does in the next Step.
type mode uint8

const (
	idle      mode = iota
	expanding      // the engine looks at the last node of the path, whose trie must grow
	leaf           // the last joint move of the path is played, out of the tree
	joining        // the last joint move of the path of the lane that it follows is played
	rollout        // random moves
)

// lane is one position in flight. Its path holds a virtual visit on each of
// its nodes and edges, which also protects them from the sweep.
type lane struct {
	number int32
	mode   mode // set by flight.turnTo only
	nodes  []uint32
	edges  []uint32 // for each node but perhaps the last: a joint move, as edges
	left   int64    // Step in which the lane left the tree
	stalls int64    // Steps since then in which it did not move
	begun  int64    // Step after which the engine had played no joint move of this lane
	atNode bool     // the engine's lane is at the state of the last node

	// The last node has no virtual visit of this lane yet; see descent.enterNext.
	entering bool

	// Of the joint move that leaves the tree: nobody has played it before, so
	// it gets no node yet; and no more than one role had a choice.
	firstVisit, singleMover bool

	reference uint32 // table of the last node on the path that has one; see stats.NodeGrave

	winner int // at once in the state that left the tree, which has its node; see sight.go

	tookFrom uint32 // node from which the last joint moves were taken back
	took     int    // how many in this iteration, with the one that was not; see takeback.go

	// Carried between the tree and the engine, so that neither waits for the other.
	state []uint64  // to load, or reached by leaving
	joint []uint32  // to load
	goals []float64 // reached
	ahead []float64 // what a new node is worth by its moves; empty: not known; for a child evaluator

	crossed []uint32 // aliases on the path; see descend_transposed.go

	group group
}

// comesTo tells whether the last joint move of the path, of so many semimoves each, leads to
// a node that is on the path as well.
func (l *lane) comesTo(semimoves int) bool { return len(l.edges) < len(l.nodes)*semimoves }

// refer makes the node that a lane has come to the one whose statistics it goes by, if it has
// any.
func (l *lane) refer(s *stats.NodeGrave) {
	if !s.On() {
		return
	}
	if len(l.nodes) == 1 {
		l.reference = 0
	}
	if table := s.Table(l.nodes[len(l.nodes)-1]); table != 0 {
		l.reference = table
	}
}

// referBack is refer for a lane that has left the last node of its path.
func (l *lane) referBack(s *stats.NodeGrave) {
	if !s.On() {
		return
	}
	l.reference = 0
	for i := len(l.nodes) - 1; i >= 0 && l.reference == 0; i-- {
		l.reference = s.Table(l.nodes[i])
	}
}

// masks have a bit for each lane: most lanes play on in a Step, and are not looked at.
type masks struct {
	idle, singleStep, looking []uint64 // by mode; singleStep is expanding, leaf and joining, which last for one Step
	held                      []uint64 // loaded in the engine
	events                    []uint64 // that need attention after a Step
	ended                     []uint64 // whose state is terminal
	moved                     []uint64 // that played a joint move in the last Step
	sure                      []uint64 // whose goals are known by the evaluation
}

func newMasks(lanes int) (m masks) {
	for _, mask := range []*[]uint64{&m.idle, &m.singleStep, &m.looking, &m.held, &m.events, &m.ended, &m.moved, &m.sure} {
		*mask = make([]uint64, (lanes+63)/64)
	}
	return m
}

// turnTo moves the bits of a lane to those of a mode.
func (m *masks) turnTo(lane int32, next mode) {
	i, bit := lane/64, uint64(1)<<(lane%64)
	m.idle[i] &^= bit
	m.singleStep[i] &^= bit
	m.looking[i] &^= bit
	switch next {
	case idle:
		m.idle[i] |= bit
	case expanding:
		m.looking[i] |= bit
		m.singleStep[i] |= bit
	case leaf, joining:
		m.singleStep[i] |= bit
	}
}

func (m *masks) eventful() bool {
	for _, word := range m.events {
		if word != 0 {
			return true
		}
	}
	return false
}

// busy counts the lanes that are not idle, of so many.
func (m *masks) busy(lanes int) int {
	for _, word := range m.idle {
		lanes -= bits.OnesCount64(word)
	}
	return lanes
}
