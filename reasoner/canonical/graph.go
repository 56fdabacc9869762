package canonical

import (
	"strings"

	"semisplit/reasoner/gdl"
)

// graph is a description as nodes and labelled edges. The first nodes are the
// symbols; then come rules, their atoms, compounds and variables. A constant is an
// edge to its symbol.
type graph struct {
	symbols []gdl.Symbol // by node
	initial []uint64     // colour by node
	edges   []edge
}

// edge leads from what holds something to what is held there.
type edge struct {
	from, to int32
	label    uint64 // the place
}

// Labels of edges; places of arguments come after them.
const (
	labelName uint64 = iota + 1
	labelHead
	labelVariable
	labelUnordered // an argument of distinct, and of its negation
	labelBody      // + the kind of the condition
	labelArgument  = 16
)

// Kinds of nodes, as colours.
const (
	colorSymbol uint64 = iota + 1
	colorRule
	colorAtom
	colorCompound
	colorVariable
	colorChance            // the name random: who plays it moves at random
	colorKeyword = 16      // + the relation
	colorNumber  = 1 << 32 // + the number
	colorArity   = 1 << 40 // times the arity
)

// builder makes a graph.
type builder struct {
	*graph
	program *gdl.Program
	nodes   map[gdl.Symbol]int32
	numbers bool // numbers stand for themselves everywhere
	goals   map[gdl.Symbol]bool
	vars    []int32 // node of each variable of the rule
}

func newGraph(p *gdl.Program) *graph {
	b := &builder{graph: new(graph), program: p, nodes: map[gdl.Symbol]int32{}, goals: map[gdl.Symbol]bool{}}
	b.findGoals()
	for _, r := range p.Rules {
		b.symbolsOf(r.Head)
		for _, l := range r.Body {
			b.symbolsOf(l.Atom)
		}
	}
	for _, r := range p.Rules {
		b.rule(&r)
	}
	return b.graph
}

// findGoals finds the names that mean a number: those that rules give as goals, and
// if a goal is a variable all numbers.
func (b *builder) findGoals() {
	for _, r := range b.program.Rules {
		if r.Head.Rel != gdl.RelGoal || len(r.Head.Args) != 2 {
			continue
		}
		if value := r.Head.Args[1]; value.Var >= 0 {
			b.numbers = true
		} else {
			b.goals[value.Name] = true
		}
	}
}

func (b *builder) symbolsOf(a gdl.Atom) {
	if a.Rel >= gdl.NumKeywordRelations {
		b.symbol(b.program.Relations[a.Rel].Name)
	}
	for _, t := range a.Args {
		b.symbolsIn(t)
	}
}

func (b *builder) symbolsIn(t gdl.Term) {
	if t.Var >= 0 {
		return
	}
	b.symbol(t.Name)
	for _, arg := range t.Args {
		b.symbolsIn(arg)
	}
}

// symbol gives a symbol its node.
func (b *builder) symbol(s gdl.Symbol) {
	if _, ok := b.nodes[s]; ok {
		return
	}
	color := colorSymbol
	if strings.EqualFold(b.program.Symbols.Name(s), "random") {
		color = colorChance
	}
	if number, ok := b.program.Symbols.Number(s); ok && (b.numbers || b.goals[s]) {
		color = uint64(colorNumber + number)
	}
	b.nodes[s] = b.node(color)
	b.symbols = append(b.symbols, s)
}

func (b *builder) node(color uint64) int32 {
	b.initial = append(b.initial, color)
	return int32(len(b.initial) - 1)
}

func (b *builder) edge(from, to int32, label uint64) {
	b.edges = append(b.edges, edge{from, to, label})
}

func (b *builder) rule(r *gdl.Rule) {
	node := b.node(colorRule)
	b.vars = b.vars[:0]
	for range r.Vars {
		b.vars = append(b.vars, b.node(colorVariable))
	}
	b.atom(r.Head, node, labelHead)
	for _, l := range r.Body {
		b.atom(l.Atom, node, labelBody+uint64(l.Kind))
	}
}

// atom adds an atom to the rule that holds it.
func (b *builder) atom(a gdl.Atom, rule int32, label uint64) {
	color := colorAtom + colorArity*uint64(len(a.Args))
	if a.Rel >= 0 && a.Rel < gdl.NumKeywordRelations {
		color += colorKeyword + uint64(a.Rel)
	}
	node := b.node(color)
	b.edge(rule, node, label)
	if a.Rel >= gdl.NumKeywordRelations {
		b.edge(node, b.nodes[b.program.Relations[a.Rel].Name], labelName)
	}
	for i, t := range a.Args {
		place := labelUnordered
		if a.Rel >= 0 {
			place = labelArgument + uint64(i)
		}
		b.term(t, node, place)
	}
}

func (b *builder) term(t gdl.Term, holder int32, place uint64) {
	switch {
	case t.Var >= 0:
		b.edge(holder, b.vars[t.Var], place)
	case len(t.Args) == 0:
		b.edge(holder, b.nodes[t.Name], place)
	default:
		node := b.node(colorCompound + colorArity*uint64(len(t.Args)))
		b.edge(holder, node, place)
		b.edge(node, b.nodes[t.Name], labelName)
		for i, arg := range t.Args {
			b.term(arg, node, labelArgument+uint64(i))
		}
	}
}
