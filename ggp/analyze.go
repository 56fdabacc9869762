package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/choice"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/player/referee"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/search"
)

// analyzeCmd thinks about one position.
type analyzeCmd struct {
	Game    string        `arg:"" predictor:"game" help:"Bundled name, path to a description, or folder with one."`
	Moves   []string      `sep:"none" placeholder:"MOVE" help:"A move that leads to the position, as people write it (e2e4), or a joint move as a list in the order of the roles: \"((mark a 1) noop)\". Once for each step."`
	Record  string        `placeholder:"FILE" help:"The record of a match in which the position is met: a file, - for standard input, or its address."`
	Step    *int          `help:"With --record: after so many steps; default: at its end."`
	Time    time.Duration `default:"10" help:"How long to think, after the way to play has been chosen."`
	Every   time.Duration `default:"1" help:"How often to tell."`
	Agent   string        `placeholder:"AGENT" predictor:"agent" help:"Who thinks: a preset or an agent file; default: auto, which chooses for as long again, 20 s at most."`
	Threads int           `help:"Threads; 0: one for each processor."`
	Most    int           `default:"8" help:"How many moves to show; 0: all."`
	Seed    uint64        `default:"1" help:"Seed of everything random."`
	JSON    bool          `name:"json" help:"Print one JSON object each time, and nothing else."`
}

func (c *analyzeCmd) Run(s *console.Session) error {
	if err := cmp.Or(console.AboveZero("--time", c.Time), console.AboveZero("--every", c.Every)); err != nil {
		return err
	}
	switch {
	case c.Threads < 0 || c.Threads > agent.MostThreads:
		return console.Usagef("--threads must be from 0 to %d", agent.MostThreads)
	case c.Record != "" && len(c.Moves) > 0:
		return console.Usagef("--record and --moves both say how the position is reached")
	case c.Record == "" && c.Step != nil:
		return console.Usagef("--step is about a record: --record names it")
	}
	game, program, _, err := load.Read(s, c.Game)
	if err != nil {
		return err
	}
	var opening [][]kif.Term
	if c.Record != "" {
		if opening, err = readOpening(s, c.Record, c.Step); err != nil {
			return err
		}
	}
	stop, release := stopWith(s.Ctx)
	defer release()
	position, err := c.position(program, opening, stop)
	if err != nil {
		return err
	}
	if !c.JSON {
		options := drawingOptions(s)
		options.Drawing, _ = readDrawing(game)
		options.Frame, options.Possible = position.initial, program.Fluents()
		board.Draw(s.Data(), position.fluents, options)
	}
	if position.terminal {
		return fmt.Errorf("the position after %s is the end of the match", words.Count(len(position.joints), "step", "steps"))
	}
	p, err := c.player(s, game, program, stop)
	if err != nil {
		return err
	}
	for _, joint := range position.joints {
		if err := p.Advance(joint); err != nil {
			return err
		}
	}
	a := analysis{analyzeCmd: c, session: s, player: p, roles: load.RoleNames(program)}
	return a.run()
}

// position is what is thought about.
type position struct {
	joints   [][]kif.Term // that lead there
	initial  []kif.Term
	fluents  []kif.Term
	terminal bool
}

// position finds it with the prover, before anybody thinks for long.
func (c *analyzeCmd) position(program *gdl.Program, opening [][]kif.Term, stop *atomic.Bool) (position, error) {
	m, err := reasoner.NewProver(program)
	if err != nil {
		return position{}, err
	}
	p, err := local.NewPlayer(m, agent.Default(), 0, c.Seed, stop)
	if err != nil {
		return position{}, err
	}
	initial := p.Fluents()
	joints := opening
	for i, joint := range opening {
		if err := p.Advance(joint); err != nil {
			return position{}, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	for i, text := range c.Moves {
		joint, err := jointOf(p, text)
		if err == nil {
			err = p.Advance(joint)
		}
		if err != nil {
			return position{}, console.Usagef("step %d: %v", i+1, err)
		}
		joints = append(joints, joint)
	}
	return position{joints, initial, p.Fluents(), p.Terminal()}, nil
}

// jointOf reads a joint move, or the move of the one role that has a choice, as
// people write it.
func jointOf(p *local.Player, text string) ([]kif.Term, error) {
	var joint []kif.Term
	mover := -1
	for role := range p.Roles() {
		moves := p.Legal(role)
		switch {
		case len(moves) == 0:
			return nil, errors.New("the match is over before it")
		case len(moves) > 1 && mover < 0:
			mover = role
		case len(moves) > 1:
			mover = p.Roles() // several
		}
		joint = append(joint, moves[0])
	}
	if whole, err := kif.ParseTerm(text); err == nil && len(whole.Items) == p.Roles() && (p.Roles() > 1 || whole.Items[0].IsList()) && isJoint(p, whole.Items) {
		return whole.Items, nil
	}
	switch {
	case mover < 0: // nobody has a choice, and one of the moves is to be named
		if _, err := referee.Typed(text, joint); err != nil {
			return nil, err
		}
	case mover == p.Roles():
		return nil, fmt.Errorf("several roles move: %q is no list of moves, such as ((mark a 1) noop)", printable.Text(text, console.ShownText))
	default:
		move, err := referee.Typed(text, p.Legal(mover))
		if err != nil {
			return nil, err
		}
		joint[mover] = move
	}
	return joint, nil
}

// isJoint tells whether each role may make its move.
func isJoint(p *local.Player, moves []kif.Term) bool {
	for role, move := range moves {
		if !slices.ContainsFunc(p.Legal(role), func(legal kif.Term) bool { return kif.EqualFold(legal, move) }) {
			return false
		}
	}
	return true
}

// player is who thinks, at the initial state.
func (c *analyzeCmd) player(s *console.Session, game games.Game, program *gdl.Program, stop *atomic.Bool) (*local.Player, error) {
	a := agent.Automatic()
	if c.Agent != "" {
		var err error
		if a, err = agent.Find(c.Agent); err != nil {
			return nil, err
		}
	}
	threads := cmp.Or(c.Threads, runtime.GOMAXPROCS(0))
	var m reasoner.Machine
	var err error
	if a.Automatic() {
		const most = 20 * time.Second
		within := min(c.Time, most)
		progress := console.NewStages(s, "analyze "+printable.Text(game.Name, 60), within)
		made, fault := choice.Choose(s.Ctx, program, a, reasoner.DefaultLimits, choice.Options{
			Time: within, Play: c.Time, Threads: threads, Seed: c.Seed, Begin: progress.Begin, Recall: recalled(s, program),
		})
		progress.End()
		if fault != nil {
			return nil, fault
		}
		a, m = made.Agent, made.Machine
	} else {
		stop := console.ShowWork(s, "making the game ready", func() string { return "" })
		m, err = machines.NewCache(program, reasoner.DefaultLimits).ForAgent(s.Ctx, a, a.Variant())
		stop()
		if err != nil {
			return nil, err
		}
	}
	a.General.Threads = threads
	role := 0
	for role < len(m.Roles())-1 && strings.EqualFold(m.Roles()[role].Name, "random") {
		role++
	}
	return local.NewPlayer(m, a, role, c.Seed, stop)
}

// analysis is what is told of a position while somebody thinks about it.
type analysis struct {
	*analyzeCmd
	session *console.Session
	player  *local.Player
	roles   []string
	begun   time.Time
	done    search.Report // of all so far: iterations, playouts
}

// telling is a report as it is printed.
type telling struct {
	Seconds    float64      `json:"seconds"`
	Iterations int          `json:"iterations"`
	Nodes      int          `json:"nodes"`
	Roles      []roleReport `json:"roles"`
	Line       [][]string   `json:"line"` // joint moves
}

// roleReport is what is told of a role. Goals are from 0 to 100.
type roleReport struct {
	Role  string       `json:"role"`
	Value float64      `json:"value"`
	Low   *float64     `json:"low,omitempty"` // proven bounds
	High  *float64     `json:"high,omitempty"`
	Best  string       `json:"best,omitempty"`
	Moves []moveReport `json:"moves,omitempty"`
}

type moveReport struct {
	Move   string  `json:"move"`
	Visits int     `json:"visits"`
	Value  float64 `json:"value"`
}

// run thinks, and tells, until the time is over or there is nothing left to find.
func (a *analysis) run() error {
	a.begun = time.Now()
	end := a.begun.Add(a.Time)
	for {
		slice := min(a.Every, time.Until(end))
		if slice <= 0 {
			return nil
		}
		r, err := a.player.Prepare(search.Budget{Time: slice})
		if a.session.Ctx.Err() != nil {
			return a.session.Ctx.Err()
		}
		if err != nil {
			return err
		}
		a.done.Iterations += r.Iterations
		if err := a.tell(r); err != nil {
			return err
		}
		if r.Elapsed < slice/2 { // everything is proven
			return nil
		}
	}
}

func (a *analysis) tell(r search.Report) error {
	t := telling{Seconds: time.Since(a.begun).Seconds(), Iterations: a.done.Iterations, Nodes: r.Nodes}
	for _, joint := range a.player.Line(r) {
		var moves []string
		for _, move := range joint {
			moves = append(moves, move.String())
		}
		t.Line = append(t.Line, moves)
	}
	for i, name := range a.roles {
		one := roleReport{Role: name}
		if r.Value != nil {
			one.Value = 100 * r.Value[i]
		}
		if r.Low != nil {
			low, high := 100*r.Low[i], 100*r.High[i]
			one.Low, one.High = &low, &high
		}
		if a.player.HasChoice(i) {
			if best, ok := a.player.Best(i); ok {
				one.Best = best.String()
			}
			moves := a.player.Moves(i)
			if a.Most > 0 {
				moves = moves[:min(a.Most, len(moves))]
			}
			for _, move := range moves {
				one.Moves = append(one.Moves, moveReport{move.Move.String(), move.Visits, 100 * move.Value})
			}
		}
		t.Roles = append(t.Roles, one)
	}
	if a.JSON {
		return a.session.JSON(t)
	}
	return t.print(a.session)
}

func (t *telling) print(s *console.Session) error {
	fmt.Fprintf(s.Out, "\n%.1f s, %d iterations, %d nodes\n", t.Seconds, t.Iterations, t.Nodes)
	for _, r := range t.Roles {
		proven := ""
		switch {
		case r.Low == nil:
		case *r.Low == *r.High:
			proven = fmt.Sprintf(", proven %.0f", *r.Low)
		case *r.Low > 0 || *r.High < 100:
			proven = fmt.Sprintf(", proven from %.0f to %.0f", *r.Low, *r.High)
		}
		fmt.Fprintf(s.Out, "%s: %.1f%s\n", printable.Text(r.Role, console.ShownText), r.Value, proven)
		table := tabwriter.NewWriter(s.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
		for _, m := range r.Moves {
			mark := ""
			if m.Move == r.Best {
				mark = "best"
			}
			fmt.Fprintf(table, "%d\t%.1f\t  %s %s\n", m.Visits, m.Value, printable.Text(m.Move, console.ShownText), mark)
		}
		if len(r.Moves) == 0 && r.Best != "" { // the algorithm keeps no figures of moves
			fmt.Fprintf(table, "best: %s\n", printable.Text(r.Best, console.ShownText))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	var line []string
	for _, joint := range t.Line {
		line = append(line, strings.Join(joint, " / "))
	}
	if len(line) > 0 {
		fmt.Fprintf(s.Out, "line: %s\n", printable.Text(strings.Join(line, ", "), 300))
	}
	return nil
}
