package shapes

import "math/bits"

// Near is what a state comes to by the weights of entries and fluents, and what states
// that differ little from it do: only what differs is looked at. It belongs to one
// goroutine.
type Near struct {
	layout  *Layout
	roles   int
	table   []int64 // of an entry for a role: entry*roles + role
	weights []int64 // of a fluent for a role: bit*roles + role

	state   []uint64
	values  []int32 // by cell
	entries []int32 // by shape
	sums    []int64 // of state, by role

	touched []int32 // cells, scratch
	next    []int32 // by cell: its value in the state at hand, scratch
	noted   []bool  // by cell: it is one of touched, scratch
}

// NewNear goes by a layout and by weights, which are not copied.
func NewNear(l *Layout, roles int, table, weights []int64) *Near {
	return &Near{
		layout: l, roles: roles, table: table, weights: weights, sums: make([]int64, roles),
		values: make([]int32, len(l.Cells)), next: make([]int32, len(l.Cells)), noted: make([]bool, len(l.Cells)), entries: make([]int32, l.shapes),
	}
}

// From sets the state that others are near to.
func (n *Near) From(state []uint64) {
	n.state = append(n.state[:0], state...)
	n.layout.Read(state, n.values, n.entries)
	clear(n.sums)
	n.layout.Add(n.entries, n.roles, n.table, n.sums)
	AddFluents(state, n.roles, n.weights, n.sums)
}

// Sums is what a state comes to, by role.
func (n *Near) Sums(state []uint64, sums []int64) {
	copy(sums, n.sums)
	l := n.layout
	n.touched = n.touched[:0]
	for i, word := range state {
		for changed := word ^ n.state[i]; changed != 0; changed &= changed - 1 {
			at := bits.TrailingZeros64(changed)
			bit := i*64 + at
			c := l.cellOf[bit]
			if c >= 0 && !n.noted[c] {
				n.noted[c], n.next[c] = true, n.values[c]
				n.touched = append(n.touched, c)
			}
			sign := int64(word>>at&1)*2 - 1
			for r, w := range n.weights[bit*n.roles : (bit+1)*n.roles] {
				sums[r] += sign * w
			}
			if c >= 0 {
				n.next[c] += int32(sign) * l.value[bit]
			}
		}
	}
	for _, c := range n.touched {
		n.noted[c] = false
		n.next[c] = min(n.next[c], l.most[c]) - min(n.values[c], l.most[c])
		n.change(c, n.next[c], sums)
	}
	for _, c := range n.touched {
		for _, u := range l.near[c] {
			n.entries[u.shape] -= n.next[c] * u.stride
		}
	}
}

// change changes the value of a cell by so much.
func (n *Near) change(c, by int32, sums []int64) {
	if n.roles != 2 {
		for _, u := range n.layout.near[c] {
			before := int(n.entries[u.shape])
			after := before + int(by*u.stride)
			n.entries[u.shape] = int32(after)
			for r := range sums {
				sums[r] += n.table[after*n.roles+r] - n.table[before*n.roles+r]
			}
		}
		return
	}
	first, second := sums[0], sums[1]
	for _, u := range n.layout.near[c] {
		before := int(n.entries[u.shape])
		after := before + int(by*u.stride)
		n.entries[u.shape] = int32(after)
		x, y := n.table[after*2:][:2], n.table[before*2:][:2]
		first += x[0] - y[0]
		second += x[1] - y[1]
	}
	sums[0], sums[1] = first, second
}

// Add adds the weights of entries to sums, by role.
func (l *Layout) Add(entries []int32, roles int, table, sums []int64) {
	if roles != 2 {
		for _, e := range entries {
			for r, w := range table[int(e)*roles : (int(e)+1)*roles] {
				sums[r] += w
			}
		}
		return
	}
	first, second := sums[0], sums[1]
	for _, e := range entries {
		pair := table[int(e)*2:][:2]
		first += pair[0]
		second += pair[1]
	}
	sums[0], sums[1] = first, second
}

// AddFluents adds the weights of the fluents of a state to sums, by role: of the fluent
// with a bit for a role at bit*roles + role.
func AddFluents(state []uint64, roles int, weights, sums []int64) {
	if roles != 2 {
		for i, word := range state {
			for ; word != 0; word &= word - 1 {
				index := (i*64 + bits.TrailingZeros64(word)) * roles
				for r, w := range weights[index : index+roles] {
					sums[r] += w
				}
			}
		}
		return
	}
	first, second := sums[0], sums[1]
	for i, word := range state {
		of := weights[min(i*128, len(weights)):]
		for ; word != 0; word &= word - 1 {
			pair := of[bits.TrailingZeros64(word)*2:][:2]
			first += pair[0]
			second += pair[1]
		}
	}
	sums[0], sums[1] = first, second
}

// AddChanges adds to sums, by role, what a state comes to more than another one, by the
// weights of fluents as in AddFluents.
func AddChanges(from, state []uint64, roles int, weights, sums []int64) {
	for i, word := range state {
		for changed := word ^ from[i]; changed != 0; changed &= changed - 1 {
			at := bits.TrailingZeros64(changed)
			sign := int64(word>>at&1)*2 - 1
			index := (i*64 + at) * roles
			for r, w := range weights[index : index+roles] {
				sums[r] += sign * w
			}
		}
	}
}
