package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/local"
	"semisplit/player/referee"
	"semisplit/reasoner"
	"semisplit/search"
)

// planOf reads a spec with agents that play the same on every computer. (The
// prover would not: it numbers moves in the order in which it meets them.)
func planOf(t *testing.T, entries, settings, rest string) *Plan {
	t.Helper()
	agent := func(label string, iterations int) string {
		return fmt.Sprintf(`{"agent": "semisplit", "label": %q, "set": {"general.engine": "lanes", "general.lanes": 64,
			"algorithm.split_strategy": "orthodox", "algorithm.parameters.iterations": %d}}`, label, iterations)
	}
	text := fmt.Sprintf(`{"name": "test", "games": [%s], "settings": [%s], "seed": 5, %s
		"agents": [%s, %s], "baselines": [%s]}`, entries, settings, rest, agent("many", 20), agent("some", 6), agent("few", 2))
	spec, err := ReadSpec(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(spec, ".", games.Load)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const hundred = `{"kind": "iterations", "iterations": 100}`

func create(t *testing.T, path string) *Store {
	t.Helper()
	store, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() }) // some tests have closed it
	return store
}

// tables is the part of a report that does not depend on clocks.
func tables(t *testing.T, store *Store) string {
	t.Helper()
	sum, err := Summarize(store)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, table := range sum.Tables {
		table.markdown(&text, sum.SPRT, sum.Plays)
	}
	return text.String()
}

func mustRun(t *testing.T, p *Plan, store *Store, o Options) {
	t.Helper()
	if err := p.Run(t.Context(), store, o); err != nil {
		t.Fatal(err)
	}
}

// TestShow tells who looks on each state of each match, the last with its goals.
func TestShow(t *testing.T) {
	p := planOf(t, `"testdata/three.kif"`, hundred, `"plays": 4, "opening": 1,`)
	p.Spec.Parallel = 1
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	matches, steps := 0, 0
	mustRun(t, p, store, Options{Show: func(c *referee.Config, game games.Game, roles, players []string) func(error) {
		if len(roles) != 4 || len(players) != 4 || players[2] != "" || players[0] == "" || players[0] == roles[0] {
			t.Errorf("%v play %v", players, roles)
		}
		next := 0
		c.Observe = func(e referee.Event) {
			if e.Step != next || (len(e.Moves) == 4) != (next > 0) || len(e.State) == 0 || e.Terminal != (next == 2) || (len(e.Goals) == 4) != e.Terminal {
				t.Errorf("event %d: %+v", next, e)
			}
			next++
		}
		return func(err error) {
			matches++
			steps += next
			if err != nil {
				t.Error(err)
			}
		}
	}})
	plays, err := store.Plays()
	if err != nil {
		t.Fatal(err)
	}
	turns := 0
	for _, play := range plays {
		turns += play.Turns
	}
	if matches == 0 || steps != turns+matches {
		t.Errorf("%d states of %d matches with %d turns", steps, matches, turns)
	}
}

// TestResume stops a run after every single play, takes the database as it is
// at that moment, as if the process had been killed, and goes on with it.
func TestResume(t *testing.T) {
	p := planOf(t, `"tictactoe", "nim"`, hundred, `"plays": 3, "opening": 1,`)
	p.Spec.Parallel = 1
	whole := create(t, filepath.Join(t.TempDir(), "whole.db"))
	total := 0
	mustRun(t, p, whole, Options{Progress: func(at Progress) { total = at.Total }})
	want := tables(t, whole)
	if plays, err := whole.Plays(); err != nil || len(plays) != 16 || total != 16 {
		t.Fatalf("%d plays of %d, %v; three are four where a set has two", len(plays), total, err)
	}
	for stop := range total {
		if testing.Short() && stop%5 != 0 {
			continue
		}
		dir := t.TempDir()
		path, copied := filepath.Join(dir, "run.db"), filepath.Join(dir, "killed.db")
		store := create(t, path)
		ctx, cancel := context.WithCancel(t.Context())
		p.Spec.Parallel = 1 + stop%2
		err := p.Run(ctx, store, Options{Progress: func(at Progress) {
			if at.Done == stop {
				content, err := os.ReadFile(path)
				if err != nil {
					t.Error(err)
				}
				if err := os.WriteFile(copied, content, 0o666); err != nil {
					t.Error(err)
				}
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped after %d plays: %v", stop, err)
		}
		again := create(t, copied)
		first := true
		mustRun(t, p, again, Options{Progress: func(at Progress) {
			if first && (at.Done != stop || at.Total != total) {
				t.Errorf("goes on with %d of %d plays, want %d of %d", at.Done, at.Total, stop, total)
			}
			first = false
		}})
		if got := tables(t, again); got != want {
			t.Fatalf("after %d plays, stopped and gone on:\n%s\nin one go:\n%s", stop, got, want)
		}
	}
}

// TestStopNow ends a run in the middle of a play, which is given up.
func TestStopNow(t *testing.T) {
	p := planOf(t, `"tictactoe"`, `{"kind": "timed", "seconds": 3600}`, `"plays": 2,`)
	for _, list := range [][]Contender{p.Agents, p.Baselines} {
		for i := range list {
			list[i].Agent.Algorithm.Parameters.Iterations = int64(i) // different agents, without a bound
			if i == 0 {
				list[i].Agent.Algorithm.Parameters.Iterations = 0
			}
		}
	}
	p.Baselines[0].Agent.Algorithm.Parameters.ExplorationConstant = 0.3
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	r, err := newRunner(p, store, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	inner := r.newBrain
	r.newBrain = func(m reasoner.Machine, a agent.Agent, role int, seed uint64, stop *atomic.Bool) (local.Thinker, error) {
		defer cancel()
		return inner(m, a, role, seed, stop)
	}
	if err := r.run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if plays, err := store.Plays(); err != nil || len(plays) != 0 {
		t.Fatalf("%d plays, %v", len(plays), err)
	}
}

// TestPlayers: matches with three players and chance, and puzzles.
func TestPlayers(t *testing.T) {
	p := planOf(t, `"testdata/three.kif", "testdata/puzzle.kif"`, hundred, `"plays": 12,`)
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	mustRun(t, p, store, Options{})
	plays, err := store.Plays()
	if err != nil || len(plays) != 48 {
		t.Fatalf("%d plays, %v", len(plays), err)
	}
	for _, play := range plays {
		if play.Error != "" || play.Score != local.Share(play.AgentGoals, play.BaseGoals) {
			t.Errorf("%+v", play)
		}
		switch play.Game {
		case "three":
			if len(play.AgentGoals)+len(play.BaseGoals) != 3 || play.Turns != 2 || play.Seats[2] != '-' {
				t.Errorf("%+v", play)
			}
		case "puzzle":
			if len(play.AgentGoals) != 1 || len(play.BaseGoals) != 1 || play.Turns != 6 || play.Seats != "A/B" {
				t.Errorf("%+v", play)
			}
		}
	}
}

func TestSeatings(t *testing.T) {
	for n := 1; n <= 7; n++ {
		roles := slices.Concat([]string{"Random"}, slices.Repeat([]string{"player"}, n))
		var seats [8][2]int
		var spelled []string
		for _, play := range local.Seatings(roles) {
			for _, m := range play {
				spelled = append(spelled, m.String())
				if m[0] != local.Chance {
					t.Errorf("%v: chance is played by somebody", m)
				}
				for role, who := range m[1:] {
					seats[role][who]++
				}
			}
		}
		for role := range n {
			if seats[role][local.FirstSide] != seats[role][local.SecondSide] || seats[role] != seats[0] {
				t.Errorf("%d players: seat %d has %v plays of agent and baseline, seat 0 %v", n, role, seats[role], seats[0])
			}
		}
		if slices.Sort(spelled); len(slices.Compact(spelled)) != len(spelled) {
			t.Errorf("%d players: a seating comes twice: %v", n, spelled)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		agent, baseline []int
		want            float64
	}{
		{[]int{100}, []int{0}, 1}, {[]int{50}, []int{50}, 0.5}, {[]int{0}, []int{100}, 0},
		{[]int{100}, []int{100}, 0.5},             // both have won
		{[]int{60}, []int{50, 80}, 0.5},           // second of three
		{[]int{60, 0}, []int{50}, 0.5},            // first and last
		{[]int{100, 100}, []int{0, 100}, 3. / 4.}, // two draws, two wins
	} {
		if got := local.Share(c.agent, c.baseline); got != c.want {
			t.Errorf("%v against %v: %v, want %v", c.agent, c.baseline, got, c.want)
		}
		if got := local.Share(c.baseline, c.agent); got != 1-c.want {
			t.Errorf("the other way round %v", got)
		}
	}
}

// faulty plays at random until it is its turn to do what it must not.
type faulty struct {
	board  *board.Board
	role   int
	random *rand.Rand
	fault  func() (kif.Term, error) // nil: none
}

func (f *faulty) Advance(moves []kif.Term) error {
	return f.board.Play(moves)
}

func (f *faulty) Prepare(search.Budget) (search.Report, error) { return search.Report{}, nil }

func (f *faulty) Choose(search.Budget) (kif.Term, search.Report, error) {
	if f.fault != nil {
		move, err := f.fault()
		return move, search.Report{}, err
	}
	path, _ := f.board.Random(f.role, f.random)
	return f.board.Machine().Move(f.role, path), search.Report{}, nil
}

// with makes a run in which an agent is played by faulty brains.
func with(t *testing.T, p *Plan, store *Store, label string, fault func(seed uint64) func() (kif.Term, error)) *runner {
	t.Helper()
	r, err := newRunner(p, store, Options{})
	if err != nil {
		t.Fatal(err)
	}
	bad := byLabel(slices.Concat(p.Agents, p.Baselines))[label].Agent
	inner := r.newBrain
	r.newBrain = func(m reasoner.Machine, a agent.Agent, role int, seed uint64, stop *atomic.Bool) (local.Thinker, error) {
		if a.Algorithm.Parameters.Iterations != bad.Algorithm.Parameters.Iterations {
			return inner(m, a, role, seed, stop)
		}
		b, err := board.New(m, seed, stop)
		if err != nil {
			return nil, err
		}
		return &faulty{board: b, role: role, random: rand.New(rand.NewPCG(seed, 7)), fault: fault(seed)}, nil
	}
	return r
}

// TestFailures has one agent fail in every way. Its failures are kept, the
// other agent's plays are not touched, and a later run can make up for them.
func TestFailures(t *testing.T) {
	p := planOf(t, `"tictactoe"`, hundred, `"plays": 8,`)
	want := create(t, filepath.Join(t.TempDir(), "whole.db"))
	mustRun(t, p, want, Options{})

	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	var turn atomic.Int32
	r := with(t, p, store, "some", func(uint64) func() (kif.Term, error) {
		return func() (kif.Term, error) {
			switch turn.Add(1) % 4 {
			case 0:
				panic("lost my head")
			case 1:
				return kif.Symbol("resign"), nil
			case 2:
				return kif.Term{}, local.ErrNoMove
			}
			return kif.Term{}, errors.New("no idea")
		}
	})
	if err := r.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	plays, err := store.Plays()
	if err != nil {
		t.Fatal(err)
	}
	faults := map[string]int{}
	for _, play := range plays {
		if play.Agent != "some" {
			if play.Error != "" {
				t.Errorf("a play of another agent: %s", play.Error)
			}
			continue
		}
		for _, text := range []string{"panic: lost my head", "some as", "illegal move: resign", "no legal move", "no idea"} {
			if strings.Contains(play.Error, text) {
				faults[text]++
			}
		}
	}
	if len(plays) != 16 || faults["panic: lost my head"] != 2 || faults["illegal move: resign"] != 2 || faults["no legal move"] != 2 || faults["no idea"] != 2 {
		t.Errorf("%d plays, faults %v", len(plays), faults)
	}
	if text := tables(t, store); !strings.Contains(text, "8 failed") {
		t.Errorf("the table does not tell:\n%s", text)
	}
	mustRun(t, p, store, Options{}) // failures are not tried again by themselves
	if n, err := store.ForgetFailures(); n != 8 || err != nil {
		t.Fatalf("%d failures forgotten, %v", n, err)
	}
	mustRun(t, p, store, Options{})
	if a, b := tables(t, store), tables(t, want); a != b {
		t.Errorf("made up for:\n%s\nnever failed:\n%s", a, b)
	}
}

// TestSequential ends the series of an agent that always loses, and plays the
// other to its end.
func TestSequential(t *testing.T) {
	p := planOf(t, `"nim"`, hundred, `"plays": 400, "sprt": {"rate0": 0.5, "rate1": 0.7},`)
	p.Agents = p.Agents[:1]
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	r := with(t, p, store, "few", func(uint64) func() (kif.Term, error) { return nil })
	total := 0
	r.options.Progress = func(at Progress) { total = at.Total }
	if err := r.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	sum, err := Summarize(store)
	if err != nil {
		t.Fatal(err)
	}
	cell := sum.Tables[0].Cells[0][0]
	low, high := p.Spec.SPRT.Bounds()
	if cell.Verdict != AcceptRate1 || cell.Ratio < high || cell.Plays >= 100 || cell.Plays != total || cell.Plays%2 != 0 {
		t.Errorf("%d plays of %d, ratio %.2f between %.2f and %.2f, verdict %d", cell.Plays, total, cell.Ratio, low, high, cell.Verdict)
	}
	before, err := store.Plays()
	if err != nil {
		t.Fatal(err)
	}
	if len(before) < cell.Plays || len(before) > cell.Plays+r.parallel {
		t.Errorf("%d plays stored, %d needed", len(before), cell.Plays)
	}
	mustRun(t, p, store, Options{}) // nothing is left
	if after, err := store.Plays(); err != nil || len(after) != len(before) {
		t.Errorf("%d plays, and then %d, %v", len(before), len(after), err)
	}
}

// TestFollow: what counts depends on the order of the sets alone.
func TestFollow(t *testing.T) {
	test := SPRT{Rate0: 0.5, Rate1: 0.7, Alpha: 0.05, Beta: 0.05}
	random := rand.New(rand.NewPCG(1, 1))
	plays := map[int]Play{}
	for number := range 200 {
		plays[number] = Play{Number: number, Score: float64(random.IntN(5) / 4 * 1)}
	}
	plays[6] = Play{Number: 6, Score: 1, Error: "failed"}
	verdict, ratio, counted := test.follow(plays, 2)
	if verdict != AcceptRate0 {
		t.Fatalf("verdict %d after %d plays", verdict, counted)
	}
	partly := map[int]Play{}
	for _, number := range random.Perm(200) {
		partly[number] = plays[number]
		v, r, n := test.follow(partly, 2)
		if v != Undecided && (v != verdict || r != ratio || n != counted) {
			t.Fatalf("with %d plays: verdict %d, %v after %d", len(partly), v, r, n)
		}
		if n > len(partly)+1 {
			t.Fatalf("%d of %d plays were used", n, len(partly))
		}
	}
}

// TestFollowOn: a play costs a sequential test no more when there are many before it.
func TestFollowOn(t *testing.T) {
	test := SPRT{Rate0: 0.5, Rate1: 0.501, Alpha: 0.05, Beta: 0.05}
	s := series{plays: map[int]Play{}, seatings: make([][]local.Seating, 2)}
	add := func() {
		number := len(s.plays)
		s.add(Play{Number: number, Score: float64(number%3) / 2}, &test)
	}
	for range 300 {
		add()
	}
	if allocations := testing.AllocsPerRun(20, add); allocations > 100 {
		t.Errorf("%v allocations for a play", allocations)
	}
	if v, ratio, n := test.follow(s.plays, 2); v != s.test.verdict || ratio != s.test.ratio || n != s.test.next {
		t.Errorf("%d, %v after %d, and at once %d, %v after %d", s.test.verdict, s.test.ratio, s.test.next, v, ratio, n)
	}
}

func TestChangedSpecIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.db")
	store := create(t, path)
	p := planOf(t, `"tictactoe"`, hundred, `"plays": 2,`)
	mustRun(t, p, store, Options{})
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store = create(t, path)
	for _, change := range []struct {
		part string
		make func(*Plan)
	}{
		{"games", func(p *Plan) { p.Games[0].Sum = "other rules" }},
		{"seed", func(p *Plan) { p.Spec.Seed++ }},
		{"opening", func(p *Plan) { p.Spec.Opening++ }},
		{"agents", func(p *Plan) { p.Agents[0].Agent.Algorithm.Parameters.ExplorationConstant += 0.1 }},
		{"baselines, turns", func(p *Plan) { p.Baselines[0].Label, p.Spec.Turns = "x", 7 }},
		{"settings", func(p *Plan) { p.Spec.Settings[0].Iterations++ }},
		{"sprt", func(p *Plan) { p.Spec.SPRT = &SPRT{Rate0: 0.5, Rate1: 0.6, Alpha: 0.05, Beta: 0.05} }},
	} {
		q := planOf(t, `"tictactoe"`, hundred, `"plays": 2,`)
		change.make(q)
		if err := q.Run(t.Context(), store, Options{}); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), ": "+change.part+" changed") {
			t.Errorf("%s: %v", change.part, err)
		}
	}
	more := planOf(t, `"tictactoe"`, hundred, `"plays": 4, "description": "more of it", "parallel": 3,`)
	mustRun(t, more, store, Options{})
	if plays, err := store.Plays(); err != nil || len(plays) != 8 {
		t.Errorf("%d plays, %v", len(plays), err)
	}
}

// TestChangedEvaluationIsRefused: another content of an agent's evaluation file makes
// another agent.
func TestChangedEvaluationIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "e.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := planOf(t, `"tictactoe"`, hundred, `"plays": 2,`)
	if _, text, err := p.identityText(); err != nil || strings.Contains(text, "evaluations") {
		t.Errorf("a database of agents without evaluation files would be refused: %s, %v", text, err)
	}
	p.Baselines[0].Agent.Algorithm.Parameters.Evaluation = file
	store := create(t, filepath.Join(dir, "run.db"))
	write("one")
	if err := store.begin(p, Run{}); err != nil {
		t.Fatal(err)
	}
	write("two")
	if err := store.Check(p); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), ": evaluations changed") {
		t.Errorf("%v", err)
	}
	write("one")
	if err := store.Check(p); err != nil {
		t.Error(err)
	}
}

// TestOpenings: the plays of a set share their opening, all agents have the
// same ones, and none ends the match.
func TestOpenings(t *testing.T) {
	p := planOf(t, `"tictactoe"`, hundred, `"plays": 2, "opening": 4,`)
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	r, err := newRunner(p, store, Options{})
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]int{}
	for set := range uint64(20) {
		var first string
		for _, s := range r.series {
			r.mu.Lock()
			if s.game.machines == nil {
				r.prepare(t.Context(), s.game)
			}
			r.mu.Unlock()
			for number, seats := range s.seatings {
				table, err := r.sit(t.Context(), job{series: s, number: number}, seats[0], uint64(number), new(atomic.Bool))
				if err != nil {
					t.Fatal(err)
				}
				if n, err := table.Open(4, set); n != 4 || err != nil || table.Judge.Terminal() || table.Turns != 4 {
					t.Fatalf("%d moves, %v", n, err)
				}
				state := fmt.Sprint(table.Judge.Fluents())
				if first == "" {
					first = state
					states[state]++
				}
				if state != first {
					t.Errorf("set %d: %s and %s", set, first, state)
				}
				long, err := r.sit(t.Context(), job{series: s, number: number}, seats[0], uint64(number), new(atomic.Bool))
				if err != nil {
					t.Fatal(err)
				}
				if n, err := long.Open(9, set); n < 5 || n == 9 || err != nil || long.Judge.Terminal() {
					t.Fatalf("%d moves of nine, %v", n, err)
				}
			}
		}
	}
	if len(states) < 15 {
		t.Errorf("%d openings in 20 sets", len(states))
	}
}

// TestFixedBudget measures the baseline once and holds every agent to the
// states that it played: some playouts in a move, however slow the machine is.
func TestFixedBudget(t *testing.T) {
	seconds := 0.002
	for fixedBudget(t, seconds) < 50 {
		if seconds *= 4; seconds > 60 {
			t.Fatal("no playouts in a minute")
		}
	}
}

// fixedBudget gives the states of a move.
func fixedBudget(t *testing.T, seconds float64) int {
	path := filepath.Join(t.TempDir(), "run.db")
	store := create(t, path)
	p := planOf(t, `"nim"`, fmt.Sprintf(`{"kind": "fixed", "seconds": %g, "measure": %g}`, seconds, 10*seconds), `"plays": 2,`)
	for _, list := range [][]Contender{p.Agents, p.Baselines} {
		for i := range list {
			list[i].Agent.Algorithm.Parameters.Iterations = 1e9
			list[i].Agent.General.Engine, list[i].Agent.General.Lanes = agent.EngineProver, 0
		}
	}
	p.Agents = p.Agents[:1]
	p.Baselines[0].Agent.Algorithm.Parameters.ExplorationConstant = 0.2
	mustRun(t, p, store, Options{})
	budgets, err := store.budgets()
	if err != nil || len(budgets) != 1 || budgets[0].States < 1 || budgets[0].Measured < int64(budgets[0].States) {
		t.Fatalf("%+v, %v", budgets, err)
	}
	if budgets[0].States < 50 {
		return budgets[0].States
	}
	plays, err := store.Plays()
	if err != nil {
		t.Fatal(err)
	}
	for _, play := range plays {
		if play.Error != "" {
			t.Fatal(play.Error)
		}
		for _, e := range []local.Effort{play.AgentEffort, play.BaseEffort} {
			// The prover has one lane. Solved positions end in the tree.
			if e.Moves == 0 || e.States > int64(e.Moves*budgets[0].States) || e.Iterations > int64(e.Moves*budgets[0].States) || max(e.States, e.Iterations) < int64(budgets[0].States) {
				t.Errorf("%+v with %d states a move", e, budgets[0].States)
			}
		}
	}
	p.Spec.Plays = 4
	mustRun(t, p, store, Options{})
	if again, err := store.budgets(); err != nil || !slices.Equal(budgets, again) {
		t.Errorf("%+v, and then %+v, %v", budgets, again, err)
	}
	return budgets[0].States
}

func TestLongMatchFails(t *testing.T) {
	p := planOf(t, `"tictactoe"`, hundred, `"plays": 2, "turns": 3,`)
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	mustRun(t, p, store, Options{})
	plays, err := store.Plays()
	if err != nil || len(plays) != 4 || !strings.Contains(plays[0].Error, "3 joint moves") {
		t.Errorf("%v, %v", plays, err)
	}
}

// A cell whose plays have not all been made says how many there are.
func TestCellSaysHowManyPlays(t *testing.T) {
	c := Cell{Estimate: Estimate{Mean: 0.5, N: 4, Low: 0.4, High: 0.6}, Plays: 4}
	for _, test := range []struct {
		failed, plays int
		want          string
	}{{0, 4, "50.0 (40.0 to 60.0)"}, {0, 10, "50.0 (40.0 to 60.0), 4 plays so far"}, {6, 10, "50.0 (40.0 to 60.0), 6 failed"}, {2, 10, "50.0 (40.0 to 60.0), 4 plays so far, 2 failed"}} {
		c.Failed = test.failed
		if got := c.text(nil, test.plays); got != test.want {
			t.Errorf("of %d: %q, want %q", test.plays, got, test.want)
		}
	}
}
