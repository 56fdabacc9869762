package prover

import (
	"errors"
	"fmt"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// layout is how the moves of a split game are chosen, as tables: the inputs
// of its rules are the first fluent tables of an engine, first those of the
// choices, then whether each role is movable.
type layout struct {
	roles   [][]span // by role and level: choices
	choices []choice // of all roles and levels, in order
	inputs  map[gdl.RelID]int32
	spaces  []int // by role: the space of its first level; those of the others follow
	last    int   // number of spaces
	movable []int // roles that have a HasLegalMove, in the order in which they are decided
	reach   []reach
}

type span struct{ from, to int32 }

// choice is one form of semimove.
type choice struct {
	role, level int
	offer       gdl.RelID
	arity       int
	code        gdl.Term
}

// reach says what the extension of a relation can depend on, directly or not.
type reach struct {
	state bool
	guess uint64 // bit r: on the HasLegalMove of role r (modulo 64)
	role  int    // on selections of this role up to level; none or several
	level int
}

// Values of reach.role that are no role.
const (
	none    = -1
	several = -2
)

func (a reach) join(b reach) reach {
	a.state = a.state || b.state
	a.guess |= b.guess
	switch {
	case b.role == none:
	case a.role == none:
		a.role, a.level = b.role, b.level
	case a.role != b.role:
		a.role, a.level = several, 0
	default:
		a.level = max(a.level, b.level)
	}
	return a
}

// newLayout makes the layout of a game and checks what the engine relies on.
func newLayout(g *split.Game) (*layout, error) {
	p := g.Program
	if len(g.Roles) != len(p.Roles) {
		return nil, fmt.Errorf("prover: %d roles are split, the program has %d", len(g.Roles), len(p.Roles))
	}
	lay := &layout{inputs: make(map[gdl.RelID]int32)}
	lay.last = numSpaces
	for r := range g.Roles {
		if err := lay.addRole(p, r, &g.Roles[r]); err != nil {
			return nil, err
		}
	}
	for r := range g.Roles {
		if rel := g.Roles[r].HasLegalMove; rel >= 0 {
			if err := lay.addInput(p, rel, 0, int32(len(lay.choices)+r)); err != nil {
				return nil, err
			}
		}
	}
	if err := grouped(p); err != nil {
		return nil, err
	}
	lay.spread(p)
	if err := lay.check(p); err != nil {
		return nil, err
	}
	return lay, lay.decide(g)
}

func (lay *layout) addRole(p *gdl.Program, r int, role *split.Role) error {
	if len(role.Levels) == 0 {
		return fmt.Errorf("prover: role %d has no level", r)
	}
	lay.spaces = append(lay.spaces, lay.last)
	lay.last += len(role.Levels)
	var spans []span
	for l := range role.Levels {
		from := int32(len(lay.choices))
		for _, c := range role.Levels[l].Choices {
			k := int32(len(lay.choices))
			arity := p.Relations[c.Offer].Arity
			if err := lay.addInput(p, c.Select, arity, k); err != nil {
				return err
			}
			args := make([]bool, arity)
			markTerm(c.Code, args)
			for i, seen := range args {
				if !seen {
					return fmt.Errorf("prover: role %d, level %d: the code of a semimove does not show argument %d", r, l, i)
				}
			}
			lay.choices = append(lay.choices, choice{role: r, level: l, offer: c.Offer, arity: arity, code: c.Code})
		}
		spans = append(spans, span{from, int32(len(lay.choices))})
	}
	lay.roles = append(lay.roles, spans)
	return nil
}

func (lay *layout) addInput(p *gdl.Program, rel gdl.RelID, arity int, table int32) error {
	r := &p.Relations[rel]
	if _, twice := lay.inputs[rel]; twice || len(r.Rules) > 0 || r.Arity != arity {
		return fmt.Errorf("prover: %s is no input of %d arguments", p.Symbols.Name(r.Name), arity)
	}
	lay.inputs[rel] = table
	return nil
}

// spread finds what every relation depends on.
func (lay *layout) spread(p *gdl.Program) {
	lay.reach = make([]reach, len(p.Relations))
	for rel := range lay.reach {
		lay.reach[rel] = reach{role: none}
	}
	lay.reach[gdl.RelTrue].state = true
	for rel, table := range lay.inputs {
		if n := int32(len(lay.choices)); table >= n {
			lay.reach[rel] = reach{state: true, guess: 1 << ((table - n) % 64), role: none}
		} else {
			c := &lay.choices[table]
			lay.reach[rel] = reach{role: c.role, level: c.level}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range p.Rules {
			head := p.Rules[i].Head.Rel
			sum := lay.reach[head]
			for _, l := range p.Rules[i].Body {
				if l.Rel >= 0 {
					sum = sum.join(lay.reach[l.Rel])
				}
			}
			if sum != lay.reach[head] {
				lay.reach[head] = sum
				changed = true
			}
		}
	}
}

// check holds what is asked at each moment against what is known then.
func (lay *layout) check(p *gdl.Program) error {
	asked := []gdl.RelID{gdl.RelInit, gdl.RelNext, gdl.RelTerminal, gdl.RelGoal}
	for i := range lay.choices {
		c := &lay.choices[i]
		if on := lay.reach[c.offer]; on.role != none && (on.role != c.role || on.level >= c.level) {
			return fmt.Errorf("prover: %s asks for semimoves that are chosen later", p.Symbols.Name(p.Relations[c.offer].Name))
		}
		asked = append(asked, c.offer)
	}
	for _, rel := range []gdl.RelID{gdl.RelInit, gdl.RelTerminal, gdl.RelGoal} {
		if lay.reach[rel].role != none {
			return fmt.Errorf("prover: %s asks for a semimove", p.Symbols.Name(p.Relations[rel].Name))
		}
	}
	used := reachable(p, asked...)
	if used[gdl.RelDoes] || used[gdl.RelLegal] {
		return errors.New("prover: rules of a split game ask for does or legal")
	}
	return nil
}

// decide orders the roles for which rules ask whether they can move: one
// whose offers depend on another's answer comes after it.
func (lay *layout) decide(g *split.Game) error {
	var open []int
	var undecided uint64
	for r := range g.Roles {
		if g.Roles[r].HasLegalMove >= 0 {
			open = append(open, r)
			undecided |= 1 << (r % 64)
		}
	}
	for len(open) > 0 {
		var later []int
		for _, r := range open {
			var needs uint64
			levels := lay.roles[r]
			for k := levels[0].from; k < levels[len(levels)-1].to; k++ {
				needs |= lay.reach[lay.choices[k].offer].guess
			}
			if needs&undecided != 0 {
				later = append(later, r)
			} else {
				lay.movable = append(lay.movable, r)
			}
		}
		if len(later) == len(open) {
			return errors.New("prover: whether a role can move depends on whether it can move")
		}
		undecided = 0
		for _, r := range later {
			undecided |= 1 << (r % 64)
		}
		open = later
	}
	return nil
}

// space is where the tables of a relation live.
func (lay *layout) space(rel gdl.RelID) int {
	switch on := lay.reach[rel]; {
	case on.role == several:
		return perMove
	case on.role != none:
		return lay.spaces[on.role] + on.level
	case on.guess != 0:
		return perGuess
	case on.state:
		return perState
	}
	return forever
}

// movableTable is the table of a role's HasLegalMove.
func (lay *layout) movableTable(role int) int { return len(lay.choices) + role }
