package ground

import (
	"context"
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/internal/graph"
	"semisplit/reasoner/split"
)

// ruleBase holds the relations of a game with their rules and atoms.
type ruleBase struct {
	*budget
	game      *split.Game
	program   *gdl.Program
	roles     []gdl.TermID
	relations []relation
	selects   []int32 // by relation: the selection that an offer makes possible, or -1
	isSelect  map[int32]bool
}

func newRuleBase(ctx context.Context, game *split.Game, l Limits) *ruleBase {
	b := &ruleBase{
		budget:   newBudget(ctx, gdl.NewStore(game.Program.Symbols), l),
		game:     game,
		program:  game.Program,
		isSelect: make(map[int32]bool),
	}
	for _, r := range game.Program.Roles {
		b.roles = append(b.roles, b.pattern(r).id)
	}
	b.selections()
	return b
}

// selections notes which relations are selected, and by which offers.
func (b *ruleBase) selections() {
	b.selects = slices.Repeat([]int32{-1}, len(b.program.Relations))
	for _, role := range b.game.Roles {
		for _, level := range role.Levels {
			for _, c := range level.Choices {
				b.selects[c.Offer] = int32(c.Select)
				b.isSelect[int32(c.Select)] = true
			}
		}
	}
}

// addRule files a rule under its head.
func (b *ruleBase) addRule(r *rule) {
	b.weigh(r)
	rel := &b.relations[r.head.rel]
	rel.rules = append(rel.rules, r)
}

// rootRelations lists the relations that are asked for from outside.
func (b *ruleBase) rootRelations() []int32 {
	out := []int32{int32(gdl.RelInit), int32(gdl.RelNext), int32(gdl.RelGoal), int32(gdl.RelTerminal)}
	for _, role := range b.game.Roles {
		for _, level := range role.Levels {
			for _, c := range level.Choices {
				out = append(out, int32(c.Offer))
			}
		}
	}
	return out
}

// Bounds of what the terms of rules may grow to when equalities are put in:
// patterns of one rule, and of all. Far more than a description can have.
const (
	maxRulePatterns = 1 << 16
	maxPatterns     = 1 << 24
)

// weigh counts the patterns of a rule that was made, and gives their number.
func (b *ruleBase) weigh(r *rule) (n int32) {
	for _, ls := range [][]literal{{r.head}, r.pos, r.neg, pairs(r)} {
		for i := range ls {
			for k := range ls[i].args {
				n += ls[i].args[k].nodes()
			}
			if n > maxRulePatterns {
				panic(unwind{fmt.Errorf("%w: a rule with terms of more than %d symbols", ErrLimit, maxRulePatterns)})
			}
		}
	}
	if b.patterns += int64(n); b.patterns > maxPatterns {
		panic(unwind{fmt.Errorf("%w: rules with terms of more than %d symbols", ErrLimit, maxPatterns)})
	}
	return n
}

// pattern converts a term of the program.
func (b *ruleBase) pattern(t gdl.Term) pattern {
	if t.Var >= 0 {
		return variable(t.Var)
	}
	args := make([]pattern, len(t.Args))
	for i, a := range t.Args {
		args[i] = b.pattern(a)
	}
	return compound(b.store, t.Name, args)
}

func (b *ruleBase) newRelation(rel relation) int32 {
	b.relations = append(b.relations, rel)
	b.atoms.rels = append(b.atoms.rels, extension{})
	return int32(len(b.relations) - 1)
}

// fact adds an atom of a static relation.
func (b *ruleBase) fact(rel int32, args []gdl.TermID) {
	a := b.atoms.add(rel, args)
	b.atoms.flags[a] |= always
	b.atoms.finish(b.store, a)
}

// group finds the recursive groups of relations, and which are dynamic.
func (b *ruleBase) group() {
	groups := 0
	c := graph.NewComponents(len(b.relations), func(r int32) []int32 { return b.relations[r].uses() }, func(members []int32) {
		dynamic, cyclic := false, len(members) > 1
		for _, m := range members {
			rel := &b.relations[m]
			rel.group = groups
			dynamic = dynamic || rel.input || rel.postponed
			for _, used := range rel.uses() {
				dynamic = dynamic || b.relations[used].dynamic
				cyclic = cyclic || used == m
			}
		}
		for _, m := range members {
			b.relations[m].dynamic, b.relations[m].cyclic = dynamic, cyclic
		}
		groups++
	})
	for r := range b.relations {
		c.Visit(int32(r))
	}
}
