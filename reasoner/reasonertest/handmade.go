package reasonertest

import (
	"strconv"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/prover"
	"semisplit/reasoner/split"
)

// Choice is one form of semimove of a game that is split by hand: the names
// of its Offer and of its Select, and its code, in which ?0, ?1 ... stand for
// the arguments of the offer.
type Choice [3]string

// HandmadeRole are the levels of a role, and the name of its HasLegalMove if there
// is one.
type HandmadeRole struct {
	Levels       [][]Choice
	HasLegalMove string
}

// Handmade makes a split game of rules that were split by hand. The rules
// have no legal. It fails the test if they cannot be read.
func Handmade(t testing.TB, rules string, roles ...HandmadeRole) *split.Game {
	t.Helper()
	p, diags := reasoner.Read(rules + "(legal nobody _)") // a description needs legal, and the hole a number
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	p.Relations[gdl.RelLegal].Rules = nil
	h := handmade{t, p}
	g := &split.Game{Program: p, Plan: &split.Plan{Name: "handmade"}}
	for _, r := range roles {
		role := split.Role{HasLegalMove: -1}
		if r.HasLegalMove != "" {
			role.HasLegalMove = h.relation(r.HasLegalMove, 0)
		}
		for _, choices := range r.Levels {
			var level split.Level
			for _, c := range choices {
				terms, err := kif.Parse(c[2])
				if err != nil || len(terms) != 1 {
					t.Fatalf("code %s: %v", c[2], err)
				}
				arity := 0
				code := h.code(terms[0], &arity)
				level.Choices = append(level.Choices, split.Choice{
					Offer: h.relation(c[0], arity), Select: h.relation(c[1], arity), Code: code,
				})
			}
			role.Levels = append(role.Levels, level)
		}
		g.Roles = append(g.Roles, role)
	}
	return g
}

type handmade struct {
	t testing.TB
	p *gdl.Program
}

// relation finds a relation, or adds one that no rule mentions.
func (h *handmade) relation(name string, arity int) gdl.RelID {
	symbol, group := h.p.Symbols.Intern(name), 0
	for id := range h.p.Relations {
		r := &h.p.Relations[id]
		if r.Name == symbol && r.Arity == arity {
			return gdl.RelID(id)
		}
		group = max(group, r.Group+1)
	}
	h.p.Relations = append(h.p.Relations, gdl.Relation{Name: symbol, Arity: arity, Group: group})
	return gdl.RelID(len(h.p.Relations) - 1)
}

func (h *handmade) code(t kif.Term, arity *int) gdl.Term {
	if t.IsVar() {
		n, err := strconv.Atoi(t.Name[1:])
		if err != nil {
			h.t.Fatalf("a code with the variable %s", t)
		}
		*arity = max(*arity, n+1)
		return gdl.Term{Var: int32(n)}
	}
	if !t.IsList() {
		return gdl.Term{Var: -1, Name: h.p.Symbols.Intern(t.Name)}
	}
	out := gdl.Term{Var: -1, Name: h.p.Symbols.Intern(t.Items[0].Name)}
	for _, item := range t.Items[1:] {
		out.Args = append(out.Args, h.code(item, arity))
	}
	return out
}

// SplitProver makes the machine that plays a split game straight from its
// rules.
func SplitProver(g *split.Game) (reasoner.Machine, error) {
	m, err := prover.NewSplit(g, prover.Limits{})
	if err != nil {
		return nil, err
	}
	return splitProver{m, g.Plan.Name}, nil
}

type splitProver struct {
	*prover.Machine
	plan string
}

func (m splitProver) Plan() string                          { return m.plan }
func (m splitProver) Lanes() int                            { return 1 }
func (m splitProver) Spare() []uint64                       { return nil }
func (m splitProver) Whole() reasoner.Machine               { return m }
func (m splitProver) NewSingle(seed uint64) reasoner.Engine { return m.Machine.NewEngine(seed) }
func (m splitProver) NewEngine(seed uint64) reasoner.Engine { return m.Machine.NewEngine(seed) }
