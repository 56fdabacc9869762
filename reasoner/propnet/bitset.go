package propnet

import "math/bits"

// bitset is a set of nodes that is walked in rising or falling order.
type bitset []uint64

func newBitset(size int) bitset { return make(bitset, (size+63)/64) }

func (s bitset) add(n Node)      { s[n>>6] |= 1 << (n & 63) }
func (s bitset) remove(n Node)   { s[n>>6] &^= 1 << (n & 63) }
func (s bitset) has(n Node) bool { return s[n>>6]>>(n&63)&1 != 0 }
func (s bitset) clear()          { clear(s) }

// next is the lowest member from i on, or -1.
func (s bitset) next(i int) int {
	for w := i >> 6; w < len(s); w++ {
		word := s[w]
		if w == i>>6 {
			word &= ^uint64(0) << (i & 63)
		}
		if word != 0 {
			return w<<6 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// before is the highest member below i, or -1.
func (s bitset) before(i int) int {
	for w := (i - 1) >> 6; w >= 0; w-- {
		word := s[w]
		if k := i - w<<6; k < 64 {
			word &= 1<<k - 1
		}
		if word != 0 {
			return w<<6 + 63 - bits.LeadingZeros64(word)
		}
	}
	return -1
}

// fans lists the readers of each node.
type fans struct {
	first   []int32
	readers []Node
}

func newFans(d *draft) fans {
	f := fans{first: make([]int32, len(d.ops)+1)}
	for _, args := range d.args {
		for _, a := range args {
			f.first[a+1]++
		}
	}
	for i := range d.ops {
		f.first[i+1] += f.first[i]
	}
	f.readers = make([]Node, f.first[len(d.ops)])
	at := append([]int32(nil), f.first...)
	for i, args := range d.args {
		for _, a := range args {
			f.readers[at[a]] = Node(i)
			at[a]++
		}
	}
	return f
}

func (f fans) of(n Node) []Node { return f.readers[f.first[n]:f.first[n+1]] }
