package invariant

import (
	"slices"

	"semisplit/reasoner/gdl"
)

const (
	maxAllSteps      = 40_000_000 // terms looked at in all proofs of a game
	maxInitialFluent = 20_000
)

// knowledge is what all proofs about a game share.
type knowledge struct {
	p          *gdl.Program
	facts      *facts
	rules      [][]int32                   // by relation: its rules
	clauses    []gdl.Rule                  // the rules, positive conditions first
	local      [][]int32                   // by rule: the variables that only a negated literal mentions
	domain     map[fluentShape][]gdl.RelID // by position: the relation that holds an argument's values, or -1
	lemmas     map[lemmaKey]*lemmas
	hypotheses []candidate
	about      map[fluentShape][]int // the hypotheses with a pattern of that form
	spare      int                   // steps that proofs may fail with, beyond those that every proof has
	limit      int                   // steps of all proofs together
}

// exhausted tells whether the work for the whole game is used up.
func (k *knowledge) exhausted(steps int) bool { return steps > k.limit }

func (k *knowledge) rule(i int32) *gdl.Rule { return &k.clauses[i] }

// newKnowledge prepares the rules that next, legal and init rest on.
func newKnowledge(p *gdl.Program) *knowledge {
	k := &knowledge{
		p:       p,
		rules:   make([][]int32, len(p.Relations)),
		clauses: make([]gdl.Rule, len(p.Rules)),
		local:   make([][]int32, len(p.Rules)),
		about:   make(map[fluentShape][]int),
		limit:   maxAllSteps,
		spare:   maxSpareSteps,
	}
	needed := make([]bool, len(p.Relations))
	k.need(needed, gdl.RelRole)
	k.need(needed, gdl.RelInit)
	k.need(needed, gdl.RelNext)
	k.need(needed, gdl.RelLegal)
	k.facts = newFacts(p, needed)
	for i := range p.Rules {
		head := p.Rules[i].Head.Rel
		if !needed[head] || head == gdl.RelTrue || head == gdl.RelDoes {
			continue
		}
		k.rules[head] = append(k.rules[head], int32(i))
		k.clauses[i], k.local[i] = clause(&p.Rules[i])
	}
	return k
}

func (k *knowledge) need(needed []bool, rel gdl.RelID) {
	if needed[rel] {
		return
	}
	needed[rel] = true
	for _, i := range k.p.Relations[rel].Rules {
		for _, l := range k.p.Rules[i].Body {
			if l.Rel >= 0 {
				k.need(needed, l.Rel)
			}
		}
	}
}

// clause returns the rule with positive conditions first, and with variables
// of its own for each negated literal; local lists those.
func clause(rule *gdl.Rule) (out gdl.Rule, local []int32) {
	out = gdl.Rule{Head: rule.Head, Vars: slices.Clone(rule.Vars), Pos: rule.Pos}
	bound := make([]bool, len(rule.Vars))
	mark := func(v int32) { bound[v] = true }
	termVars(rule.Head.Args, mark)
	for _, l := range rule.Body {
		if l.Kind != gdl.Negative {
			termVars(l.Args, mark)
		}
		if l.Kind == gdl.Positive {
			out.Body = append(out.Body, l)
		}
	}
	for _, l := range rule.Body {
		if l.Kind == gdl.Positive {
			continue
		}
		if l.Kind == gdl.Negative {
			own := make(map[int32]int32)
			l.Args = renamed(l.Args, func(v int32) int32 {
				if bound[v] {
					return v
				}
				if _, ok := own[v]; !ok {
					own[v] = int32(len(out.Vars))
					local = append(local, own[v])
					out.Vars = append(out.Vars, rule.Vars[v])
				}
				return own[v]
			})
		}
		out.Body = append(out.Body, l)
	}
	return out, local
}

// renamed copies terms with other variables.
func renamed(terms []gdl.Term, to func(int32) int32) []gdl.Term {
	if terms == nil {
		return nil
	}
	out := make([]gdl.Term, len(terms))
	for i, t := range terms {
		if t.Var >= 0 {
			out[i] = gdl.Term{Var: to(t.Var)}
		} else {
			out[i] = gdl.Term{Var: -1, Name: t.Name, Args: renamed(t.Args, to)}
		}
	}
	return out
}

// candidate is an invariant that is to be proved.
type candidate struct {
	Invariant
	exact   bool   // exactly one such fluent holds: proved of itself, no other proof uses that
	assumed bool   // it is a hypothesis about the state in which a move is done
	proved  bool   // under the hypotheses in used
	used    []bool // by number of the candidate
}

// initialFluents are the fluents of the initial state; false if they cannot be
// told without a state.
func (k *knowledge) initialFluents() ([]gdl.Term, bool) {
	if len(k.rules[gdl.RelInit]) == 0 {
		return nil, true
	}
	table := k.facts.known[gdl.RelInit]
	if table == nil || table.count > maxInitialFluent {
		return nil, false
	}
	return table.terms, true
}

// fluentShape is a functor of fluents with its arity.
type fluentShape struct {
	functor gdl.Symbol
	arity   int
}

// lemmaKey names a relation, and for legal the functor of the move.
type lemmaKey struct {
	rel   gdl.RelID
	move  gdl.Symbol
	arity int // of the move; -1 for other relations
}

// lemmas are conditions whose variables below places stand for the arguments
// (for legal: the role and the move's arguments), and others for something, or
// for anything in a negated condition.
type lemmas struct {
	places   int
	vars     int
	flex     []int32 // variables of negated conditions
	literals []gdl.Literal
}
