package ground_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/invariant"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/prover"
	"semisplit/reasoner/split"
)

// walker compares a net with the prover along random matches.
type walker struct {
	net    *propnet.Net
	oracle *prover.Machine
	engine *prover.Engine
	random *rand.Rand
	fluent map[string]int
	until  time.Time // when to stop; zero: never
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
		if !w.until.IsZero() && time.Now().After(w.until) {
			return nil
		}
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
	if err := w.oneHot(fluents); err != nil {
		return end, nil, err
	}
	in := propnet.Inputs{Fluents: fluents, Selected: make([]bool, w.net.Moves()), HasLegalMove: make([]bool, len(w.net.Roles))}
	paths := make([]map[string][]int, len(w.net.Roles))
	for r := range w.net.Roles {
		if paths[r], err = w.paths(in, r); err != nil {
			return end, nil, err
		}
		in.HasLegalMove[r] = len(paths[r]) > 0
	}
	value := w.net.EvalInputs(in)
	if value[w.net.Terminal] != end {
		return end, nil, fmt.Errorf("terminal: net %v, prover %v", value[w.net.Terminal], end)
	}
	var joint []uint32
	for r := range w.net.Roles {
		if err := w.goals(r, state, value); err != nil {
			return end, nil, err
		}
		offers := w.engine.Offers(0, r, nil, nil)
		var want []string
		for _, o := range offers {
			want = append(want, w.oracle.Move(r, []uint32{o}).String())
		}
		slices.Sort(want)
		if end {
			continue // an engine offers nothing in a terminal state
		}
		if err := diff("legal moves", slices.Sorted(maps.Keys(paths[r])), want); err != nil {
			return end, nil, err
		}
		if len(offers) == 0 {
			return true, nil, nil
		}
		pick := offers[w.random.IntN(len(offers))]
		joint = append(joint, pick)
		for _, i := range paths[r][w.oracle.Move(r, []uint32{pick}).String()] {
			in.Selected[i] = true
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
	value = w.net.EvalInputs(in)
	after := make([]bool, len(fluents))
	for i, n := range w.net.Next {
		after[i] = value[n]
	}
	return false, next, diff("next state", w.spellState(after), spell(w.oracle.Fluents(next)))
}

// paths completes all paths of a role: the semimoves of each, by the move.
func (w *walker) paths(in propnet.Inputs, role int) (map[string][]int, error) {
	first := 0
	for _, r := range w.net.Roles[:role] {
		for _, l := range r.Levels {
			first += len(l.Codes)
		}
	}
	out := map[string][]int{}
	var walk func(level, first int, codes []kif.Term, path []int) error
	walk = func(level, first int, codes []kif.Term, path []int) error {
		if level == len(w.net.Roles[role].Levels) {
			move := split.Overlay(codes...).String()
			if out[move] != nil {
				return fmt.Errorf("two paths of %s", move)
			}
			out[move] = slices.Clone(path)
			return nil
		}
		l := &w.net.Roles[role].Levels[level]
		value := w.net.EvalInputs(in)
		for i, o := range l.Offer {
			if !value[o] {
				continue
			}
			in.Selected[first+i] = true
			if err := walk(level+1, first+len(l.Codes), append(codes, w.net.Terms.KIF(l.Codes[i])), append(path, first+i)); err != nil {
				return err
			}
			in.Selected[first+i] = false
		}
		return nil
	}
	return out, walk(0, first, nil, nil)
}

// oneHot holds a state against what the net says of all states.
func (w *walker) oneHot(fluents []bool) error {
	for _, g := range w.net.OneHot {
		n := 0
		for _, m := range g.Members {
			if fluents[m-2] {
				n++
			}
		}
		if n > 1 || g.Exactly && n == 0 {
			return fmt.Errorf("%d of the fluents %v hold", n, g.Members)
		}
	}
	return nil
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

// orthodoxNet grounds the orthodox game: one level of moves for each role.
func orthodoxNet(ctx context.Context, p *gdl.Program, l ground.Limits) (*propnet.Net, error) {
	game, err := split.Orthodox(p)
	if err != nil {
		return nil, err
	}
	return ground.Ground(ctx, game, invariant.Prove(ctx, p), l)
}

// agree grounds rules and walks; it returns the orthodox net.
func agree(t *testing.T, src string, matches, limit int) *propnet.Net {
	t.Helper()
	p := read(t, src)
	net, err := orthodoxNet(context.Background(), p, ground.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, p, net, matches, limit, time.Time{})
	return net
}

func compare(t *testing.T, p *gdl.Program, net *propnet.Net, matches, limit int, until time.Time) {
	t.Helper()
	oracle, err := prover.New(p, prover.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := net.Check(); err != nil {
		t.Fatal(err)
	}
	w := newWalker(net, oracle, 7)
	w.until = until
	for m := range matches {
		if err := w.match(limit); err != nil {
			t.Fatalf("match %d: %s", m, strings.TrimSpace(err.Error()))
		}
	}
}

// agreePlans grounds a game by every plan, with and without invariants, and
// walks for at most the time that is given for each, if any.
func agreePlans(t *testing.T, src string, matches, limit int, most time.Duration) {
	t.Helper()
	p := read(t, src)
	known := invariant.Prove(context.Background(), p)
	plans, _ := split.Plans(context.Background(), p)
	for _, plan := range plans {
		t.Run(plan.Name, func(t *testing.T) {
			game, err := split.Rewrite(context.Background(), p, plan)
			if err != nil {
				t.Fatal(err)
			}
			for _, known := range [][]invariant.Invariant{known, nil} {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				net, err := ground.Ground(ctx, game, known, ground.Limits{})
				if errors.Is(err, ground.ErrLimit) || errors.Is(err, context.DeadlineExceeded) {
					t.Logf("not compared: %v", err)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				var until time.Time
				if most > 0 {
					until = time.Now().Add(most)
				}
				compare(t, p, net, matches, limit, until)
				if len(net.Ops) > 50_000 {
					break // once is long enough
				}
			}
		})
	}
}
