package evaluation

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"

	"semisplit/games"
	"semisplit/internal/strictjson"
	"semisplit/internal/words"
	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// File is an evaluation that somebody has written for a game: points
// that the fluents of a state bring each role. A role is worth the logistic
// function of Scale times its points less the mean of those of the others.
type File struct {
	Description string   `json:"description"`
	Scale       float64  `json:"scale"`
	Points      []Points `json:"points"`
}

// Points are what fluents bring a role.
type Points struct {
	Role string `json:"role"`
	// Fluent is a pattern in KIF. ? as an argument stands for anything, + for a
	// symbol that counts by its place in an order of the rules, from 0 on, - for
	// the same from the order's end.
	Fluent string `json:"fluent"`
	// Points of each fluent that fits, times the places of its + and -.
	Points float64 `json:"points"`
	// Furthest: of all fluents that fit only the one with the most places counts.
	Furthest bool `json:"furthest"`
}

// Bounds on a file.
const (
	mostBytes      = 1 << 20
	mostPoints     = 10_000
	longestPattern = 200  // bytes
	mostOdds       = 1000 // in the logarithm of the odds
)

// IsBundled tells whether a name is that of a bundled game with an evaluation, which comes
// before any file.
func IsBundled(name string) bool {
	_, ok := games.Evaluation(name)
	return ok
}

// Read reads an evaluation file: that of a bundled game by its name,
// else a path.
func Read(name string) (*File, error) {
	text, ok := games.Evaluation(name)
	if !ok {
		file, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("evaluation %s: no such file, and no bundled game with an evaluation (%s)", name, words.Or(games.Evaluations()))
		} else if err != nil {
			return nil, fmt.Errorf("evaluation: %w", err)
		}
		defer file.Close()
		if text, err = io.ReadAll(io.LimitReader(file, mostBytes+1)); err != nil {
			return nil, fmt.Errorf("evaluation %s: %w", name, err)
		}
	}
	e, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("evaluation %s: %w", name, err)
	}
	return e, nil
}

// Parse reads the text of an evaluation file and checks it.
func Parse(text []byte) (*File, error) {
	if len(text) > mostBytes {
		return nil, fmt.Errorf("longer than %d bytes", mostBytes)
	}
	e := &File{}
	if err := strictjson.Decode(text, e); err != nil {
		return nil, err
	}
	switch {
	case !(e.Scale > 0) || math.IsInf(e.Scale, 0):
		return nil, errors.New("scale must be above 0")
	case len(e.Points) == 0:
		return nil, errors.New("points is empty")
	case len(e.Points) > mostPoints:
		return nil, fmt.Errorf("more than %d entries of points", mostPoints)
	}
	for i, p := range e.Points {
		if _, err := p.pattern(); err != nil {
			return nil, fmt.Errorf("entry %d of points: %w", i+1, err)
		}
		if math.IsNaN(p.Points) || math.IsInf(p.Points, 0) || math.Abs(p.Points) > 1e6 {
			return nil, fmt.Errorf("entry %d of points: points must lie between -1000000 and 1000000", i+1)
		}
		if math.Abs(p.Points)*e.Scale > mostOdds {
			return nil, fmt.Errorf("entry %d of points: scale times points must lie between -%d and %d", i+1, mostOdds, mostOdds)
		}
	}
	return e, nil
}

func (p Points) pattern() (kif.Term, error) {
	if len(p.Fluent) > longestPattern {
		return kif.Term{}, fmt.Errorf("fluent is longer than %d bytes", longestPattern)
	}
	terms, err := kif.Parse(p.Fluent)
	if err != nil {
		return kif.Term{}, fmt.Errorf("fluent: %w", err)
	}
	if len(terms) != 1 {
		return kif.Term{}, fmt.Errorf("fluent: one term is wanted, not %d", len(terms))
	}
	return terms[0], nil
}

// furthest are fluents of which one with the largest amount counts, of those that
// hold.
type furthest struct {
	reaches []reach   // by falling amount
	weights []float32 // by role
}

// reach is the set of the fluents with the same amount, as bits of a state.
type reach struct {
	amount float32
	bits   []uint64
}

// Evaluation makes the evaluation for a machine of a game. An entry whose pattern
// fits no fluent of the game is an error.
func (e *File) Evaluation(m reasoner.Machine, p *gdl.Program) (*Evaluation, error) {
	roles := m.Roles()
	words := len(m.Initial())
	made := &Evaluation{
		roles: len(roles), bias: make([]float64, len(roles)), weights: make([]float32, 64*words*len(roles)), counts: make([]uint64, words),
	}
	fluents := Fluents(m)
	orders := orders(p)
	for i, points := range e.Points {
		role := slices.IndexFunc(roles, func(r kif.Term) bool { return r.String() == points.Role })
		if role < 0 {
			return nil, fmt.Errorf("entry %d of points: the game has no role %s", i+1, points.Role)
		}
		pattern, err := points.pattern()
		if err != nil {
			return nil, fmt.Errorf("entry %d of points: %w", i+1, err)
		}
		weights := make([]float32, len(roles))
		for r := range weights {
			weights[r] = float32(-e.Scale * points.Points / float64(max(len(roles)-1, 1)))
		}
		weights[role] = float32(e.Scale * points.Points)
		far := furthest{weights: weights}
		fits := false
		for bit, f := range fluents {
			amount, ok := fit(pattern, f, orders)
			if !ok {
				continue
			}
			if fits = true; points.Furthest {
				far.insert(bit, amount, words)
				continue
			}
			made.counts[bit/64] |= 1 << (bit % 64)
			for r, w := range weights {
				made.weights[bit*len(roles)+r] += amount * w
			}
		}
		if !fits {
			return nil, fmt.Errorf("entry %d of points: no fluent fits %s that an end, goal or move depends on", i+1, points.Fluent)
		}
		if points.Furthest {
			made.furthest = append(made.furthest, far)
		}
	}
	made.fix()
	return made, nil
}

// insert adds the fluent with a bit of states of so many words.
func (f *furthest) insert(bit int, amount float32, words int) {
	index := 0
	for index < len(f.reaches) && f.reaches[index].amount > amount {
		index++
	}
	if index == len(f.reaches) || f.reaches[index].amount != amount {
		f.reaches = slices.Insert(f.reaches, index, reach{amount, make([]uint64, words)})
	}
	f.reaches[index].bits[bit/64] |= 1 << (bit % 64)
}

// add adds what counts in a state to the sums of the roles.
func (f *furthest) add(state []uint64, sums []float64) {
	for i := range f.reaches {
		far, holds := &f.reaches[i], uint64(0)
		for k, bits := range far.bits {
			holds |= state[k] & bits
		}
		if holds != 0 {
			for r, w := range f.weights {
				sums[r] += float64(far.amount * w)
			}
			return
		}
	}
}

// Fluents are those of a machine by bit; those without a meaning, and spare ones, have
// no items and no name. A machine looks through all its fluents for each state, so
// they are asked for by the word, and by the bit only where some have no meaning.
func Fluents(m reasoner.Machine) []kif.Term {
	words := len(m.Initial())
	list := make([]kif.Term, 64*words)
	if m.Kind() != "lanes" { // the words of the prover's states are numbers
		return list
	}
	some := make([]uint64, words)
	spare := m.Spare()
	if spare == nil {
		spare = make([]uint64, words)
	}
	for w := range words {
		some[w] = ^spare[w]
		terms := m.Fluents(some)
		if len(terms) == 64 {
			copy(list[64*w:], terms)
		}
		for bit := 0; bit < 64 && len(terms) > 0 && len(terms) < 64; bit++ {
			some[w] = 1 << bit &^ spare[w]
			if one := m.Fluents(some); len(one) == 1 {
				list[64*w+bit] = one[0]
			}
		}
		some[w] = 0
	}
	return list
}

// fluentNames are the spellings of Fluents; empty without a meaning.
func fluentNames(m reasoner.Machine) []string {
	fluents := Fluents(m)
	names := make([]string, len(fluents))
	for bit, f := range fluents {
		names[bit] = f.String()
	}
	return names
}

// fit tells whether a fluent fits a pattern, and the product of its places.
func fit(pattern, fluent kif.Term, orders []map[string]float32) (amount float32, ok bool) {
	if len(pattern.Items) != len(fluent.Items) {
		return 0, false
	}
	amount = 1
	if len(pattern.Items) == 0 {
		return 1, pattern.String() == fluent.String() && fluent.String() != ""
	}
	for i, item := range pattern.Items {
		name := fluent.Items[i].String()
		switch sign := item.String(); {
		case i > 0 && sign == "?":
		case i > 0 && (sign == "+" || sign == "-"):
			index := slices.IndexFunc(orders, func(o map[string]float32) bool { _, ok := o[name]; return ok })
			if index < 0 {
				return 0, false
			}
			last := float32(len(orders[index]) - 1)
			place := orders[index][name] * last
			if sign == "-" {
				place = last - place
			}
			amount *= place
		case sign != name:
			return 0, false
		}
	}
	return amount, true
}
