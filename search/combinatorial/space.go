package combinatorial

import (
	"math"
	"math/bits"
	"slices"

	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/random"
)

// mostMoves is the number of moves up to which those of a role are listed, where an engine
// does not say what they are otherwise.
const mostMoves = 1 << 15

// space is an engine.Space with what a search asks of it. Within the package a move is the
// place of a value in each dimension, and a value has a number among those of all dimensions.
type space struct {
	values [][]uint32
	first  []int32 // number of the first value of each dimension; at last, of all values
	null   []int32 // place of the value without effect, by dimension; the first where there is none

	size uint64     // number of moves, or the largest number
	rows []int32    // all moves, one after the other; nil: every combination
	sets [][]uint64 // moves that have a value, by its number, as bits; nil: every combination
}

// newSpace is the space of what an engine says.
func newSpace(e engine.Space) *space {
	s := &space{values: e.Values, size: 1, null: make([]int32, len(e.Values)), first: make([]int32, 1, len(e.Values)+1)}
	for d, values := range e.Values {
		s.first = append(s.first, s.first[d]+int32(len(values)))
		if s.size > math.MaxUint64/max(1, uint64(len(values))) {
			s.size = math.MaxUint64
		} else {
			s.size *= uint64(len(values))
		}
		if e.Null != nil {
			if i, ok := slices.BinarySearch(values, e.Null[d]); ok {
				s.null[d] = int32(i)
			}
		}
	}
	if e.Moves != nil {
		s.list(e.Moves)
	}
	return s
}

// list makes the moves the only ones.
func (s *space) list(moves []uint32) {
	dims := len(s.values)
	n := len(moves) / dims
	if uint64(n) == s.size { // every combination
		return
	}
	s.size, s.rows = uint64(n), make([]int32, n*dims)
	words := (n + 63) / 64
	bitset := make([]uint64, words*int(s.first[dims]))
	s.sets = make([][]uint64, s.first[dims])
	for i := range s.sets {
		s.sets[i] = bitset[i*words : (i+1)*words]
	}
	for i, semimove := range moves {
		at, d := i/dims, i%dims
		v, _ := slices.BinarySearch(s.values[d], semimove)
		s.rows[i] = int32(v)
		s.sets[s.first[d]+int32(v)][at/64] |= 1 << (at % 64)
	}
}

// dims is the number of dimensions.
func (s *space) dims() int { return len(s.values) }

// path appends a move as the engine's semimoves.
func (s *space) path(move []int32, dst []uint32) []uint32 {
	for d, v := range move {
		dst = append(dst, s.values[d][v])
	}
	return dst
}

// listed makes a space of moves, one after the other.
func listed(moves []uint32, levels int) engine.Space {
	space := engine.Space{Values: make([][]uint32, levels), Moves: moves}
	for d := range levels {
		for i := d; i < len(moves); i += levels {
			space.Values[d] = append(space.Values[d], moves[i])
		}
		slices.Sort(space.Values[d])
		space.Values[d] = slices.Compact(space.Values[d])
	}
	return space
}

// walked appends the moves that go on from a prefix, up to mostMoves in all.
func walked(e engine.Engine, lane, role, levels int, prefix, moves []uint32) []uint32 {
	if len(prefix) == levels {
		return append(moves, prefix...)
	}
	for _, semimove := range e.Offers(lane, role, prefix, nil) {
		if len(moves) >= mostMoves*levels {
			break
		}
		moves = walked(e, lane, role, levels, append(prefix, semimove), moves)
	}
	return moves
}

// library keeps spaces that are met again and again, once.
type library map[uint64]*space

// mostKept is the number of spaces in a library.
const mostKept = 1 << 12

// of is the space of what an engine says, and whether it is a new one.
func (l library) of(e engine.Space) (s *space, fresh bool) {
	h := uint64(len(e.Moves))
	for _, values := range append(e.Values[:len(e.Values):len(e.Values)], e.Moves, e.Null) {
		h = listKey(h, values)
	}
	return l.get(h, func() engine.Space { return e })
}

// listed is the space of moves, one after the other, and whether it is a new one.
func (l library) listed(moves []uint32, levels int) (s *space, fresh bool) {
	return l.get(listKey(uint64(levels), moves), func() engine.Space { return listed(slices.Clone(moves), levels) })
}

// get is the space under a key, which is made if there is none.
func (l library) get(key uint64, space func() engine.Space) (s *space, fresh bool) {
	if s = l[key]; s != nil {
		return s, false
	}
	s = newSpace(space())
	if len(l) < mostKept {
		l[key] = s
	}
	return s, true
}

// bytes is what the spaces take, about.
func (l library) bytes() (n int64) {
	for _, s := range l {
		n += s.bytes()
	}
	return n
}

// listKey goes on with a key by a list.
func listKey(key uint64, list []uint32) uint64 {
	key = hashing.Of(key + uint64(len(list)))
	for _, x := range list {
		key = hashing.Of(key ^ uint64(x))
	}
	return key
}

// bytes is what a space takes, about.
func (s *space) bytes() int64 {
	n := int64(len(s.rows)) * 4
	for _, set := range s.sets {
		n += int64(len(set)) * 8
	}
	return n + int64(s.first[s.dims()])*8
}

// partial is a move of a space, of which some dimensions are still open.
type partial struct {
	space *space
	move  []int32 // place of the value by dimension; open: none yet
	left  int     // number of open dimensions
	mask  []uint64
	order []int32 // scratch
}

const open = -1

// begin starts with nothing but what cannot be otherwise.
func (p *partial) begin(s *space) {
	p.space, p.left = s, s.dims()
	p.move = p.move[:0]
	for range s.values {
		p.move = append(p.move, open)
	}
	if s.sets != nil {
		p.mask = slices.Grow(p.mask[:0], len(s.sets[0]))[:len(s.sets[0])]
		for i := range p.mask {
			p.mask[i] = math.MaxUint64
		}
		if tail := s.size % 64; tail != 0 {
			p.mask[len(p.mask)-1] = 1<<tail - 1
		}
	}
	for d, values := range s.values {
		if len(values) == 1 {
			p.move[d] = 0
			p.left--
		}
	}
}

// take gives an open dimension a value that it can have.
func (p *partial) take(d int, v int32) {
	p.move[d] = v
	p.left--
	if p.space.sets != nil {
		for i, x := range p.space.sets[p.space.first[d]+v] {
			p.mask[i] &= x
		}
	}
}

// can tells whether an open dimension can have a value, such that the others can be filled.
func (p *partial) can(d int, v int32) bool {
	if p.space.sets == nil {
		return true
	}
	for i, x := range p.space.sets[p.space.first[d]+v] {
		if p.mask[i]&x != 0 {
			return true
		}
	}
	return false
}

// row fills the open dimensions with those of a listed move, by its rank among the ones
// that are still possible.
func (p *partial) row(rank int) {
	for i, x := range p.mask {
		if n := bits.OnesCount64(x); rank >= n {
			rank -= n
			continue
		}
		for ; rank > 0; rank-- {
			x &= x - 1
		}
		at := i*64 + bits.TrailingZeros64(x)
		copy(p.move, p.space.rows[at*len(p.move):(at+1)*len(p.move)])
		p.left = 0
		return
	}
}

// fillRandom fills the open dimensions, each way alike.
func (p *partial) fillRandom(rng *random.Source) {
	if p.left == 0 {
		return
	}
	if p.space.sets != nil {
		n := 0
		for _, x := range p.mask {
			n += bits.OnesCount64(x)
		}
		p.row(int(rng.Below(uint32(n))))
		return
	}
	for d, v := range p.move {
		if v == open {
			p.move[d] = int32(rng.Below(uint32(len(p.space.values[d]))))
		}
	}
	p.left = 0
}

// fillBest fills the open dimensions with the best values that are possible, in a random
// order where they bind one another; worth tells of a value, by its number. Of equals a
// random one is taken.
func (p *partial) fillBest(rng *random.Source, worth func(d int, value int32) float64) {
	for _, d := range p.shuffled(rng) {
		p.takeBest(rng, int(d), worth)
	}
}

// takeBest gives an open dimension its best value.
func (p *partial) takeBest(rng *random.Source, d int, worth func(d int, value int32) float64) {
	best, most, ties := int32(open), math.Inf(-1), uint32(0)
	for v := range int32(len(p.space.values[d])) {
		if !p.can(d, v) {
			continue
		}
		switch w := worth(d, p.space.first[d]+v); {
		case w > most:
			best, most, ties = v, w, 1
		case w == most:
			if ties++; rng.Below(ties) == 0 {
				best = v
			}
		}
	}
	p.take(d, best)
}

// takeRandom gives an open dimension a value that is possible, each alike.
func (p *partial) takeRandom(rng *random.Source, d int) {
	p.takeBest(rng, d, func(int, int32) float64 { return 0 })
}

// shuffled has the open dimensions, in a random order.
func (p *partial) shuffled(rng *random.Source) []int32 {
	p.order = p.order[:0]
	for d, v := range p.move {
		if v == open {
			p.order = append(p.order, int32(d))
		}
	}
	for i := len(p.order) - 1; i > 0; i-- {
		j := rng.Below(uint32(i + 1))
		p.order[i], p.order[j] = p.order[j], p.order[i]
	}
	return p.order
}
