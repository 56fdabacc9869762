package split

import (
	"slices"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// shape is what codes of one form have in common: where their holes are.
type shape struct {
	kind shapeKind
	name gdl.Symbol // of a constant; functor of a compound
	args []shape    // of a compound
}

type shapeKind uint8

const (
	hole     shapeKind = iota
	value              // any ground term
	constant           // this constant only
	compound           // this functor, with arguments of these shapes
)

// shapeOf is the shape of a ground code: what has no hole inside is a value.
func shapeOf(store *gdl.Store, code gdl.TermID) shape {
	args := store.Args(code)
	if args == nil {
		if store.Symbols().Name(store.Functor(code)) == Hole {
			return shape{kind: hole}
		}
		return shape{kind: value}
	}
	s := shape{kind: compound, name: store.Functor(code)}
	whole := true
	for _, a := range args {
		sub := shapeOf(store, a)
		whole = whole && sub.kind == value
		s.args = append(s.args, sub)
	}
	if whole {
		return shape{kind: value}
	}
	return s
}

// patternOf is the shape of a choice's code: its variables are values.
func patternOf(symbols *gdl.Symbols, code gdl.Term) shape {
	switch {
	case code.Var >= 0:
		return shape{kind: value}
	case len(code.Args) > 0:
		s := shape{kind: compound, name: code.Name}
		for _, a := range code.Args {
			s.args = append(s.args, patternOf(symbols, a))
		}
		return s
	case symbols.Name(code.Name) == Hole:
		return shape{kind: hole}
	}
	return shape{kind: constant, name: code.Name}
}

func addShape(shapes []shape, s shape) []shape {
	if slices.ContainsFunc(shapes, s.equal) {
		return shapes
	}
	return append(shapes, s)
}

func (s shape) equal(o shape) bool {
	return s.kind == o.kind && s.name == o.name && slices.EqualFunc(s.args, o.args, shape.equal)
}

// isWhole says that the codes of a level have no holes.
func isWhole(shapes []shape) bool { return len(shapes) == 1 && shapes[0].kind == value }

// project writes a move with holes where the shape has them; false if the
// move is not of the shape. leaf counts the leaves of the move that were
// passed; those outside of holes are appended to covers.
func (s *shape) project(symbols *gdl.Symbols, move kif.Term, leaf *int, covers *[]int) (kif.Term, bool) {
	switch s.kind {
	case hole:
		*leaf += leaves(move)
		return kif.Symbol(Hole), true
	case value, constant:
		if s.kind == constant && !s.isConstant(symbols, move) {
			return kif.Term{}, false
		}
		for n := leaves(move); n > 0; n-- {
			*covers = append(*covers, *leaf)
			*leaf++
		}
		return move, true
	}
	if len(move.Items) != len(s.args)+1 || !s.named(symbols, move.Items[0]) {
		return kif.Term{}, false
	}
	items := make([]kif.Term, len(move.Items))
	items[0] = move.Items[0]
	for i := range s.args {
		sub, ok := s.args[i].project(symbols, move.Items[i+1], leaf, covers)
		if !ok {
			return kif.Term{}, false
		}
		items[i+1] = sub
	}
	return kif.List(items...), true
}

// isConstant tells whether a term is the constant of the shape: "(f)" reads
// as "f".
func (s *shape) isConstant(symbols *gdl.Symbols, t kif.Term) bool {
	if len(t.Items) == 1 {
		t = t.Items[0]
	}
	return s.named(symbols, t)
}

func (s *shape) named(symbols *gdl.Symbols, t kif.Term) bool {
	if !t.IsSymbol() {
		return false
	}
	name, ok := symbols.Lookup(t.Name)
	return ok && name == s.name
}
