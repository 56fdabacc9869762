// Package canonical tells descriptions apart by their rules alone: names of
// constants, relations and variables, and the order of rules and conditions do not
// matter, so that a scrambled description is the same game.
package canonical

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// ErrSymmetric: the description has so many names that could change places that
// they were not told apart within the limits.
var ErrSymmetric = errors.New("canonical: too many names look alike")

// Form is a description without its names. It does not change.
type Form struct {
	// Key is the same for descriptions of the same game, and differs for
	// others unless 64-bit hashes collide: 64 hexadecimal digits.
	Key string

	numbers map[string]int // by name, in the order of the canonical form
	names   []string       // by number
}

// Of finds the form of a program. It refines the colours of a graph of the rules
// (Weisfeiler and Leman 1968), and where names stay alike, singles out one of them
// (McKay, Practical Graph Isomorphism, 1981). Errors: ErrSymmetric, or the
// context's.
func Of(ctx context.Context, p *gdl.Program) (*Form, error) {
	g := newGraph(p)
	c := &coloring{graph: g, ctx: ctx, work: mostWork}
	colors, err := c.discrete(g.initial)
	if err != nil {
		return nil, err
	}
	f := &Form{numbers: make(map[string]int, len(g.symbols))}
	order := make([]int, len(g.symbols))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if colors[i] < colors[j] {
			return -1
		}
		return 1
	})
	for number, i := range order {
		name := p.Symbols.Name(g.symbols[i])
		f.numbers[name] = number
		f.names = append(f.names, name)
	}
	f.Key = key(colors)
	return f, nil
}

// key hashes all colours, whatever their order.
func key(colors []uint64) string {
	sorted := slices.Clone(colors)
	slices.Sort(sorted)
	text := make([]byte, 0, 8*len(sorted))
	for _, c := range sorted {
		text = binary.LittleEndian.AppendUint64(text, c)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Abstract replaces the names of a ground term by numbers. It is false for a term with
// a name that the rules do not have.
func (f *Form) Abstract(t kif.Term) (kif.Term, bool) {
	return replace(t, func(name string) (string, bool) {
		number, ok := f.numbers[name]
		return strconv.Itoa(number), ok
	})
}

// Concrete is the reverse of Abstract, with the names of this description.
func (f *Form) Concrete(t kif.Term) (kif.Term, bool) {
	return replace(t, func(name string) (string, bool) {
		number, err := strconv.Atoi(name)
		if err != nil || number < 0 || number >= len(f.names) {
			return "", false
		}
		return f.names[number], true
	})
}

func replace(t kif.Term, rename func(string) (string, bool)) (kif.Term, bool) {
	if !t.IsList() {
		name, ok := rename(t.Name)
		return kif.Symbol(name), ok
	}
	items := make([]kif.Term, len(t.Items))
	for i, item := range t.Items {
		var ok bool
		if items[i], ok = replace(item, rename); !ok {
			return kif.Term{}, false
		}
	}
	return kif.List(items...), true
}
