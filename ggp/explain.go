package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/player/agent"
	"semisplit/player/choice"
	"semisplit/player/evaluation"
	"semisplit/reasoner"
	"semisplit/reasoner/split"
)

// explainCmd makes the automatic choice for a game, as at the start of a match,
// and tells what it rests on.
type explainCmd struct {
	Game    string        `arg:"" predictor:"game" help:"Bundled name, path to a description, or folder with one."`
	Start   time.Duration `default:"20" help:"Time for the choice: measurements and trial matches. In a match it takes 80% of the start clock."`
	Play    time.Duration `default:"1" help:"Time for a move in the match that the choice is for."`
	Threads int           `help:"Threads for measurements and trial matches; 0: one for each processor."`
	Seed    uint64        `default:"1" help:"Seed of everything random."`
	JSON    bool          `name:"json" help:"Print the chosen agent as an agent file, and nothing else."`
	Rules   bool          `help:"Print the conditions of each level of a move as well, in the words of the rules."`
}

func (c *explainCmd) Run(s *console.Session) error {
	if err := cmp.Or(console.AboveZero("--start", c.Start), console.AboveZero("--play", c.Play)); err != nil {
		return err
	}
	switch {
	case c.Threads < 0 || c.Threads > agent.MostThreads:
		return console.Usagef("--threads must be from 0 to %d", agent.MostThreads)
	case c.JSON && c.Rules:
		return console.Usagef("--json prints the agent and nothing else: leave out --rules")
	}
	game, program, _, err := load.Read(s, c.Game)
	if err != nil {
		return err
	}
	base, err := agent.Find("auto")
	if err != nil {
		return err
	}
	threads := c.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	progress := console.NewStages(s, "explain "+printable.Text(game.Name, 60), c.Start)
	choice, err := choice.Choose(s.Ctx, program, base, reasoner.DefaultLimits, choice.Options{
		Time: c.Start, Play: c.Play, Threads: threads, Seed: c.Seed, Ponders: base.General.SimulateDuringOppTurn, Begin: progress.Begin, Recall: recalled(s, program),
	})
	progress.End()
	if err == nil {
		err = s.Ctx.Err() // a choice that was cut short is none
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return s.IndentedJSON(choice.Agent)
	}
	if err := explain(s, choice); err != nil {
		return err
	}
	return c.features(s, reasoner.NewAnalysis(program))
}

// features prints how each plan splits the moves.
func (c *explainCmd) features(s *console.Session, analysis *reasoner.Analysis) error {
	plans, notes := analysis.Plans()
	for _, plan := range plans {
		if !c.Rules {
			plan = withoutConditions(plan)
		}
		fmt.Fprintf(s.Out, "\n%s", plan)
	}
	for _, note := range notes {
		fmt.Fprintf(s.Out, "plans: %s\n", note)
	}
	return s.Ctx.Err()
}

// withoutConditions is the plan as it splits the moves, and nothing about when.
func withoutConditions(p *split.Plan) *split.Plan {
	bare := *p
	bare.Roles = slices.Clone(p.Roles)
	for i := range bare.Roles {
		forms := slices.Clone(bare.Roles[i].Forms)
		for j := range forms {
			forms[j].Levels = nil
		}
		bare.Roles[i].Forms = forms
	}
	return &bare
}

// explain prints the choice, and then what it rests on.
func explain(s *console.Session, c *choice.Choice) error {
	fmt.Fprintf(s.Out, "choice after %.1f s: %s, %d lanes: %s\n", c.Elapsed.Seconds(), c.Chosen.Name, c.Machine.Lanes(), c.Why)
	table := tabwriter.NewWriter(s.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(table, "\nPLAN\tGATES\tLANES\tSET-UP\tSTATES/S\tPLAYOUTS/S\tLENGTH\tBRANCHING\tLASTING\tREPEATED\tSEMIMOVES\tDEAD\t\n")
	for _, p := range c.Plans {
		if p.Machine == nil {
			fmt.Fprintf(table, "%s\t\t\t\t\t\t\t\t\t\t\t\t%s\n", p.Plan, p.Out)
			continue
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%.2f s\t%s\t%s\t%.1f\t%.1f\t%s\t%s\t%.1f\t%.1f%%\t%s\n", p.Plan, load.Gates(p.Machine), p.Lanes, p.SetUp.Seconds(),
			console.SI(p.Speed), console.SI(p.PlayoutsPerSecond), p.Length, p.Branching, wholePercent(p.Lasting), wholePercent(p.Repeated), p.Depth, 100*p.Dead, leftOut(p.Out))
	}
	evaluations(table, c)
	fmt.Fprintf(table, "\nCANDIDATE\tITERATIONS/S\tSTATES/S\tLENGTH\tTRANSPOSED\tPRIOR\tTRIALS\tPOINTS\tSCORE\t\n")
	for _, k := range c.Candidates {
		trials, points := "", ""
		if k.Plays > 0 {
			trials, points = fmt.Sprint(k.Plays), fmt.Sprint(k.Points)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.1f\t%s\t%.1f%%\t%s\t%s\t%.1f%%\t%s\n", k.Name, console.SI(k.Iterations), console.SI(k.States), k.MeanLength, wholePercent(k.Transposed),
			100*k.Prior, trials, points, 100*k.Score, leftOut(k.Out))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	trials := fmt.Sprintf("trial matches: %v for a move", c.TrialMove.Round(100*time.Microsecond))
	if c.NoTrials != "" {
		trials = "no trial matches: " + c.NoTrials
	}
	_, err := fmt.Fprintf(s.Out, "\n%s\n", trials)
	return err
}

// evaluations prints what was learned of the game: how well it predicts what
// matches come to, and its strongest features.
func evaluations(table io.Writer, c *choice.Choice) {
	if len(c.Evaluations) > 0 {
		fmt.Fprintf(table, "\nEVALUATION FROM\tPOSITIONS\tMATCHES\tROLE\tERROR\tOF A CONSTANT\tEXPLAINED\tALPHA\t\n")
	}
	sources := slices.Sorted(maps.Keys(c.Evaluations))
	for _, from := range sources {
		e := c.Evaluations[from]
		for role, q := range e.Quality {
			fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%.4f\t%.4f\t%.0f%%\t%.2f\t\n", from, e.Samples, e.Matches, c.Machine.Roles()[role], q.Error, q.Constant, 100*q.ExplainedVariance(), e.Alpha())
		}
	}
	for _, from := range sources {
		if vs := c.Evaluations[from].VsRollouts; vs != nil {
			fmt.Fprintf(table, "\non %d positions held out it (%s) predicts %.2f times as much as random playouts: trust %.0f%%\n", vs.Positions, from, vs.Ratio(), 100*c.Evaluations[from].Trust())
		}
	}
	for _, from := range sources {
		fmt.Fprintf(table, "\nSTRONGEST FEATURES (%s), in the logarithm of the odds\n", from)
		for _, f := range c.Evaluations[from].Features {
			fmt.Fprintf(table, "%s: %+.2f for %s\n", f.Role, f.Weight, f.Feature)
		}
	}
	for _, from := range sources {
		if len(c.Evaluations[from].Shapes) > 0 {
			fmt.Fprintf(table, "\nSHAPES (%s), and what they take away of the error on positions held out\n", from)
			printShapes(table, c.Evaluations[from])
		}
	}
	if c.NoEvaluation != "" {
		fmt.Fprintf(table, "\nno further evaluation: %s\n", c.NoEvaluation)
	}
}

// printShapes prints what each family of shapes that was tried brought, and whether what was
// learned together with them counts.
func printShapes(w io.Writer, e *evaluation.Evaluation) {
	for _, g := range e.Shapes {
		use := "not used"
		if g.Kept {
			use = "used"
		}
		before := max(g.Gain.Before, 1e-9)
		gain, around := 100*(g.Gain.Before-g.Gain.After)/before, 200*g.Gain.Deviation/before
		fmt.Fprintf(w, "%s (%d): %.1f%% (%.1f to %.1f) of the error, %d matches: %s\n", g.Family, g.Shapes,
			gain, gain-around, gain+around, g.Gain.Matches, use)
	}
	for _, d := range e.Duels {
		use := "not used"
		if d.Lead > 0 {
			use = "used"
		}
		fmt.Fprintf(w, "learned together: leads by %.2f over what was fitted, %d matches: %s\n", d.Lead, d.Matches, use)
	}
}

func leftOut(why string) string {
	if why == "" {
		return ""
	}
	return "left out: " + why
}

// wholePercent is a part in percent, empty if there is none.
func wholePercent(part float64) string {
	if part <= 0 {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*part)
}
