package split_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/prover"
	"semisplit/reasoner/split"
)

// probe answers questions about a split game with the prover for whole games:
// selections are fluents to it, and everything that is asked is a legal move
// of somebody.
type probe struct {
	t       rapid.TB
	game    *split.Game
	offers  []*view // by level
	after   *view   // (next f)
	result  *view   // terminal, (goal r v)
	movable []string
}

// view is a machine that answers one sort of question.
type view struct {
	m *prover.Machine
	e *prover.Engine
}

func newProbe(t rapid.TB, g *split.Game) *probe {
	p := &probe{t: t, game: g}
	levels := 0
	for i, r := range g.Roles {
		levels = max(levels, len(r.Levels))
		if r.HasLegalMove >= 0 {
			p.movable = append(p.movable, fmt.Sprintf("(movable# %d)", i))
		} else {
			p.movable = append(p.movable, "")
		}
	}
	for i := range levels {
		p.offers = append(p.offers, p.view(i, nil))
	}
	p.after = p.view(-1, []gdl.RelID{gdl.RelNext})
	p.result = p.view(-1, []gdl.RelID{gdl.RelTerminal, gdl.RelGoal})
	return p
}

// view makes the machine for the offers of a level, or for the relations.
func (p *probe) view(level int, relations []gdl.RelID) *view {
	src := p.game.Program
	prog := &gdl.Program{Symbols: src.Symbols.Clone(), Relations: slices.Clone(src.Relations), Roles: src.Roles}
	inputs := make(map[gdl.RelID]gdl.Term)
	sym := func(name string) gdl.Symbol { return prog.Symbols.Intern(name) }
	for i, r := range p.game.Roles {
		for j, l := range r.Levels {
			for k, c := range l.Choices {
				inputs[c.Select] = gdl.Term{Var: -1, Name: sym(fmt.Sprintf("sel#%d#%d#%d", i, j, k))}
				if j == level {
					p.answer(prog, i, fmt.Sprintf("offer#%d", k), c.Offer)
				}
			}
		}
		if r.HasLegalMove >= 0 {
			inputs[r.HasLegalMove] = gdl.Term{Var: -1, Name: sym("movable#"), Args: []gdl.Term{{Var: -1, Name: sym(fmt.Sprint(i))}}}
		}
	}
	for _, r := range prog.Roles {
		// nobody is ever stuck
		nothing := gdl.Term{Var: -1, Name: sym("nothing#")}
		prog.Rules = append(prog.Rules, gdl.Rule{Head: gdl.Atom{Rel: gdl.RelLegal, Args: []gdl.Term{r, nothing}}})
	}
	for _, rel := range relations {
		p.answer(prog, 0, fmt.Sprintf("answer#%d", rel), rel)
	}
	for _, r := range src.Rules {
		switch r.Head.Rel {
		case gdl.RelLegal:
			p.t.Fatal("a split game has rules for legal")
		case gdl.RelTerminal, gdl.RelGoal, gdl.RelNext:
			if !slices.Contains(relations, r.Head.Rel) {
				continue
			}
		}
		if _, ok := inputs[r.Head.Rel]; ok {
			p.t.Fatalf("an input has rules: %s", src.RuleKIF(&r))
		}
		r.Body = slices.Clone(r.Body)
		for i, l := range r.Body {
			if l.Rel == gdl.RelDoes || l.Rel == gdl.RelLegal {
				p.t.Fatalf("%s asks for %s", src.RuleKIF(&r), src.LiteralKIF(l, r.Vars))
			}
			if in, ok := inputs[l.Rel]; ok && l.Rel >= 0 {
				if len(l.Args) > 0 {
					in.Args = l.Args
				}
				r.Body[i].Atom = gdl.Atom{Rel: gdl.RelTrue, Args: []gdl.Term{in}}
			}
		}
		// terminal as a relation would end the game
		r.Head = p.rename(prog, r.Head)
		for i, l := range r.Body {
			r.Body[i].Atom = p.rename(prog, l.Atom)
		}
		prog.Rules = append(prog.Rules, r)
	}
	if err := gdl.Rebuild(prog, nil); err != nil {
		p.t.Fatal(err)
	}
	m, err := prover.New(prog, prover.Limits{})
	if err != nil {
		p.t.Fatal(err)
	}
	return &view{m, m.NewEngine(1)}
}

// rename moves terminal, next and goal to relations that mean nothing to the
// prover.
func (p *probe) rename(prog *gdl.Program, a gdl.Atom) gdl.Atom {
	if a.Rel == gdl.RelTerminal || a.Rel == gdl.RelGoal || a.Rel == gdl.RelNext {
		a.Rel = p.renamed(prog, a.Rel)
	}
	return a
}

func (p *probe) renamed(prog *gdl.Program, rel gdl.RelID) gdl.RelID {
	name := prog.Symbols.Intern(fmt.Sprintf("renamed#%d", rel))
	for i, r := range prog.Relations {
		if r.Name == name {
			return gdl.RelID(i)
		}
	}
	prog.Relations = append(prog.Relations, gdl.Relation{Name: name, Arity: prog.Relations[rel].Arity})
	return gdl.RelID(len(prog.Relations) - 1)
}

// answer adds a rule that makes the tuples of a relation legal moves.
func (p *probe) answer(prog *gdl.Program, role int, name string, rel gdl.RelID) {
	n := prog.Relations[rel].Arity
	var args []gdl.Term
	var vars []string
	for i := range n {
		args = append(args, gdl.Term{Var: int32(i)})
		vars = append(vars, fmt.Sprintf("?x%d", i))
	}
	move := gdl.Term{Var: -1, Name: prog.Symbols.Intern(name), Args: args}
	body := p.rename(prog, gdl.Atom{Rel: rel, Args: args})
	prog.Rules = append(prog.Rules, gdl.Rule{
		Head: gdl.Atom{Rel: gdl.RelLegal, Args: []gdl.Term{prog.Roles[role], move}},
		Body: []gdl.Literal{{Kind: gdl.Positive, Atom: body}},
		Vars: vars,
	})
}

// ask returns the answers for a role in a state with selections.
func (p *probe) ask(v *view, role int, fluents []kif.Term) []kif.Term {
	state, err := v.m.Encode(fluents)
	if err != nil {
		p.t.Fatal(err)
	}
	v.e.Load(0, state, nil)
	if _, err := v.e.Step(nil); err != nil {
		p.t.Fatal(err)
	}
	var out []kif.Term
	for _, k := range v.e.Offers(0, role, nil, nil) {
		if m := v.m.Move(role, []uint32{k}); m.Name != "nothing#" {
			out = append(out, m)
		}
	}
	return out
}

// step is one semimove of a path.
type step struct {
	code   kif.Term // the semimove
	fluent kif.Term // its selection
}

// paths lists all complete paths of a role, and how many prefixes die.
func (p *probe) paths(role int, fluents []kif.Term, prefix []step) (all [][]step, dead int) {
	level := len(prefix)
	if level == len(p.game.Roles[role].Levels) {
		return [][]step{slices.Clone(prefix)}, 0
	}
	with := slices.Clone(fluents)
	for _, s := range prefix {
		with = append(with, s.fluent)
	}
	for _, offer := range p.ask(p.offers[level], role, with) {
		k, args := 0, []kif.Term(nil)
		name := offer.Name
		if offer.IsList() {
			name, args = offer.Items[0].Name, offer.Items[1:]
		}
		if _, err := fmt.Sscanf(name, "offer#%d", &k); err != nil {
			p.t.Fatal(err)
		}
		c := p.game.Roles[role].Levels[level].Choices[k]
		s := step{code: p.spell(c.Code, args), fluent: kif.Symbol(fmt.Sprintf("sel#%d#%d#%d", role, level, k))}
		if len(args) > 0 {
			s.fluent = kif.List(slices.Concat([]kif.Term{s.fluent}, args)...)
		}
		more, d := p.paths(role, fluents, append(slices.Clone(prefix), s))
		if dead += d; len(more) == 0 && d == 0 {
			dead++
		}
		all = append(all, more...)
	}
	return all, dead
}

func (p *probe) spell(t gdl.Term, args []kif.Term) kif.Term {
	if t.Var >= 0 {
		return args[t.Var]
	}
	name := kif.Symbol(p.game.Program.Symbols.Name(t.Name))
	if t.Args == nil {
		return name
	}
	items := []kif.Term{name}
	for _, a := range t.Args {
		items = append(items, p.spell(a, args))
	}
	return kif.List(items...)
}

func (p *probe) move(path []step) kif.Term {
	var codes []kif.Term
	for _, s := range path {
		codes = append(codes, s.code)
	}
	return split.Overlay(codes...)
}

func texts(terms []kif.Term) []string {
	var out []string
	for _, t := range terms {
		out = append(out, t.String())
	}
	slices.Sort(out)
	return out
}

// compare walks through random matches and holds the split game against the
// prover in every state. It returns how many prefixes died, of how many paths.
func compare(t rapid.TB, p *gdl.Program, g *split.Game, matches, states int) (dead, paths int) {
	t.Helper()
	m, err := prover.New(p, prover.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	pr := newProbe(t, g)
	random := rand.New(rand.NewPCG(1, 2))
	e := m.NewEngine(1)
	for range matches {
		e.Load(0, m.Initial(), nil)
		for range states {
			ended, err := e.Step(nil)
			if err != nil {
				t.Fatal(err)
			}
			state := e.State(0, nil)
			fluents := m.Fluents(state)
			joint := make([]uint32, len(g.Roles))
			with := slices.Clone(fluents)
			over, stuck := ended[0]&1 == 1, false
			for r := range g.Roles {
				if over {
					break
				}
				legal := e.Offers(0, r, nil, nil)
				var want []kif.Term
				for _, k := range legal {
					want = append(want, m.Move(r, []uint32{k}))
				}
				found, d := pr.paths(r, fluents, nil)
				dead, paths = dead+d, paths+len(found)
				var got []kif.Term
				byMove := make(map[string][]step)
				for _, path := range found {
					mv := pr.move(path)
					got = append(got, mv)
					byMove[mv.String()] = path
				}
				if a, b := texts(got), texts(want); !slices.Equal(a, b) {
					t.Fatalf("role %d: moves\n%v\nwant\n%v\nin %v", r, a, b, texts(fluents))
				}
				if stuck = stuck || len(legal) == 0; stuck {
					continue // the others' moves are compared all the same
				}
				joint[r] = legal[random.IntN(len(legal))]
				for _, s := range byMove[m.Move(r, joint[r:r+1]).String()] {
					with = append(with, s.fluent)
				}
			}
			pr.compareResult(m, state, fluents, over)
			if over || stuck {
				break
			}
			e.Load(0, state, joint)
			if _, err := e.Step(nil); err != nil {
				t.Fatal(err)
			}
			next := m.Fluents(e.State(0, nil))
			e.Load(0, e.State(0, nil), nil)
			var got []string
			for _, a := range pr.ask(pr.after, 0, with) {
				if a := a.Items[1]; !isSelection(a) {
					got = append(got, a.String())
				}
			}
			slices.Sort(got)
			if want := texts(next); !slices.Equal(got, want) {
				t.Fatalf("next\n%v\nwant\n%v\nafter %v", got, want, texts(with))
			}
		}
	}
	return dead, paths
}

func isSelection(t kif.Term) bool {
	if t.IsList() {
		t = t.Items[0]
	}
	return strings.HasPrefix(t.Name, "sel#") || strings.HasPrefix(t.Name, "movable#")
}

// compareResult holds terminal and the goals against the prover's. HasLegalMove is
// what the offers say.
func (p *probe) compareResult(m *prover.Machine, state []uint64, fluents []kif.Term, terminal bool) {
	p.t.Helper()
	with := slices.Clone(fluents)
	for r, name := range p.movable {
		if name == "" {
			continue
		}
		if paths, _ := p.paths(r, fluents, nil); len(paths) > 0 {
			with = append(with, kif.List(kif.Symbol("movable#"), kif.Symbol(fmt.Sprint(r))))
		}
	}
	var got []string
	for _, a := range p.ask(p.result, 0, with) {
		// rules derive goals for others than roles, too
		if !a.IsList() || slices.ContainsFunc(m.Roles(), func(r kif.Term) bool { return r.String() == a.Items[1].String() }) {
			got = append(got, a.String())
		}
	}
	var want []string
	if terminal {
		want = append(want, fmt.Sprintf("answer#%d", gdl.RelTerminal))
	}
	for r, role := range m.Roles() {
		for _, v := range m.GoalValues(r, state) {
			want = append(want, fmt.Sprintf("(answer#%d %s %d)", gdl.RelGoal, role, v))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		p.t.Fatalf("result %v, want %v in %v", got, want, texts(fluents))
	}
}
