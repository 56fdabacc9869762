package main

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"semisplit/reasoner"
)

// benchCmd measures random playouts.
type benchCmd struct {
	Game    string  `arg:"" help:"Bundled name, path to a description, or folder with one."`
	Engine  string  `enum:"prover,lanes" default:"lanes" help:"Which machine plays: ${enum}."`
	Seconds float64 `default:"5" help:"How long to play."`
	Seed    uint64  `default:"1" help:"Seed of the random moves."`
	JSON    bool    `help:"Print one JSON object."`
}

// benchResult is the output of bench --json. The keys are stable.
type benchResult struct {
	Game            string    `json:"game"`
	Engine          string    `json:"engine"`
	Lanes           int       `json:"lanes"`
	Seconds         float64   `json:"seconds"`
	States          int64     `json:"states"` // reached by joint moves, the initial one excluded
	StatesPerSecond float64   `json:"states_per_second"`
	Playouts        int64     `json:"playouts"`
	PlayoutsPerSec  float64   `json:"playouts_per_second"`
	MeanLength      float64   `json:"mean_length"` // plies of a playout
	MeanGoals       []float64 `json:"mean_goals"`  // 0..100, in role order
	Gates           int       `json:"gates"`
	SetupSeconds    float64   `json:"setup_seconds"` // from parsed rules to a machine
	PeakMemory      int64     `json:"peak_memory_bytes"`
}

func (c *benchCmd) Run(s *session) error {
	if !(c.Seconds > 0) || math.IsInf(c.Seconds, 0) {
		return usagef("--seconds must be above 0")
	}
	game, program, _, err := readGame(c.Game)
	if err != nil {
		return err
	}
	m, setup, err := buildEngine(s.ctx, program, c.Engine)
	if err != nil {
		return err
	}
	tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: c.Seed, Time: seconds(c.Seconds)})
	if err != nil {
		return err
	}
	result := newBenchResult(game.Name, c.Engine, m, tally, setup)
	if c.JSON {
		return json.NewEncoder(s.out).Encode(result)
	}
	result.print(s)
	return nil
}

func newBenchResult(game, engine string, m reasoner.Machine, t reasoner.Tally, setup time.Duration) benchResult {
	secs := t.Elapsed.Seconds()
	r := benchResult{
		Game: game, Engine: engine, Lanes: m.NewEngine(1).Lanes(), Seconds: secs,
		States: t.States, StatesPerSecond: ratio(float64(t.States), secs),
		Playouts: t.Playouts, PlayoutsPerSec: ratio(float64(t.Playouts), secs),
		MeanLength: ratio(float64(t.Plies), float64(t.Playouts)),
		MeanGoals:  make([]float64, len(t.Goals)),
		Gates:      gates(m), SetupSeconds: setup.Seconds(), PeakMemory: peakMemory(),
	}
	for i, g := range t.Goals {
		r.MeanGoals[i] = ratio(g, float64(t.Playouts))
	}
	return r
}

func (r benchResult) print(s *session) {
	fmt.Fprintf(s.out, "%s on %s, %d lane(s): %s states/s, %s playouts/s\n", r.Game, r.Engine, r.Lanes, si(r.StatesPerSecond), si(r.PlayoutsPerSec))
	fmt.Fprintf(s.out, "  %d states and %d playouts in %.2f s; mean length %.1f; mean goals %.1f\n", r.States, r.Playouts, r.Seconds, r.MeanLength, r.MeanGoals)
	fmt.Fprintf(s.out, "  set-up %.3f s, %d gates, peak memory %s\n", r.SetupSeconds, r.Gates, bytesText(r.PeakMemory))
}

// ratio is a/b, and 0 where there is nothing to divide by.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
