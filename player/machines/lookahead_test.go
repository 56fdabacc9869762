package machines

import (
	"slices"
	"strings"
	"testing"

	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/search/engine"
)

// Playouts that look ahead are those of an agent that asks for them, with the
// evaluation that it needs; those by statistics are not.
func TestLookaheadAgents(t *testing.T) {
	for _, c := range []struct{ set, heuristic, refused string }{
		{`"decisive_moves": true`, "", ""},
		{`"evaluation_greedy": 0.9, "evaluation": "breakthrough"`, "", ""},
		{`"decisive_moves": true`, "rave", ""},
		{`"decisive_moves": true`, "mast", "mast and decisive_moves both choose the moves of playouts"},
		{`"evaluation_greedy": 0.1`, "nst", "nst and evaluation_greedy both choose the moves of playouts"},
		{`"evaluation_greedy": 1.1`, "", "evaluation_greedy: 1.1 is not in range"},
		{`"decisive_moves": 1`, "", "decisive_moves: 1 is neither true nor false"},
	} {
		heuristics := ""
		if c.heuristic != "" {
			heuristics = `{"name": "` + c.heuristic + `"}`
		}
		a, err := agent.Read(strings.NewReader(`{"algorithm": {"parameters": {` + c.set + `}}, "heuristics": [` + heuristics + `]}`))
		switch {
		case c.refused != "":
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s with %q: error %v", c.set, c.heuristic, err)
			}
		case err != nil:
			t.Errorf("%s with %q: %v", c.set, c.heuristic, err)
		case a.Evaluates() != strings.Contains(c.set, "greedy"):
			t.Errorf("%s: evaluates %v", c.set, a.Evaluates())
		}
	}
	if _, err := agent.Read(strings.NewReader(`{"algorithm": {"name": "auto", "parameters": {"decisive_moves": true}}}`)); err == nil {
		t.Error("an automatic agent takes decisive_moves")
	}
}

// Searches with such playouts play legal moves, whatever moves are
// made of.
func TestLookaheadSearches(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	for _, c := range []struct{ game, preset string }{
		{"tictactoe", "orthodox"}, {"breakthrough", "orthodox"}, {"breakthrough", "snodal-s-mod"}, {"breakthrough", "snodal-o-mod"},
	} {
		t.Run(c.game+"/"+c.preset, func(t *testing.T) {
			a, err := agent.Find(c.preset)
			if err != nil {
				t.Fatal(err)
			}
			p := &a.Algorithm.Parameters
			if p.DecisiveMoves = true; c.game == "breakthrough" {
				p.EvaluationGreedy, p.Evaluation = 0.9, c.game
			}
			a.Heuristics = nil
			m := lanesFor(t, gametest.Bundled(t, c.game), a.Variant().Plan, a)
			if m, ok := m.(equipped); p.EvaluationGreedy > 0 && (!ok || m.evaluation == nil) {
				t.Fatal("no evaluation")
			}
			th := newThinking(t, m, a, 0)
			for turn := 0; turn < 6 && !th.board.Terminal(); turn++ {
				th.role = turn % 2
				path := th.choose(t, 200)
				joint := []uint32{}
				for role := range m.Roles() {
					if role == th.role {
						joint = append(joint, path...)
					} else {
						joint = append(joint, th.board.FirstPaths(role, 1)[0]...)
					}
				}
				th.advance(t, joint)
			}
		})
	}
}

// An engine is the machine's own where nothing is asked of it; where there is no
// evaluation, as with the prover, playouts are uniform.
func TestLookaheadEngines(t *testing.T) {
	m := machineFor(t, agent.Default(), "tictactoe")
	a := agent.Default()
	_, plain := newEngine(a, m, 1).(engine.Steerer)
	a.Algorithm.Parameters.EvaluationGreedy = 0.5
	_, unequipped := newEngine(a, m, 1).(engine.Steerer)
	a.Algorithm.Parameters.DecisiveMoves = true
	_, looking := newEngine(a, m, 1).(engine.Steerer)
	if !plain || !unequipped || looking {
		t.Errorf("steered: %v without parameters, %v without an evaluation, %v with decisive moves", plain, unequipped, looking)
	}
}

// rulebook answers from the rules themselves what playouts in lanes must have
// seen.
type rulebook struct {
	t      *testing.T
	m      reasoner.Machine
	e      reasoner.Engine
	levels []int
}

// after are the states after all joint moves, with the goals of those that end
// the game, and the role that has a choice.
func (r *rulebook) after(state []uint64) (mover int, states [][]uint64, ends [][]float64) {
	step := func(state []uint64, joint []uint32) bool {
		r.e.Load(0, state, joint)
		ended, err := r.e.Step(nil)
		if err != nil {
			r.t.Fatal(err)
		}
		return ended[0]&1 != 0
	}
	step(state, nil)
	mover = -1
	joints := [][]uint32{nil}
	for role := range r.levels {
		var longer [][]uint32
		moves := r.e.Offers(0, role, nil, nil)
		if len(moves) > 1 {
			mover = role
		}
		for _, joint := range joints {
			for _, move := range moves {
				longer = append(longer, append(slices.Clone(joint), move))
			}
		}
		joints = longer
	}
	for _, joint := range joints {
		var goals []float64
		if step(state, joint) {
			goals = make([]float64, len(r.levels))
			r.e.Goals(0, goals)
		}
		states, ends = append(states, r.e.State(0, nil)), append(ends, goals)
	}
	return mover, states, ends
}

// canWin tells whether the role that is to move in a state wins at once.
func (r *rulebook) canWin(state []uint64) bool {
	mover, _, ends := r.after(state)
	return mover >= 0 && slices.ContainsFunc(ends, func(goals []float64) bool { return goals != nil && goals[mover] == 1 })
}

// Decisive playouts in lanes, held against the prover: no win at once is missed,
// none is allowed where that can be helped.
func TestDecisivePlayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	for _, c := range []struct {
		game  string
		every int // plies
	}{{"connectfour", 5}, {"breakthrough", 400}} {
		t.Run(c.game, func(t *testing.T) {
			program := gametest.Bundled(t, c.game)
			m := lanesOf(t, program, string(agent.Orthodox))
			prover, err := reasoner.NewProver(program)
			if err != nil {
				t.Fatal(err)
			}
			r := &rulebook{t, prover, prover.NewSingle(1), board.Levels(prover)}
			encode := func(state []uint64) []uint64 {
				encoded, err := prover.Encode(m.Fluents(state))
				if err != nil {
					t.Fatal(err)
				}
				return encoded
			}
			a := agent.Default()
			a.Algorithm.Parameters.DecisiveMoves = true
			e := newEngine(a, m, 1)
			states := make([][]uint64, e.Lanes())
			for lane := range states {
				e.Load(lane, m.Initial(), nil)
			}
			threats, wins := 0, 0
			for step := range 120 {
				ended, err := e.Step(nil)
				if err != nil {
					t.Fatal(err)
				}
				for lane, before := range states {
					over := ended[lane/64]>>(lane%64)&1 != 0
					if states[lane] = e.State(lane, nil); over {
						states[lane] = nil
						e.Load(lane, m.Initial(), nil)
					}
					if before == nil || (step*len(states)+lane)%c.every != 0 && !over {
						continue
					}
					mover, nexts, ends := r.after(encode(before))
					if r.canWin(encode(before)) {
						goals := make([]float64, len(r.levels))
						if e.Goals(lane, goals); !over || goals[mover] != 1 {
							t.Fatalf("role %d could win in %v", mover, m.Fluents(before))
						}
						wins++
						continue
					}
					if over || !r.canWin(encode(states[lane])) {
						continue
					}
					threats++
					for i, next := range nexts {
						if ends[i] == nil && !r.canWin(next) {
							t.Fatalf("role %d let the other win from %v to %v", mover, m.Fluents(before), m.Fluents(states[lane]))
						}
					}
				}
			}
			if wins < 20 || threats == 0 {
				t.Errorf("%d wins, %d unavoidable threats", wins, threats)
			}
		})
	}
}
