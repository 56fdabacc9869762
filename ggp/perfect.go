package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/perfect"
	"semisplit/internal/revision"
	"semisplit/internal/words"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/arena"
	"semisplit/player/board"
	"semisplit/player/choice"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/search"
)

// perfectCmd lets agents choose in positions whose best moves are known.
type perfectCmd struct {
	Files     []string        `arg:"" type:"path" help:"Sets of positions (JSON, see docs/experiments/perfect)."`
	Agents    []string        `default:"auto,snodal-s-mod-mast,random" help:"Presets or agent files, with commas between."`
	Times     []time.Duration `default:"0.1,1,10" help:"Times for a move, with commas between."`
	Idle      time.Duration   `help:"Time before each move, as while others choose: alpha-beta learns on from the position, as it does in a match (learn_on)."`
	Positions int             `help:"How many positions of a set, spread evenly over it; 0: all."`
	Start     time.Duration   `default:"20" help:"Start clock: of it the automatic choice takes 80%, as in a match."`
	Seed      uint64          `default:"1" help:"Seed of everything random."`
}

func (c *perfectCmd) Run(s *console.Session) error {
	if err := console.AboveZero("--start", c.Start); err != nil {
		return err
	}
	for _, t := range c.Times {
		if err := console.AboveZero("--times", t); err != nil {
			return err
		}
	}
	if c.Positions < 0 {
		return console.Usagef("--positions must not be below 0")
	}
	var agents []agent.Agent
	for _, name := range c.Agents {
		a, err := agent.Find(name)
		if err != nil {
			return err
		}
		a.General.Threads = 1
		agents = append(agents, a)
	}
	fmt.Fprintf(s.Out, "# Moves that keep the value\n\nThe share of positions in which an agent chose a move that keeps what best play brings, in percent, with intervals of %.0f%%: in all of a set, and by the distance of the end.\n"+
		"A position is thought about from nothing; machines and the automatic choice (start clock %v) are made once for each row. Iterations tell how busy the processor was.\n", 100*arena.Level, c.Start)
	if c.Idle > 0 {
		fmt.Fprintf(s.Out, "Before each move there are %v, as while others choose.\n", c.Idle)
	}
	fmt.Fprintf(s.Out, "Played on %s: %s, %s, %s; program %s; one thread.\n", time.Now().Format(time.DateOnly), runtime.GOARCH, words.Count(runtime.GOMAXPROCS(0), "processor", "processors"), runtime.Version(), revision.Own())
	for _, file := range c.Files {
		set, err := perfect.Read(file)
		if err == nil {
			err = c.set(s, strings.TrimSuffix(filepath.Base(file), ".json"), set, agents)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// set prints the table of a set. The heading has the name of its file where that is not
// the game's: a game may have several.
func (c *perfectCmd) set(s *console.Session, name string, set perfect.Set, agents []agent.Agent) error {
	game, program, _, err := load.Read(s, set.Game)
	if err != nil {
		return err
	}
	set.Positions = spreadOut(set.Positions, c.Positions)
	cache := machines.NewCache(program, reasoner.DefaultLimits)
	chance, err := anyMove(s.Ctx, cache, set)
	if err != nil {
		return err
	}
	groups := distances(set)
	heading := game.Name
	if name != heading {
		heading += " (" + name + ")"
	}
	fmt.Fprintf(s.Out, "\n## %s\n\n%s; %s.\n\n| agent | a move | all %d |", cell(heading), cell(set.About), words.Count(len(set.Positions), "position", "positions"), len(set.Positions))
	for _, g := range groups {
		fmt.Fprintf(s.Out, " %d at %s |", len(g.of(set, chance)), g)
	}
	fmt.Fprintf(s.Out, " iterations a move |\n|---|--:|--:|%s--:|\n", strings.Repeat("--:|", len(groups)))
	row := func(name, time string, scores []float64, iterations string, spell func([]float64) string) {
		fmt.Fprintf(s.Out, "| %s | %s | %s |", cell(name), time, spell(scores))
		for _, g := range groups {
			fmt.Fprintf(s.Out, " %s |", spell(g.of(set, scores)))
		}
		fmt.Fprintf(s.Out, " %s |\n", iterations)
	}
	row("any legal move, expected", "", chance, "", mean)
	for _, a := range agents {
		for _, move := range c.Times {
			fmt.Fprintf(s.Notes(), "%s: %s, %v a move\n", game.Name, a.Name, move)
			o, err := c.sit(s.Ctx, cache, program, a, move)
			if err != nil {
				return fmt.Errorf("%s: %w", a.Name, err)
			}
			scores, iterations, err := o.choose(s.Ctx, set, c.Idle, move, c.Seed)
			if err != nil {
				return fmt.Errorf("%s: %w", a.Name, err)
			}
			row(o.name, move.String(), scores, console.SI(iterations), share)
		}
	}
	return nil
}

// spreadOut are so many positions with the same steps between; 0: all.
func spreadOut(all []perfect.Position, n int) (some []perfect.Position) {
	if n == 0 || n >= len(all) {
		return all
	}
	for i := range n {
		some = append(some, all[i*len(all)/n])
	}
	return some
}

// group are the positions of some distances.
type group struct{ low, high int }

func (g group) String() string {
	if g.low == g.high {
		return fmt.Sprint(g.low)
	}
	return fmt.Sprintf("%d to %d", g.low, g.high)
}

// of are their figures.
func (g group) of(set perfect.Set, figures []float64) (some []float64) {
	for i, p := range set.Positions {
		if p.Distance >= g.low && p.Distance <= g.high {
			some = append(some, figures[i])
		}
	}
	return some
}

// distances are three groups with about as many positions each, or fewer where
// there are not so many distances.
func distances(set perfect.Set) (groups []group) {
	const count = 3
	var all []int
	for _, p := range set.Positions {
		all = append(all, p.Distance)
	}
	slices.Sort(all)
	for i, d := range all {
		begins := i == 0 || d != all[i-1] && i >= len(groups)*len(all)/count
		if begins {
			groups = append(groups, group{low: d})
		}
		groups[len(groups)-1].high = d
	}
	return groups
}

// mean is a mean in percent.
func mean(figures []float64) string { return fmt.Sprintf("%.1f", 100*arena.MeanOf(figures).Mean) }

// share is a mean in percent with its interval.
func share(scores []float64) string {
	return arena.MeanOf(scores).Percent()
}

// cell is a text that does not end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// thinker is who chooses.
type thinker struct {
	name    string
	agent   agent.Agent
	machine reasoner.Machine
}

// sit makes an agent ready as at the start of a match.
func (c *perfectCmd) sit(ctx context.Context, cache *machines.Cache, program *gdl.Program, a agent.Agent, move time.Duration) (thinker, error) {
	if !a.Automatic() {
		m, err := cache.ForAgent(ctx, a, a.Variant())
		return thinker{a.Name, a, m}, err
	}
	made, err := choice.Choose(ctx, program, a, reasoner.DefaultLimits, choice.Options{
		Time: c.Start * 8 / 10, Play: move, Threads: 1, Seed: c.Seed, Ponders: c.Idle > 0,
	})
	if err = errors.Join(err, ctx.Err()); err != nil { // a choice that was cut short is none
		return thinker{}, err
	}
	return thinker{a.Name + ": " + made.Chosen.Name, made.Agent, made.Machine}, nil
}

// choose tells for each position whether the move keeps the value, 1 or 0, and
// how many iterations a move took.
func (t thinker) choose(ctx context.Context, set perfect.Set, idle, move time.Duration, seed uint64) (scores []float64, iterations float64, err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	for i, p := range set.Positions {
		b, err := board.New(t.machine, seed, &stop)
		if err != nil {
			return nil, 0, err
		}
		line, mover, keep, err := follow(b, p)
		if err != nil {
			return nil, 0, fmt.Errorf("position %d: %w", i+1, err)
		}
		brain, err := local.NewPlayer(t.machine, t.agent, mover, seed+uint64(i), &stop)
		if err != nil {
			return nil, 0, err
		}
		for _, joint := range line {
			if err := brain.Advance(joint); err != nil {
				return nil, 0, err
			}
		}
		if idle > 0 {
			if _, err := brain.Prepare(search.Budget{Time: idle, Idle: true}); err != nil {
				return nil, 0, err
			}
		}
		chosen, report, err := brain.Choose(search.Budget{Time: move})
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, 0, err
		}
		score := 0.0
		if slices.Contains(keep, chosen.String()) {
			score = 1
		}
		scores = append(scores, score)
		iterations += float64(report.Iterations) / float64(len(set.Positions))
	}
	return scores, iterations, nil
}

// anyMove is the share of the legal moves that keep the value, by position.
func anyMove(ctx context.Context, cache *machines.Cache, set perfect.Set) (shares []float64, err error) {
	m, err := cache.ForAgent(ctx, agent.Default(), reasoner.Variant{Engine: agent.EngineProver})
	if err != nil {
		return nil, err
	}
	for i, p := range set.Positions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := board.New(m, 1, nil)
		if err != nil {
			return nil, err
		}
		_, mover, keep, err := follow(b, p)
		if err != nil {
			return nil, fmt.Errorf("position %d: %w", i+1, err)
		}
		shares = append(shares, float64(len(keep))/float64(len(b.Paths(mover))))
	}
	return shares, nil
}

// follow plays the moves that lead to a position, and returns them as joint
// moves, who moves then, and the moves that keep the value, as the machine spells
// them.
func follow(b *board.Board, p perfect.Position) (line [][]kif.Term, mover int, keep []string, err error) {
	for i, move := range p.Moves {
		joint, _, err := jointMove(b, move)
		if err != nil {
			return nil, 0, nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		if err := b.Play(joint); err != nil {
			return nil, 0, nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		line = append(line, joint)
	}
	for _, move := range p.Keep {
		joint, role, err := jointMove(b, move)
		if err != nil {
			return nil, 0, nil, fmt.Errorf("move to be kept to: %w", err)
		}
		mover = role
		keep = append(keep, joint[role].String())
	}
	return line, mover, keep, nil
}

// jointMove is a move of the only role that has it, with those of the others,
// which must have no choice.
func jointMove(b *board.Board, text string) (joint []kif.Term, mover int, err error) {
	move, err := kif.ParseTerm(text)
	if err != nil {
		return nil, 0, err
	}
	mover = -1
	alone := true
	for role := range b.Roles() {
		path, ok := b.Find(role, move)
		switch few := b.FirstPaths(role, 2); {
		case ok && mover < 0:
			mover = role
		case len(few) == 1:
			path = few[0]
		default:
			alone = false
			continue
		}
		joint = append(joint, b.Machine().Move(role, path))
	}
	switch {
	case mover < 0:
		return nil, 0, fmt.Errorf("%w: %s", board.ErrIllegal, text)
	case !alone:
		return nil, 0, fmt.Errorf("%s: another role has a choice as well", text)
	}
	return joint, mover, nil
}
