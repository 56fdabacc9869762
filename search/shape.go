package search

import (
	"math/bits"
	"slices"
)

// shape is how the tree takes the moves of a role: in how many semimoves, and
// how these come from the engine's. The tree's own semimoves are called labels
// here: small numbers that name a choice after a prefix of such choices.
type shape struct {
	levels int // of the tree
	engine int // of the engine

	whole   *paths                     // all semimoves of a move at once; nil: as the engine
	divided func(move uint32) []uint32 // what a whole move of the engine is divided into; nil: as the engine
}

// Division splits the moves of an engine that takes them whole, for the tree
// alone: semisplit tree, orthodox playouts.
type Division struct {
	// Levels of each role, at least 1.
	Levels []int
	// Path is the move of a role as labels, one for each level. It is always
	// the same for the same move, and no two moves have the same path. Several
	// goroutines may ask at once; the labels are not changed.
	Path func(role int, move uint32) []uint32
}

// newShapes says how the tree takes the moves of an engine with these levels.
func newShapes(levels []int, o Options) []shape {
	shapes := make([]shape, len(levels))
	for r, n := range levels {
		s := shape{levels: n, engine: n}
		switch {
		case o.Whole && n > 1:
			s.levels, s.whole = 1, newPaths(n)
		case o.Divide != nil && n == 1:
			s.levels = max(o.Divide.Levels[r], 1)
			s.divided = func(move uint32) []uint32 { return o.Divide.Path(r, move) }
		}
		shapes[r] = s
	}
	return shapes
}

func levelsOf(shapes []shape) []int {
	levels := make([]int, len(shapes))
	for r := range shapes {
		levels[r] = shapes[r].levels
	}
	return levels
}

// engineLevels are those of the engine.
func engineLevels(shapes []shape) []int {
	levels := make([]int, len(shapes))
	for r := range shapes {
		levels[r] = shapes[r].engine
	}
	return levels
}

// wantOffers marks a lane whose first offers the tree needs.
func (w *worker) wantOffers(l *lane) { w.unread[l.number/64] |= 1 << (l.number % 64) }

// readOffers reads what the marked lanes offer: whole moves for all lanes
// together, if the engine can.
func (w *worker) readOffers() {
	marked := false
	for i, word := range w.unread {
		marked = marked || word != 0
		for ; word != 0; word &= word - 1 {
			number := i*64 + bits.TrailingZeros64(word)
			offers := w.lanes[number].offers
			for r := range offers {
				if offers[r] = offers[r][:0]; w.lists == nil || w.t.shapes[r].whole == nil {
					offers[r] = w.look(number, r, offers[r])
				}
			}
		}
	}
	if !marked {
		return
	}
	for r := range w.t.shapes {
		if w.lists != nil && w.t.shapes[r].whole != nil {
			w.lists.Paths(w.unread, r, func(lane int, path []uint32) {
				of := &w.lanes[lane].offers[r]
				*of = append(*of, path...)
			})
		}
	}
	if w.moveEvaluator != nil {
		w.countFirsts()
	}
	clear(w.unread)
}

// countFirsts counts what the marked lanes offer at first, once that is read.
func (w *worker) countFirsts() {
	for i, word := range w.unread {
		for ; word != 0; word &= word - 1 {
			l := &w.lanes[i*64+bits.TrailingZeros64(word)]
			for r := range l.offers {
				l.moves[r] = w.firsts(l, r)
			}
		}
	}
}

// look reads what a lane offers a role at first. Where the tree takes moves
// whole, that is every legal move, one path after the other.
func (w *worker) look(lane, r int, dst []uint32) []uint32 {
	s := &w.t.shapes[r]
	if s.whole == nil {
		return w.engine.Offers(lane, r, nil, dst)
	}
	w.walk = w.walk[:0]
	return w.walkPaths(lane, r, s.engine, dst)
}

// walkPaths appends the complete paths that go on from w.walk.
func (w *worker) walkPaths(lane, r, left int, dst []uint32) []uint32 {
	if left == 0 {
		return append(dst, w.walk...)
	}
	from := len(w.walked)
	w.walked = w.engine.Offers(lane, r, w.walk, w.walked)
	for i := from; i < len(w.walked); i++ {
		w.walk = append(w.walk, w.walked[i])
		dst = w.walkPaths(lane, r, left-1, dst)
		w.walk = w.walk[:len(w.walk)-1]
	}
	w.walked = w.walked[:from]
	return dst
}

// offersAfter writes the labels that a role may choose after w.prefix, in a
// lane that was looked at, to w.offers.
func (w *worker) offersAfter(lane, r int) {
	s := &w.t.shapes[r]
	first := w.lanes[lane].offers[r]
	w.offers = w.offers[:0]
	switch {
	case s.whole != nil:
		for ; len(first) >= s.engine; first = first[s.engine:] {
			w.offers = append(w.offers, s.whole.number(first[:s.engine]))
		}
	case s.divided != nil:
		w.divide(s, first)
	case len(w.prefix) == 0:
		w.offers = append(w.offers, first...)
	default:
		w.offers = w.engine.Offers(lane, r, w.prefix, w.offers)
	}
}

// divide finds what comes after w.prefix in the divided moves. At the last
// level the move itself is the label, for the engine will ask for it.
func (w *worker) divide(s *shape, moves []uint32) {
	depth := len(w.prefix)
	for _, move := range moves {
		path := s.divided(move)
		if !slices.Equal(path[:depth], w.prefix) {
			continue
		}
		if depth == s.levels-1 {
			w.offers = append(w.offers, move)
		} else if !slices.Contains(w.offers, path[depth]) {
			w.offers = append(w.offers, path[depth])
		}
	}
	slices.Sort(w.offers)
}

// appendPath appends the engine's semimoves for labels of a role.
func (s *shape) appendPath(dst, labels []uint32) []uint32 {
	switch {
	case s.whole != nil:
		return append(dst, s.whole.path(labels[0])...)
	case s.divided != nil:
		return append(dst, labels[len(labels)-1])
	}
	return append(dst, labels...)
}

// labels are those for a complete path of the engine; false if the tree has
// never met it.
func (s *shape) labels(path []uint32) ([]uint32, bool) {
	switch {
	case s.whole != nil:
		n, ok := s.whole.find(path)
		return []uint32{n}, ok
	case s.divided != nil:
		labels := slices.Clone(s.divided(path[0]))
		labels[len(labels)-1] = path[0]
		return labels, true
	}
	return path, true
}

// paths numbers sequences of one length, in the order in which they come.
type paths struct {
	length int
	flat   []uint32 // one after the other
	table  []uint32 // hash table of numbers plus one; 0: empty
}

func newPaths(length int) *paths { return &paths{length: length, table: make([]uint32, 64)} }

func (p *paths) path(number uint32) []uint32 {
	i := int(number) * p.length
	return p.flat[i : i+p.length]
}

// place is where a path is in the table, or would be.
func (p *paths) place(path []uint32) int {
	h := uint64(len(path))
	for _, x := range path {
		h = (h ^ uint64(x)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	mask := len(p.table) - 1
	i := int(h) & mask
	for p.table[i] != 0 && !slices.Equal(p.path(p.table[i]-1), path) {
		i = (i + 1) & mask
	}
	return i
}

func (p *paths) find(path []uint32) (uint32, bool) {
	n := p.table[p.place(path)]
	return n - 1, n != 0
}

// number is that of a path, which is kept.
func (p *paths) number(path []uint32) uint32 {
	i := p.place(path)
	if p.table[i] != 0 {
		return p.table[i] - 1
	}
	n := uint32(len(p.flat) / p.length)
	p.flat = append(p.flat, path...)
	p.table[i] = n + 1
	if int(n)*2 >= len(p.table) {
		p.table = make([]uint32, 2*len(p.table))
		for k := range n + 1 {
			p.table[p.place(p.path(k))] = k + 1
		}
	}
	return n
}
