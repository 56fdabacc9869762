package player

import (
	"strings"
	"testing"

	"semisplit/search"
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
		a, err := ReadAgent(strings.NewReader(`{"algorithm": {"parameters": {` + c.set + `}}, "heuristics": [` + heuristics + `]}`))
		switch {
		case c.refused != "":
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s with %q: error %v", c.set, c.heuristic, err)
			}
		case err != nil:
			t.Errorf("%s with %q: %v", c.set, c.heuristic, err)
		case a.evaluates() != strings.Contains(c.set, "greedy"):
			t.Errorf("%s: evaluates %v", c.set, a.evaluates())
		}
	}
	if _, err := ReadAgent(strings.NewReader(`{"algorithm": {"name": "auto", "parameters": {"decisive_moves": true}}}`)); err == nil {
		t.Error("an automatic agent takes decisive_moves")
	}
}

// Searches with such playouts play legal moves, whatever moves are
// made of.
func TestLookaheadSearches(t *testing.T) {
	for _, c := range []struct{ game, preset string }{
		{"tictactoe", "orthodox"}, {"breakthrough", "orthodox"}, {"breakthrough", "snodal-s-mod"}, {"breakthrough", "snodal-o-mod"},
	} {
		t.Run(c.game+"/"+c.preset, func(t *testing.T) {
			a, err := FindAgent(c.preset)
			if err != nil {
				t.Fatal(err)
			}
			p := &a.Algorithm.Parameters
			if p.DecisiveMoves = true; c.game == "breakthrough" {
				p.EvaluationGreedy, p.Evaluation = 0.9, c.game
			}
			a.Heuristics = nil
			m := lanesFor(t, bundled(t, c.game), a.Variant().Plan, a)
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
						joint = append(joint, th.board.firstPaths(role, 1)[0]...)
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
	m := machineFor(t, DefaultAgent(), "tictactoe")
	a := DefaultAgent()
	_, plain := a.newEngine(m, 1).(search.Steerer)
	a.Algorithm.Parameters.EvaluationGreedy = 0.5
	_, unequipped := a.newEngine(m, 1).(search.Steerer)
	a.Algorithm.Parameters.DecisiveMoves = true
	_, looking := a.newEngine(m, 1).(search.Steerer)
	if !plain || !unequipped || looking {
		t.Errorf("steered: %v without parameters, %v without an evaluation, %v with decisive moves", plain, unequipped, looking)
	}
}
