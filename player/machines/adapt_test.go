package machines

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/search"
	"semisplit/search/combinatorial"
	"semisplit/search/engine"
	"semisplit/search/final"
	"semisplit/search/mcts"
	"semisplit/search/proof"
	"semisplit/search/stats"
)

// machineFor is the last machine that an agent gets for a bundled game.
func machineFor(t *testing.T, a agent.Agent, game string) reasoner.Machine {
	t.Helper()
	g, err := games.Load(game)
	if err != nil {
		t.Fatal(err)
	}
	program, diagnostics := reasoner.Read(g.Rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	c, err := reasoner.CompileVariant(t.Context(), program, a.Variant(), reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := Adapt(t.Context(), a, c.Best(), program, reasoner.DefaultLimits, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Every preset plays: on the machine that it asks for, in its own design, it
// finds the move that wins at once, and a legal move in larger games: in the long
// run in three games, else in one of them in turn.
func TestPresetsPlay(t *testing.T) {
	for i, a := range agent.Presets() {
		if testing.Short() && i%10 != 1 || a.Algorithm.Name == agent.NameRandom || a.Minimax() { // no search, and one with tests of its own
			continue
		}
		for k, game := range []string{"tictactoe", "breakthrough", "nim"} {
			if k != i%3 && !testenv.Long() || a.Combinatorial() && game == "tictactoe" { // whose moves have one dimension
				continue
			}
			t.Run(a.Name+"/"+game, func(t *testing.T) {
				m := machineFor(t, a, game)
				if a.Algorithm.SimulationStrategy == agent.Orthodox && m.Plan() != string(agent.Orthodox) {
					t.Errorf("orthodox playouts with plan %s", m.Plan())
				}
				players := make([]*thinking, len(m.Roles()))
				for role := range players {
					players[role] = newThinking(t, m, a, role)
				}
				for range 3 {
					var joint []uint32
					for _, b := range players {
						joint = append(joint, b.choose(t, 300)...)
					}
					for _, b := range players {
						b.advance(t, joint)
					}
				}
			})
		}
	}
}

// thinking is a board with a tree, for one role.
type thinking struct {
	role  int
	board *board.Board
	tree  search.Algorithm
}

func newThinking(t *testing.T, m reasoner.Machine, a agent.Agent, role int) *thinking {
	t.Helper()
	b, err := board.New(m, 1, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	th := &thinking{role: role, board: b, tree: NewTree(m, a, 1)}
	if err := th.tree.SetRoot(b.State()); err != nil {
		t.Fatal(err)
	}
	return th
}

// choose is the move after some iterations, which must be legal.
func (th *thinking) choose(t *testing.T, iterations int) []uint32 {
	t.Helper()
	report, err := th.tree.Search(nil, search.Budget{Iterations: iterations})
	if err != nil {
		t.Fatal(err)
	}
	path, ok := th.tree.Best(th.role)
	legal := slices.ContainsFunc(th.board.Paths(th.role), func(l []uint32) bool { return slices.Equal(l, path) })
	if !ok || report.Iterations != iterations || !legal {
		t.Fatalf("role %d: best %v (%v) after %d iterations", th.role, path, ok, report.Iterations)
	}
	return path
}

func (th *thinking) advance(t *testing.T, joint []uint32) {
	t.Helper()
	if err := th.board.Moved(joint); err != nil {
		t.Fatal(err)
	}
	if !th.tree.Advance(joint) {
		if err := th.tree.SetRoot(th.board.State()); err != nil {
			t.Fatal(err)
		}
	}
}

// An agent that does not explore by dimensions takes each value once, and then the best.
func TestNoExplorationByDimensions(t *testing.T) {
	a, err := agent.Find("hierarchical")
	if err != nil {
		t.Fatal(err)
	}
	m, visits := machineFor(t, a, "nim"), map[float64]int{}
	for _, constant := range []float64{0, combinatorial.Plain} {
		a.Algorithm.Parameters.ExplorationConstant = constant
		th := newThinking(t, m, a, 0)
		th.choose(t, 20_000)
		for _, e := range th.tree.RootEdges(0) {
			visits[constant] = max(visits[constant], e.Visits)
		}
	}
	if visits[0] <= visits[combinatorial.Plain] {
		t.Errorf("%d visits of the best value, %d with exploration", visits[0], visits[combinatorial.Plain])
	}
}

// What an agent says is what its search does.
func TestSearchOptions(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	find := func(name string) agent.Agent {
		a, err := agent.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, c := range []struct {
		agent string
		want  func(o mcts.Options) bool
	}{
		{"semisplit", func(o mcts.Options) bool {
			return !o.Raw && !o.Whole && !o.Backup.RollUp && o.Mast.Kind == stats.None && o.Rave.Kind == stats.None && o.Final == final.Mean
		}},
		{"house", func(o mcts.Options) bool { return !o.Whole && o.Mast.Kind == stats.Context && o.Mast.Epsilon == 0.4 }},
		{"orthodox", func(o mcts.Options) bool { return o.Whole && o.Selection.Exploration == 0.4 && o.Final == final.Mean }},
		{"orthodox-mast-rave", func(o mcts.Options) bool {
			return o.Whole && o.Mast.Kind == stats.Join && o.Rave.Kind == stats.Join && o.Rave.Equivalence == 250 && o.Selection.Exploration == 0.2
		}},
		{"snodal-s-mod-mast", func(o mcts.Options) bool {
			return !o.Whole && o.Mast.Kind == stats.Split && o.Mast.Decay == stats.DecayMove && o.Mast.DecayFactor == 0.2
		}},
		{"snodal-o-mod", func(o mcts.Options) bool { return o.Divide != nil && o.Divide.Levels[0] == 2 }},
		{"rnodal-s-mod-mast", func(o mcts.Options) bool { return o.Backup.RollUp && o.Backup.MinSimulations == 1 }},
	} {
		a := find(c.agent)
		if o := searchOptions(a, machineFor(t, a, "breakthrough"), 1); !c.want(o) {
			t.Errorf("%s: %+v", c.agent, o)
		}
	}
}

// The parts of a divided move say which move it is.
func TestDivisionIsUnique(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	a, err := agent.Find("snodal-o-mod")
	if err != nil {
		t.Fatal(err)
	}
	m := machineFor(t, a, "breakthrough")
	d := searchOptions(a, m, 1).Divide
	e := m.NewEngine(1)
	for role := range m.Roles() {
		seen := map[string]uint32{}
		for move := range uint32(e.(engine.Steerer).Semimoves(role, 0)) {
			path := d.Path(role, move)
			if len(path) != d.Levels[role] {
				t.Fatalf("%v is divided into %v", m.Move(role, []uint32{move}), path)
			}
			key := fmt.Sprint(path)
			if other, ok := seen[key]; ok {
				t.Errorf("%v and %v are divided alike", m.Move(role, []uint32{move}), m.Move(role, []uint32{other}))
			}
			seen[key] = move
		}
	}
}

// The switch of an agent file reaches the search, which finds transpositions.
func TestTranspositions(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	for _, on := range []bool{false, true} {
		text := fmt.Sprintf(`{"algorithm": {"parameters": {"transpositions": %t}}}`, on)
		a, err := agent.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		th := newThinking(t, machineFor(t, a, "connectfour"), a, 0)
		report, err := th.tree.Search(nil, search.Budget{Iterations: 3000})
		if err != nil {
			t.Fatal(err)
		}
		if found := report.Transposed > report.Created/20; found != on {
			t.Errorf("transpositions %t: %d found in %d nodes", on, report.Transposed, report.Created)
		}
	}
}

// The keys of an agent file reach the search, which solves the end of a game.
func TestProofs(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	for _, c := range []struct {
		keys string
		want mcts.Options
	}{
		{`"solver": false`, mcts.Options{PN: proof.PN{Constant: 0.5, Contempt: 0.5}}},
		{`"solver": true`, mcts.Options{Solver: true, PN: proof.PN{Constant: 0.5, Contempt: 0.5}}},
		{`"pn": "FU", "contempt": 0`, mcts.Options{PN: proof.PN{Final: true, Select: true, Constant: 0.5}}},
		{`"pn": "S", "pn_draw_layer": true, "pn_constant": 0`, mcts.Options{PN: proof.PN{Solve: true, Draws: true, Contempt: 0.5}}},
	} {
		a, err := agent.Read(strings.NewReader(`{"algorithm": {"parameters": {` + c.keys + `}}}`))
		if err != nil {
			t.Fatal(err)
		}
		o := searchOptions(a, machineFor(t, a, "tictactoe"), 1)
		if o.Solver != c.want.Solver || o.PN != c.want.PN {
			t.Errorf("%s: solver %v, %+v", c.keys, o.Solver, o.PN)
		}
	}
	for _, keys := range []string{`"pn": "UF"`, `"pn": "fsu"`, `"pn": true`, `"solver": "yes"`, `"contempt": 1.5`, `"pn_constant": -1`} {
		if _, err := agent.Read(strings.NewReader(`{"algorithm": {"parameters": {` + keys + `}}}`)); err == nil {
			t.Errorf("%s was accepted", keys)
		}
	}
	a, err := agent.Read(strings.NewReader(`{"algorithm": {"parameters": {"solver": true, "transpositions": true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	th := newThinking(t, machineFor(t, a, "tictactoe"), a, 0)
	report, err := th.tree.Search(nil, search.Budget{Iterations: 50_000})
	if err != nil || report.Low[0] != 0.5 || report.High[0] != 0.5 {
		t.Errorf("%v: tic-tac-toe is worth %v to %v", err, report.Low, report.High)
	}
}

// An agent with implicit minimax backups plays with an evaluation of its own.
func TestImplicitMinimaxPlays(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	a := agent.Default()
	a.Algorithm.Parameters.ImplicitMinimax = 0.4
	program := gametest.Bundled(t, "tictactoe")
	m := lanesFor(t, program, "orthodox", a)
	e, ok := m.(equipped)
	if !ok || e.evaluation == nil || e.evaluation.Samples == 0 || len(e.evaluation.Features) == 0 {
		t.Fatalf("%+v", m)
	}
	th := newThinking(t, m, a, 0)
	for _, text := range []string{"(mark a 1) noop", "noop (mark b 3)", "(mark a 2) noop", "noop (mark c 3)"} {
		moves, err := kif.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		joint, err := th.board.Joint(moves)
		if err != nil {
			t.Fatal(err)
		}
		th.advance(t, joint)
	}
	if move := m.Move(0, th.choose(t, 2000)); move.String() != "(mark a 3)" {
		t.Error(move)
	}
}

// Alpha-beta learns on in idle time: afterwards states are worth something else than
// before, but not where the agent does without.
func TestLearnOn(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	e := evaluation.New(make([]float64, 2), make([]float32, 2*f.Bits), f.Names[:f.Bits])
	e.Source = evaluation.FromMatches
	for _, learns := range []bool{true, false} {
		a := agent.Default()
		a.Algorithm.Name, a.Algorithm.Parameters.LearnOn = agent.NameAlphaBeta, learns
		tree := NewTree(equipped{Machine: m, evaluation: e}, a, 1)
		changed := false
		for range 200 { // 64 matches have to end
			if err := tree.SetRoot(m.Initial()); err != nil {
				t.Fatal(err)
			}
			r, err := tree.Search(nil, search.Budget{Time: 100 * time.Millisecond, Idle: true})
			if err != nil {
				t.Fatal(err)
			}
			// A search that gets no processor says nothing of the root.
			if changed = changed || len(r.Value) > 0 && r.Value[0] != 0.5; changed || !learns {
				break
			}
		}
		if changed != learns {
			t.Errorf("learn_on %v: the value has changed: %v", learns, changed)
		}
	}
}
