package split

import (
	"slices"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// Paths translates between the moves of one role and paths of semimoves. It
// is not changed after it was made, so that any number of goroutines may use
// it, as long as nothing is added to the store.
type Paths struct {
	symbols *gdl.Symbols
	levels  [][]shape
	find    func(level int, code kif.Term) (uint32, bool)

	// Of NewPaths only.
	store *gdl.Store
	codes [][]gdl.TermID
}

// NewPaths is for a role whose semimoves are known: by level, the code of
// each of them. The store spells the codes; Hole stands in them for what
// other levels decide.
func NewPaths(store *gdl.Store, levels [][]gdl.TermID) *Paths {
	p := &Paths{symbols: store.Symbols(), store: store, codes: levels}
	number := make([]map[gdl.TermID]uint32, len(levels))
	for i, codes := range levels {
		number[i] = make(map[gdl.TermID]uint32, len(codes))
		var shapes []shape
		for k := len(codes) - 1; k >= 0; k-- {
			number[i][codes[k]] = uint32(k)
		}
		for _, c := range codes {
			shapes = addShape(shapes, shapeOf(store, c))
		}
		p.levels = append(p.levels, shapes)
	}
	p.find = func(level int, code kif.Term) (uint32, bool) {
		id, ok := store.Find(code)
		if !ok {
			return 0, false
		}
		k, ok := number[level][id]
		return k, ok
	}
	return p
}

// NewLazyPaths is for a role whose semimoves are numbered as they are met.
// find gives the number of a semimove by its level and code, or false for
// one that there cannot be; it is asked only for codes that match a choice
// of the level.
func NewLazyPaths(symbols *gdl.Symbols, levels []Level, find func(level int, code kif.Term) (uint32, bool)) *Paths {
	p := &Paths{symbols: symbols, find: find}
	for i := range levels {
		var shapes []shape
		for _, c := range levels[i].Choices {
			shapes = addShape(shapes, patternOf(symbols, c.Code))
		}
		p.levels = append(p.levels, shapes)
	}
	return p
}

// Move spells a path: its codes laid over each other. An incomplete path is
// spelled with holes. Only for NewPaths.
func (p *Paths) Move(path []uint32) kif.Term {
	if len(path) == 1 {
		return p.store.KIF(p.codes[0][path[0]])
	}
	codes := make([]kif.Term, len(path))
	for i, k := range path {
		codes[i] = p.store.KIF(p.codes[i][k])
	}
	return Overlay(codes...)
}

// Path is the path whose codes, laid over each other, are the move: of
// several the one that says the least twice. It is false if there is none.
func (p *Paths) Path(move kif.Term) ([]uint32, bool) {
	if len(p.levels) == 1 { // by far the most frequent: whole moves
		if isWhole(p.levels[0]) {
			if k, ok := p.find(0, move); ok {
				return []uint32{k}, true
			}
			return nil, false
		}
	}
	if hasHole(move) {
		if len(p.levels) > 1 {
			return nil, false // a code, not a move
		}
		return p.whole(move)
	}
	s := pathSearch{leaves: leaves(move), best: -1}
	for i := range p.levels {
		s.levels = append(s.levels, p.candidates(i, move, s.leaves))
		if len(s.levels[i]) == 0 {
			return nil, false
		}
	}
	if !s.findDue() {
		return nil, false
	}
	s.covered = make([]uint8, s.leaves)
	s.chosen = make([]uint32, len(p.levels))
	s.run(0, 0, 0)
	return s.path, s.best >= 0
}

// whole finds a move of one level whose text has the constant Hole in it.
func (p *Paths) whole(move kif.Term) ([]uint32, bool) {
	total := leaves(move)
	for i := range p.levels[0] {
		at, covers := 0, make([]int, 0, total)
		if code, ok := p.levels[0][i].project(p.symbols, move, &at, &covers); ok && kif.Equal(code, move) {
			if k, ok := p.find(0, move); ok {
				return []uint32{k}, true
			}
		}
	}
	return nil, false
}

// candidate is a semimove that agrees with a move.
type candidate struct {
	semimove uint32
	covers   []int // leaves of the move that its code spells
}

// candidates are the semimoves of a level that agree with a move.
func (p *Paths) candidates(level int, move kif.Term, total int) []candidate {
	var out []candidate
	for i := range p.levels[level] {
		covers := make([]int, 0, total)
		at := 0
		code, ok := p.levels[level][i].project(p.symbols, move, &at, &covers)
		if !ok {
			continue
		}
		if k, ok := p.find(level, code); ok {
			out = append(out, candidate{k, covers})
		}
	}
	return out
}

// pathSearch tries the candidates of all levels with each other.
type pathSearch struct {
	levels  [][]candidate
	due     [][]int // by level: leaves that no later one can spell
	leaves  int
	covered []uint8 // by leaf: how many codes spell it
	chosen  []uint32
	path    []uint32
	best    int // leaves that the path spells in all, -1 without a path
}

// findDue finds which leaves a level is the last to spell; false: there is one that none can.
func (s *pathSearch) findDue() bool {
	last := make([]int, s.leaves)
	for leaf := range last {
		last[leaf] = -1
	}
	for i, candidates := range s.levels {
		for _, c := range candidates {
			for _, leaf := range c.covers {
				last[leaf] = i
			}
		}
	}
	s.due = make([][]int, len(s.levels))
	for leaf, i := range last {
		if i < 0 {
			return false
		}
		s.due[i] = append(s.due[i], leaf)
	}
	return true
}

// run chooses from a level on; done leaves are spelled so far, in all spelled
// times.
func (s *pathSearch) run(level, done, spelled int) {
	if s.best >= 0 && spelled >= s.best {
		return
	}
	if level == len(s.levels) {
		if done == s.leaves {
			s.best, s.path = spelled, append(s.path[:0], s.chosen...)
		}
		return
	}
	for _, c := range s.levels[level] {
		fresh := 0
		for _, leaf := range c.covers {
			if s.covered[leaf] == 0 {
				fresh++
			}
			s.covered[leaf]++
		}
		s.chosen[level] = c.semimove
		if !slices.ContainsFunc(s.due[level], func(leaf int) bool { return s.covered[leaf] == 0 }) {
			s.run(level+1, done+fresh, spelled+len(c.covers))
		}
		for _, leaf := range c.covers {
			s.covered[leaf]--
		}
	}
}

// Overlay lays codes over each other: where one has a hole, what another has
// there.
func Overlay(codes ...kif.Term) kif.Term {
	out := kif.Symbol(Hole)
	for _, c := range codes {
		out = overlay(out, c)
	}
	return out
}

func overlay(a, b kif.Term) kif.Term {
	if isHole(a) {
		return b
	}
	if isHole(b) || !a.IsList() || !b.IsList() || len(a.Items) != len(b.Items) {
		return a
	}
	items := make([]kif.Term, len(a.Items))
	for i := range items {
		items[i] = overlay(a.Items[i], b.Items[i])
	}
	return kif.List(items...)
}

func isHole(t kif.Term) bool { return !t.IsList() && t.Name == Hole }

func hasHole(t kif.Term) bool {
	return isHole(t) || slices.ContainsFunc(t.Items, hasHole)
}

// leaves is the number of constants in a ground term, functors left out.
func leaves(t kif.Term) int {
	if len(t.Items) < 2 {
		return 1
	}
	n := 0
	for _, item := range t.Items[1:] {
		n += leaves(item)
	}
	return n
}
