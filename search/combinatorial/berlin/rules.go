package berlin

import "slices"

// A state is a word with the turn, and words with four nodes each: their owner in two bits
// (0: nobody, else one more than the side), their soldiers in fourteen; what comes beyond
// 16,383 is lost.
const (
	nodesInWord  = 4
	nodeBits     = 64 / nodesInWord
	ownerBits    = 2
	mostSoldiers = 1<<(nodeBits-ownerBits) - 1
)

// Initial is the state that a match begins with.
func (m *Map) Initial() []uint64 {
	state := make([]uint64, 1+(len(m.Nodes)+nodesInWord-1)/nodesInWord)
	for i, n := range m.Nodes {
		put(state, i, n.Owner, n.Soldiers)
	}
	return state
}

// at is the owner and the soldiers of a node.
func at(state []uint64, node int) (owner, soldiers int) {
	x := state[1+node/nodesInWord] >> (node % nodesInWord * nodeBits)
	return int(x & (1<<ownerBits - 1)), int(x >> ownerBits & mostSoldiers)
}

// put makes them others.
func put(state []uint64, node, owner, soldiers int) {
	x := uint64(owner) | uint64(min(soldiers, mostSoldiers))<<ownerBits
	shift := node % nodesInWord * nodeBits
	word := &state[1+node/nodesInWord]
	*word = *word&^((1<<nodeBits-1)<<shift) | x<<shift
}

// Over tells whether a match has ended: after its last turn, or when a side has neither
// nodes nor soldiers.
func (m *Map) Over(state []uint64) bool {
	if int(state[0]) >= m.Turns {
		return true
	}
	var alive [Sides + 1]bool
	for i := range m.Nodes {
		owner, _ := at(state, i)
		alive[owner] = true
	}
	return !alive[1] || !alive[2]
}

// Points are those of a side.
func (m *Map) Points(state []uint64, side int) (points int) {
	for i, n := range m.Nodes {
		if owner, _ := at(state, i); owner == side+1 {
			points += n.Points
		}
	}
	return points
}

// Goals are 1 for who has more points, 0 for the other, and a half for equals.
func (m *Map) Goals(state []uint64, dst []float64) {
	switch x, y := m.Points(state, 0), m.Points(state, 1); {
	case x > y:
		dst[0], dst[1] = 1, 0
	case x < y:
		dst[0], dst[1] = 0, 1
	default:
		dst[0], dst[1] = 0.5, 0.5
	}
}

// turn is the scratch of a turn.
type turn struct {
	armies [Sides][]int // by node
}

// Play is the state after a turn in which both sides follow their orders, by side and node;
// see Heuristic and Engine.Orders. It panics at orders that are none.
func (m *Map) Play(state []uint64, orders [Sides][]uint32) []uint64 {
	state = slices.Clone(state)
	m.play(state, orders, new(turn))
	return state
}

// play plays a turn, in place. An order is by side and node, see lots.go.
func (m *Map) play(state []uint64, orders [Sides][]uint32, t *turn) {
	for side := range t.armies {
		t.armies[side] = append(t.armies[side][:0], make([]int, len(m.Nodes))...)
		for i := range m.Nodes {
			owner, soldiers := at(state, i)
			if owner != side+1 {
				continue
			}
			stay, l := soldiers, divide(soldiers)
			for k, first, order := 0, 0, orders[side][i]; order > 0; order /= base {
				n := int(order % base)
				moved := l.size(first, first+n)
				t.armies[side][m.next[i][k]] += moved
				stay -= moved
				first += n
				k++
			}
			t.armies[side][i] += stay
		}
	}
	for i, n := range m.Nodes {
		owner, _ := at(state, i)
		x, y := t.armies[0][i], t.armies[1][i]
		switch {
		case x > y:
			owner = 1
		case y > x:
			owner = 2
		}
		soldiers := max(x-y, y-x)
		if owner > 0 {
			soldiers += n.Gift
		}
		put(state, i, owner, soldiers)
	}
	state[0]++
}
