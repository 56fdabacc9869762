package evaluation

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"semisplit/kif"
	"semisplit/player/evaluation/shapes"
	"semisplit/reasoner"
)

// Stored is an evaluation as it is kept between matches. Its roles and fluents are in
// names that whoever keeps it chooses.
type Stored struct {
	Source     Source         `json:"source"`
	Roles      []string       `json:"roles"`
	Bias       []float64      `json:"bias"`    // by role
	Fluents    []StoredFluent `json:"fluents"` // those with a weight
	Cells      []StoredCell   `json:"cells,omitempty"`
	Shapes     []StoredKind   `json:"shapes,omitempty"`
	Mobility   any            `json:"mobility,omitempty"` // of earlier programs: not used
	Quality    []Quality      `json:"quality"`            // by role
	VsRollouts *Comparison    `json:"vs_rollouts"`
	Samples    int            `json:"samples"`
	Matches    int            `json:"matches"`
}

// StoredFluent is what a fluent is worth to each role.
type StoredFluent struct {
	Fluent  string    `json:"fluent"`
	Weights []float32 `json:"weights"` // by role
}

// StoredCell is a cell of shapes: which fluents give it which value.
type StoredCell struct {
	Fluents []string `json:"fluents"`
	Values  []int32  `json:"values"` // by fluent
	States  int      `json:"states"` // values are below it
}

// StoredKind is a kind of shapes: what their cells hold together is worth.
type StoredKind struct {
	Family  string    `json:"family"`
	Shapes  [][]int32 `json:"shapes"`  // the numbers of the cells of each
	Weights []float32 `json:"weights"` // of an entry for a role: entry*roles + role
}

// Renaming tells the name that a ground term has elsewhere; false: none.
type Renaming func(kif.Term) (kif.Term, bool)

// Store is the evaluation of a machine in other names. An evaluation from a file is
// not stored: nil.
func (e *Evaluation) Store(m reasoner.Machine, rename Renaming) *Stored {
	if e.Source == "" || e.fluents == nil {
		return nil
	}
	s := &Stored{
		Source: e.Source, Bias: slices.Clone(e.bias), Quality: e.Quality, VsRollouts: e.VsRollouts, Samples: e.Samples, Matches: e.Matches,
	}
	for _, role := range m.Roles() {
		name, ok := rename(role)
		if !ok {
			return nil
		}
		s.Roles = append(s.Roles, name.String())
	}
	for bit, text := range e.fluents {
		weights := e.weights[bit*e.roles:][:e.roles]
		if text == "" || !slices.ContainsFunc(weights, func(w float32) bool { return w != 0 }) {
			continue
		}
		fluent, err := kif.ParseTerm(text)
		if err != nil {
			continue
		}
		if name, ok := rename(fluent); ok {
			s.Fluents = append(s.Fluents, StoredFluent{name.String(), slices.Clone(weights)})
		}
	}
	if e.layout != nil {
		e.storeShapes(s, rename)
	}
	return s
}

// storeShapes adds what shapes are worth.
func (e *Evaluation) storeShapes(s *Stored, rename Renaming) {
	for _, c := range e.layout.Cells {
		made := StoredCell{States: c.States}
		for k, bit := range c.Bits {
			fluent, err := kif.ParseTerm(e.fluents[bit])
			if err != nil {
				continue
			}
			if name, ok := rename(fluent); ok {
				made.Fluents, made.Values = append(made.Fluents, name.String()), append(made.Values, c.Values[k])
			}
		}
		s.Cells = append(s.Cells, made)
	}
	for k, kind := range e.layout.Kinds {
		first, n := e.layout.First(k), e.layout.States(k)
		s.Shapes = append(s.Shapes, StoredKind{kind.Family, kind.Shapes, slices.Clone(e.entries[first*e.roles : (first+n)*e.roles])})
	}
}

// ErrStored: what was stored is not an evaluation of this game.
var ErrStored = errors.New("evaluation: it is not one of this game")

// Evaluation is the stored evaluation for a machine, by the same names.
func (s *Stored) Evaluation(m reasoner.Machine, rename Renaming) (*Evaluation, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	roles := m.Roles()
	if len(roles) != len(s.Roles) {
		return nil, fmt.Errorf("%w: %d roles", ErrStored, len(s.Roles))
	}
	place := make([]int, len(roles)) // in what was stored
	for r, role := range roles {
		name, ok := rename(role)
		if place[r] = slices.Index(s.Roles, name.String()); !ok || place[r] < 0 {
			return nil, fmt.Errorf("%w: it has no role %s", ErrStored, role)
		}
	}
	stored := make(map[string][]float32, len(s.Fluents))
	for _, f := range s.Fluents {
		stored[f.Fluent] = f.Weights
	}
	fluents := Fluents(m)
	names := make([]string, len(fluents))
	e := &Evaluation{
		roles: len(roles), bias: permuted(s.Bias, place), weights: make([]float32, len(fluents)*len(roles)), fluents: names,
		Source: s.Source, Quality: permuted(s.Quality, place), VsRollouts: s.VsRollouts, Samples: s.Samples, Matches: s.Matches,
	}
	found, number := 0, map[string]int32{}
	for bit, fluent := range fluents {
		if names[bit] = fluent.String(); names[bit] == "" {
			continue
		}
		name, ok := rename(fluent)
		if ok {
			number[name.String()] = int32(bit)
		}
		if weights := stored[name.String()]; ok && weights != nil {
			copy(e.weights[bit*len(roles):], permuted(weights, place))
			found++
		}
	}
	if found < len(s.Fluents) {
		return nil, fmt.Errorf("%w: %d of %d fluents", ErrStored, found, len(s.Fluents))
	}
	if err := e.readShapes(s, number, place); err != nil {
		return nil, err
	}
	e.fix()
	e.Features = append(e.StrongFluents(roles), e.StrongShapes(roles, ToldShapes)...)
	SortWeights(e.Features, roles)
	return e, nil
}

// readShapes reads what shapes are worth. number is the bit of a fluent by its name.
func (e *Evaluation) readShapes(s *Stored, number map[string]int32, place []int) error {
	if len(s.Shapes) == 0 {
		return nil
	}
	var set shapes.Set
	for i, c := range s.Cells {
		made := shapes.Cell{Values: c.Values, States: c.States}
		for _, name := range c.Fluents {
			bit, ok := number[name]
			if !ok {
				return fmt.Errorf("%w: cell %d has the fluent %s", ErrStored, i, name)
			}
			made.Bits = append(made.Bits, bit)
		}
		set.Cells = append(set.Cells, made)
	}
	for i, k := range s.Shapes {
		set.Kinds = append(set.Kinds, shapes.Kind{Name: fmt.Sprintf("%s (%d)", k.Family, i+1), Family: k.Family, Shapes: k.Shapes})
	}
	var err error
	if e.layout, err = shapes.NewLayout(set, len(e.weights)/e.roles); err != nil {
		return fmt.Errorf("%w: %w", ErrStored, err)
	}
	for i, k := range s.Shapes {
		if len(k.Weights) != e.layout.States(i)*e.roles || len(k.Shapes) == 0 || slices.ContainsFunc(k.Weights, isHuge) {
			return fmt.Errorf("%w: the weights of shapes %d", ErrStored, i)
		}
		for weights := k.Weights; len(weights) > 0; weights = weights[e.roles:] {
			e.entries = append(e.entries, permuted(weights[:e.roles], place)...)
		}
	}
	return nil
}

// isHuge tells whether a weight is none that could have been learned.
func isHuge(w float32) bool { return !(math.Abs(float64(w)) < 1e6) }

// check refuses what no evaluation says.
func (s *Stored) check() error {
	switch {
	case s.Source != FromMatches && s.Source != FromTrees:
		return fmt.Errorf("%w: learned from %q", ErrStored, s.Source)
	case len(s.Bias) != len(s.Roles) || len(s.Quality) != len(s.Roles):
		return fmt.Errorf("%w: figures for other roles", ErrStored)
	case s.VsRollouts != nil && (len(s.VsRollouts.Evaluation) != len(s.Roles) || len(s.VsRollouts.Playouts) != len(s.Roles)),
		s.VsRollouts != nil && len(s.VsRollouts.Shares) > 0 && len(s.VsRollouts.Shares) != len(s.Roles):
		return fmt.Errorf("%w: figures for other roles", ErrStored)
	case s.VsRollouts != nil && slices.ContainsFunc(s.VsRollouts.Shares, func(share float64) bool { return !(share >= 0 && share <= 1) }):
		return fmt.Errorf("%w: a share that is none", ErrStored)
	case s.Samples < 0 || s.Matches < 0: // they say how much it weighs beside others
		return fmt.Errorf("%w: of less than no position", ErrStored)
	}
	for _, f := range s.Fluents {
		if len(f.Weights) != len(s.Roles) || slices.ContainsFunc(f.Weights, isHuge) {
			return fmt.Errorf("%w: the weights of %s", ErrStored, f.Fluent)
		}
	}
	return nil
}

func permuted[T any](list []T, place []int) []T {
	moved := make([]T, len(list))
	for i, old := range place {
		moved[i] = list[old]
	}
	return moved
}
