package main

import (
	"encoding/json"
	"fmt"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/reasoner"
)

// benchCmd measures random playouts.
type benchCmd struct {
	Games     []string      `arg:"" predictor:"game" optional:"" name:"game" help:"Bundled name, path to a description, or folder with one. With --suite several; none: all bundled games."`
	Engine    string        `enum:"prover,lanes" default:"lanes" help:"Which machine plays: ${enum}."`
	Plan      string        `enum:"${plans},auto" default:"auto" help:"How moves are split: ${enum}. On the prover auto is orthodox."`
	Lanes     string        `enum:"64,256,512,auto" default:"auto" help:"Positions side by side: ${enum}."`
	Vision    string        `enum:"off,take,avoid" default:"off" help:"Whether playouts in lanes take moves that win at once, and avoid those that let others: ${enum}."`
	Time      time.Duration `name:"seconds" default:"5" help:"How long to play, each run."`
	Runs      int           `default:"1" help:"Runs of a game; the quickest is reported."`
	Seed      uint64        `default:"1" help:"Seed of the random moves."`
	JSON      bool          `help:"Print one JSON object a game."`
	Suite     bool          `help:"Measure several games and print a table."`
	Plans     bool          `help:"Measure several games under each way to split moves, and print a table in Markdown."`
	Compare   string        `type:"path" placeholder:"FILE" help:"With --suite: the output of an earlier --suite --json, shown beside."`
	Signature bool          `help:"Search with a fixed seed, one thread and fixed iterations, in several variants and games (those named, or all of the signature), and print what came out, with one number for all: the same on every amd64 processor."`
	Phases    bool          `help:"Time the phases of each step, for the shares (costs some speed); --json does so in a run of its own."`
}

// benchResult is the output of bench --json. The keys are stable.
type benchResult struct {
	Game            string    `json:"game"`
	Engine          string    `json:"engine"`
	Plan            string    `json:"plan"`
	Lanes           int       `json:"lanes"`
	Seconds         float64   `json:"seconds"`
	States          int64     `json:"states"` // reached by joint moves, the initial one excluded
	StatesPerSecond float64   `json:"states_per_second"`
	Playouts        int64     `json:"playouts"`
	PlayoutsPerSec  float64   `json:"playouts_per_second"`
	MeanLength      float64   `json:"mean_length"` // plies of a playout
	MeanGoals       []float64 `json:"mean_goals"`  // 0..100, in role order
	DeadRate        float64   `json:"dead_rate"`   // of the paths of semimoves that were begun, those that led nowhere
	Gates           int       `json:"gates"`
	SetupSeconds    float64   `json:"setup_seconds"` // from parsed rules to a machine
	PeakMemory      int64     `json:"peak_memory_bytes"`
	ShareEvaluate   float64   `json:"share_evaluate"` // of a step: terminal, offers, goals
	ShareChoose     float64   `json:"share_choose"`
	ShareNext       float64   `json:"share_next"`
	AndsPerSecond   float64   `json:"ands_per_second"`          // of words, a fixed loop beside the run
	StatesPerKAnd   float64   `json:"states_per_thousand_ands"` // the figure to compare between machines
	Error           string    `json:"error,omitempty"`          // --suite: why there is no figure
}

func (c *benchCmd) Run(s *console.Session) error {
	if err := console.AboveZero("--seconds", c.Time); err != nil {
		return err
	}
	if c.Runs < 1 {
		return console.Usagef("--runs must be above 0")
	}
	switch {
	case c.Suite && c.Plans || c.Suite && c.Signature || c.Plans && c.Signature:
		return console.Usagef("--suite, --plans and --signature are for one at a time")
	case c.JSON && (c.Plans || c.Signature):
		return console.Usagef("--json is for a game, and for several with --suite")
	case c.Compare != "" && (!c.Suite || c.JSON):
		return console.Usagef("--compare goes with the table of --suite")
	case c.Signature:
		return c.signature(s)
	case c.Plans:
		return c.plans(s)
	case c.Suite:
		return c.suite(s)
	case len(c.Games) != 1:
		return console.Usagef("name one game, or ask for several with --suite")
	}
	result, err := c.measure(s, c.Games[0])
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.Data()).Encode(result)
	}
	result.print(s)
	return nil
}

func (c *benchCmd) variant() reasoner.Variant {
	return reasoner.Variant{Engine: c.Engine, Plan: c.Plan, Lanes: load.Lanes(c.Lanes)}
}

// measure is the quickest of the runs of one game.
func (c *benchCmd) measure(s *console.Session, name string) (benchResult, error) {
	defer console.ShowWork(s, "bench "+printable.Text(name, console.ShownText), func() string { return "" })()
	game, program, _, err := load.Read(s, name)
	if err != nil {
		return benchResult{}, err
	}
	m, setup, err := load.Engine(s.Ctx, program, c.variant())
	if err != nil {
		return benchResult{Game: game.Name, Engine: c.Engine}, err
	}
	if c.Vision != "off" {
		if m, err = reasoner.Foresee(s.Ctx, m, c.Vision == "avoid"); err != nil {
			return benchResult{Game: game.Name, Engine: c.Engine}, fmt.Errorf("%s: %w", game.Name, err)
		}
	}
	var best benchResult
	for i := range c.Runs {
		ands := reasoner.AndsPerSecond()
		tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: c.Seed + uint64(i), Time: c.Time, Phases: c.Phases, Context: s.Ctx})
		if err != nil {
			return benchResult{Game: game.Name, Engine: c.Engine}, err
		}
		r := newBenchResult(game, c.Engine, m, tally, setup, ands)
		if i == 0 || r.StatesPerSecond > best.StatesPerSecond {
			best = r
		}
	}
	if c.JSON && !c.Phases {
		tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: c.Seed, Time: min(c.Time, time.Second/2), Phases: true, Context: s.Ctx})
		if err != nil {
			return best, err
		}
		best.shares(tally)
	}
	return best, s.Ctx.Err()
}

func newBenchResult(game games.Game, engine string, m reasoner.Machine, t reasoner.Tally, setup time.Duration, ands float64) benchResult {
	secs := t.Elapsed.Seconds()
	r := benchResult{
		Game: game.Name, Engine: engine, Plan: m.Plan(), Lanes: m.Lanes(), Seconds: secs,
		States: t.States, StatesPerSecond: console.Ratio(float64(t.States), secs),
		Playouts: t.Playouts, PlayoutsPerSec: console.Ratio(float64(t.Playouts), secs),
		MeanLength: console.Ratio(float64(t.Plies), float64(t.Playouts)),
		MeanGoals:  make([]float64, len(t.Goals)),
		DeadRate:   console.Ratio(float64(t.Dead), float64(t.Tries)),
		Gates:      load.Gates(m), SetupSeconds: setup.Seconds(), PeakMemory: console.PeakMemory(),
		AndsPerSecond: ands,
	}
	r.StatesPerKAnd = 1000 * console.Ratio(r.StatesPerSecond, ands)
	for i, g := range t.Goals {
		r.MeanGoals[i] = console.Ratio(g, float64(t.Playouts))
	}
	r.shares(t)
	return r
}

func (r *benchResult) shares(t reasoner.Tally) {
	all := float64(t.Evaluate + t.Choose + t.Next)
	r.ShareEvaluate, r.ShareChoose, r.ShareNext = console.Ratio(float64(t.Evaluate), all), console.Ratio(float64(t.Choose), all), console.Ratio(float64(t.Next), all)
}

func (r benchResult) print(s *console.Session) {
	fmt.Fprintf(s.Out, "%s on %s, plan %s, %d lane(s): %s states/s, %s playouts/s\n", r.Game, r.Engine, r.Plan, r.Lanes, console.SI(r.StatesPerSecond), console.SI(r.PlayoutsPerSec))
	fmt.Fprintf(s.Out, "  %d states and %d playouts in %.2f s; mean length %.1f; mean goals %.1f; dead %.1f%%\n",
		r.States, r.Playouts, r.Seconds, r.MeanLength, r.MeanGoals, 100*r.DeadRate)
	fmt.Fprintf(s.Out, "  set-up %.3f s, %d gates, peak memory %s; %.3g states per thousand ANDs\n", r.SetupSeconds, r.Gates, console.BytesText(r.PeakMemory), r.StatesPerKAnd)
	if r.ShareEvaluate+r.ShareChoose+r.ShareNext > 0 {
		fmt.Fprintf(s.Out, "  shares: evaluate %.0f%%, choose %.0f%%, next %.0f%%\n", 100*r.ShareEvaluate, 100*r.ShareChoose, 100*r.ShareNext)
	}
}
