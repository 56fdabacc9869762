package ground_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/prover"
)

// walker compares a net with the prover along random matches.
type walker struct {
	net    *propnet.Net
	oracle *prover.Machine
	engine *prover.Engine
	random *rand.Rand
	fluent map[string]int
}

func newWalker(net *propnet.Net, oracle *prover.Machine, seed uint64) *walker {
	w := &walker{net: net, oracle: oracle, engine: oracle.NewEngine(seed), random: rand.New(rand.NewPCG(seed, 1)), fluent: map[string]int{}}
	for i, f := range net.Fluents {
		w.fluent[net.Terms.KIF(f).String()] = i
	}
	return w
}

func spell(terms []kif.Term) []string {
	var out []string
	for _, t := range terms {
		out = append(out, t.String())
	}
	slices.Sort(out)
	return out
}

// fluents turns the prover's state into the net's.
func (w *walker) fluents(state []uint64) ([]bool, error) {
	out := make([]bool, len(w.net.Fluents))
	for _, t := range w.oracle.Fluents(state) {
		i, ok := w.fluent[t.String()]
		if !ok {
			return nil, fmt.Errorf("the net has no fluent %s", t)
		}
		out[i] = true
	}
	return out, nil
}

func (w *walker) spellState(fluents []bool) []string {
	var out []string
	for i, on := range fluents {
		if on {
			out = append(out, w.net.Terms.KIF(w.net.Fluents[i]).String())
		}
	}
	slices.Sort(out)
	return out
}

func diff(what string, got, want []string) error {
	if slices.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("%s: net %v, prover %v", what, got, want)
}

// match plays one random match of at most limit steps.
func (w *walker) match(limit int) error {
	state := w.oracle.Initial()
	if got := w.spellState(w.net.Initial); true {
		if err := diff("initial state", got, spell(w.oracle.Fluents(state))); err != nil {
			return err
		}
	}
	for step := range limit {
		end, next, err := w.step(state)
		if err != nil {
			return fmt.Errorf("step %d: %w\nstate %v", step, err, spell(w.oracle.Fluents(state)))
		}
		if end {
			return nil
		}
		state = next
	}
	return nil
}

// step compares everything about a state and plays a random joint move.
func (w *walker) step(state []uint64) (end bool, next []uint64, err error) {
	w.engine.Load(0, state, nil)
	ended, err := w.engine.Step(nil)
	if err != nil {
		return true, nil, err
	}
	end = ended[0]&1 != 0
	fluents, err := w.fluents(state)
	if err != nil {
		return end, nil, err
	}
	value := w.net.Eval(fluents, nil)
	if value[w.net.Terminal] != end {
		return end, nil, fmt.Errorf("terminal: net %v, prover %v", value[w.net.Terminal], end)
	}
	var joint []uint32
	selected := make([]bool, 0, w.net.Moves())
	for r, role := range w.net.Roles {
		if err := w.goals(r, state, value); err != nil {
			return end, nil, err
		}
		offers := w.engine.Offers(0, r, nil, nil)
		var want, got []string
		for _, o := range offers {
			want = append(want, w.oracle.Move(r, []uint32{o}).String())
		}
		for i, o := range role.Levels[0].Offer {
			if value[o] {
				got = append(got, w.net.Terms.KIF(role.Levels[0].Codes[i]).String())
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if end {
			continue // an engine offers nothing in a terminal state
		}
		if err := diff("legal moves", got, want); err != nil {
			return end, nil, err
		}
		if len(offers) == 0 {
			return true, nil, nil
		}
		pick := offers[w.random.IntN(len(offers))]
		joint = append(joint, pick)
		move := w.oracle.Move(r, []uint32{pick}).String()
		for _, c := range role.Levels[0].Codes {
			selected = append(selected, w.net.Terms.KIF(c).String() == move)
		}
	}
	if end {
		return true, nil, nil
	}
	w.engine.Load(0, state, joint)
	if _, err := w.engine.Step(nil); err != nil {
		return true, nil, err
	}
	next = w.engine.State(0, nil)
	value = w.net.Eval(fluents, selected)
	after := make([]bool, len(fluents))
	for i, n := range w.net.Next {
		after[i] = value[n]
	}
	return false, next, diff("next state", w.spellState(after), spell(w.oracle.Fluents(next)))
}

func (w *walker) goals(role int, state []uint64, value []bool) error {
	var got []int
	for _, g := range w.net.Roles[role].Goals {
		if value[g.Node] {
			got = append(got, g.Value)
		}
	}
	slices.Sort(got)
	if want := w.oracle.GoalValues(role, state); !slices.Equal(got, want) {
		return fmt.Errorf("goals of role %d: net %v, prover %v", role, got, want)
	}
	return nil
}

// agree grounds rules and walks.
func agree(t *testing.T, src string, matches, limit int) *propnet.Net {
	t.Helper()
	p, diagnostics := gdl.Read(src)
	if p == nil {
		t.Fatal(diagnostics.Err())
	}
	oracle, err := prover.New(p, prover.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	net, err := ground.Ground(context.Background(), p, ground.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := net.Check(); err != nil {
		t.Fatal(err)
	}
	w := newWalker(net, oracle, 7)
	for m := range matches {
		if err := w.match(limit); err != nil {
			t.Fatalf("match %d: %s", m, strings.TrimSpace(err.Error()))
		}
	}
	return net
}
