package evaluation

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"semisplit/kif"
	"semisplit/player/evaluation/shapes"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// Features are what an evaluation may be learned of: each fluent, and for each
// the patterns that it is an instance of. A pattern leaves arguments open, and
// counts its instances; or it adds up how far along an argument is, where the
// rules put its symbols in order. Beside them are the shapes that fluents make together.
type Features struct {
	Bits     int       // of a state
	Names    []string  // of the fluents by bit, then of the patterns
	Patterns [][]Share // by bit: what the fluent adds to which features
	Closed   []uint8   // arguments that a feature does not leave open
	Shapes   *shapes.Set
}

// Share is what a fluent adds to a feature.
type Share struct {
	Feature int32 // from Features.Bits on
	Amount  float32
}

// Bounds on the patterns: fluents with more arguments only leave one argument
// open or all but one, and a game with too many patterns has none.
const (
	fewArguments = 4

	// Of a fluent with more than mostArguments no patterns are made.
	mostArguments = 60
	mostPatterns  = 200_000
)

// NewFeatures finds the features of a game from the fluents that its machine
// knows.
func NewFeatures(m reasoner.Machine, p *gdl.Program) *Features {
	words := len(m.Initial())
	f := &Features{Bits: 64 * words, Names: make([]string, 64*words), Patterns: make([][]Share, 64*words), Closed: make([]uint8, 64*words)}
	orders := orders(p)
	all := map[string]*instances{}
	fluents := Fluents(m)
	f.Shapes = shapesOf(m, fluents, orders)
	tooMany := false
	for bit, fluent := range fluents {
		if fluent.String() == "" {
			continue
		}
		f.Names[bit], f.Closed[bit] = fluent.String(), uint8(min(max(len(fluent.Items)-1, 0), MostClosed))
		if tooMany {
			continue
		}
		for _, pattern := range patternsOf(fluent, orders) {
			group := all[pattern.name]
			if group == nil {
				group = &instances{closed: pattern.closed}
				all[pattern.name] = group
			}
			group.fluents = append(group.fluents, Share{int32(bit), pattern.amount})
		}
		if tooMany = len(all) > mostPatterns; tooMany {
			clear(all)
		}
	}
	f.add(all)
	return f
}

// shapesOf finds the shapes of a game where its machine has a circuit.
func shapesOf(m reasoner.Machine, fluents []kif.Term, orders []map[string]float32) *shapes.Set {
	circuit, ok := m.(interface{ Net() *propnet.Net })
	if !ok {
		return &shapes.Set{}
	}
	places := make([]map[string]int, len(orders))
	for i, order := range orders {
		places[i] = map[string]int{}
		for name, part := range order {
			places[i][name] = int(math.Round(float64(part) * float64(len(order)-1)))
		}
	}
	return shapes.Find(circuit.Net(), fluents, places)
}

// Known is the number of fluents that have a meaning.
func (f *Features) Known() (n int) {
	for _, name := range f.Names[:f.Bits] {
		if name != "" {
			n++
		}
	}
	return n
}

// instances are the fluents of a pattern, as shares of themselves.
type instances struct {
	fluents []Share
	closed  uint8
}

// MostClosed bounds what is told apart of features with many arguments.
const MostClosed = 100

// add numbers the patterns that say more than a single fluent does.
func (f *Features) add(all map[string]*instances) {
	names := make([]string, 0, len(all))
	for name, group := range all {
		if len(group.fluents) > 1 {
			names = append(names, name)
		}
	}
	// Maps have no order, and equal games are to have equal evaluations. Of
	// patterns with the same fluents the one that leaves most open counts.
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(all[a].closed, all[b].closed), strings.Compare(a, b))
	})
	seen := map[string]bool{}
	for _, name := range names {
		key := fmt.Sprint(all[name].fluents)
		if seen[key] {
			continue
		}
		seen[key] = true
		number := int32(len(f.Names))
		f.Names, f.Closed = append(f.Names, name), append(f.Closed, all[name].closed)
		for _, s := range all[name].fluents {
			f.Patterns[s.Feature] = append(f.Patterns[s.Feature], Share{number, s.Amount})
		}
	}
}

// pattern is one that a fluent is an instance of.
type pattern struct {
	name   string
	amount float32
	closed uint8 // arguments that it does not leave open
}

// patternsOf lists the patterns of a fluent.
func patternsOf(t kif.Term, orders []map[string]float32) (list []pattern) {
	if len(t.Items) < 2 {
		return nil
	}
	arguments := make([]string, len(t.Items)-1)
	for i, item := range t.Items[1:] {
		arguments[i] = item.String()
	}
	spell := func(open int, along int, sign string) string {
		words := []string{t.Items[0].String()}
		for i, a := range arguments {
			switch {
			case i == along:
				a = sign
			case open>>i&1 != 0:
				a = "?"
			}
			words = append(words, a)
		}
		return "(" + strings.Join(words, " ") + ")"
	}
	n := len(arguments)
	for _, open := range openings(n) {
		closed := uint8(min(n-bits.OnesCount(uint(open)), MostClosed))
		list = append(list, pattern{spell(open, -1, ""), 1, closed})
		for i, a := range arguments {
			if open>>i&1 == 0 {
				continue
			}
			for number, order := range orders {
				if rank, ok := order[a]; ok {
					list = append(list, pattern{spell(open, i, "+"+strconv.Itoa(number+1)), rank, closed})
				}
			}
		}
	}
	return list
}

// openings are the sets of arguments, of n, that patterns leave open, as bits: any, or of many
// arguments one, all but one, and all.
func openings(n int) (sets []int) {
	all := 1<<n - 1
	switch {
	case n > mostArguments:
	case n > fewArguments:
		for i := range n {
			sets = append(sets, 1<<i, all&^(1<<i))
		}
		sets = append(sets, all)
		slices.Sort(sets)
	default:
		for open := 1; open <= all; open++ {
			sets = append(sets, open)
		}
	}
	return sets
}

// shortestOrder is the number of symbols that make an order.
const shortestOrder = 3

// orders finds the relations of the rules that put symbols in a row, such as
// (succ 1 2) (succ 2 3), and gives each symbol its place from 0 to 1.
func orders(p *gdl.Program) (list []map[string]float32) {
	seen := map[string]bool{}
	for _, r := range p.Relations {
		if r.Arity != 2 || r.Depends != 0 || len(r.Rules) < shortestOrder-1 {
			continue
		}
		next, last := map[gdl.Symbol]gdl.Symbol{}, map[gdl.Symbol]bool{}
		for _, number := range r.Rules {
			rule := &p.Rules[number]
			if len(rule.Body) > 0 || !isConstant(rule.Head.Args[0]) || !isConstant(rule.Head.Args[1]) {
				continue
			}
			next[rule.Head.Args[0].Name], last[rule.Head.Args[1].Name] = rule.Head.Args[1].Name, true
		}
		if len(next) < len(r.Rules) || len(last) < len(r.Rules) {
			continue // some rule is no fact, or a symbol has two neighbours
		}
		for first := range next {
			if last[first] {
				continue
			}
			row := []string{p.Symbols.Name(first)}
			for s, more := next[first]; more; s, more = next[s] {
				row = append(row, p.Symbols.Name(s))
			}
			if key := strings.Join(row, " "); len(row) >= shortestOrder && !seen[key] {
				seen[key] = true
				order := map[string]float32{}
				for i, name := range row {
					order[name] = float32(i) / float32(len(row)-1)
				}
				list = append(list, order)
			}
		}
	}
	slices.SortFunc(list, func(a, b map[string]float32) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return list
}

func isConstant(t gdl.Term) bool { return t.Var < 0 && len(t.Args) == 0 }
