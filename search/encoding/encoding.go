// Package encoding says how a tree takes moves: in how many semimoves, and how these come
// from those of the engine.
package encoding

import "slices"

// Moves is how the tree takes the moves of a role: in how many semimoves, and
// how these come from the engine's. The tree's own semimoves are called labels
// here: small numbers that name a choice after a prefix of such choices.
type Moves struct {
	Levels       int // of the tree
	EngineLevels int // of the engine

	Whole   *Paths                     // all semimoves of a move at once; nil: as the engine
	Divided func(move uint32) []uint32 // what a whole move of the engine is divided into; nil: as the engine
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

// New says how a tree takes the moves of an engine with these levels: whole,
// whatever the levels are; divided, where the engine takes them whole; or as the engine.
func New(levels []int, whole bool, divide *Division) []Moves {
	encodings := make([]Moves, len(levels))
	for r, n := range levels {
		s := Moves{Levels: n, EngineLevels: n}
		switch {
		case whole && n > 1:
			s.Levels, s.Whole = 1, NewPaths(n)
		case divide != nil && n == 1:
			s.Levels = max(divide.Levels[r], 1)
			s.Divided = func(move uint32) []uint32 { return divide.Path(r, move) }
		}
		encodings[r] = s
	}
	return encodings
}

// Levels are those of the tree, by role.
func Levels(encodings []Moves) []int {
	levels := make([]int, len(encodings))
	for r := range encodings {
		levels[r] = encodings[r].Levels
	}
	return levels
}

// EngineLevels are those of the engine.
func EngineLevels(encodings []Moves) []int {
	levels := make([]int, len(encodings))
	for r := range encodings {
		levels[r] = encodings[r].EngineLevels
	}
	return levels
}

// AppendPath appends the engine's semimoves for labels of a role.
func (s *Moves) AppendPath(dst, labels []uint32) []uint32 {
	switch {
	case s.Whole != nil:
		return append(dst, s.Whole.Path(labels[0])...)
	case s.Divided != nil:
		return append(dst, labels[len(labels)-1])
	}
	return append(dst, labels...)
}

// Labels are those for a complete path of the engine; false if the tree has
// never met it.
func (s *Moves) Labels(path []uint32) ([]uint32, bool) {
	switch {
	case s.Whole != nil:
		n, ok := s.Whole.Find(path)
		return []uint32{n}, ok
	case s.Divided != nil:
		labels := slices.Clone(s.Divided(path[0]))
		labels[len(labels)-1] = path[0]
		return labels, true
	}
	return path, true
}

// Finest is the number of levels in the finest way in which moves are split.
func (s *Moves) Finest() int { return max(s.Levels, s.EngineLevels) }

// AppendFinest appends the labels of an engine's path in the finest split.
func (s *Moves) AppendFinest(dst, path []uint32) []uint32 {
	if s.Divided != nil {
		return append(dst, s.Divided(path[0])...)
	}
	return append(dst, path...)
}

// AppendJoint appends the engine's joint move for the labels of all roles.
func AppendJoint(encodings []Moves, dst, labels []uint32) []uint32 {
	for r := range encodings {
		s := &encodings[r]
		dst, labels = s.AppendPath(dst, labels[:s.Levels]), labels[s.Levels:]
	}
	return dst
}
