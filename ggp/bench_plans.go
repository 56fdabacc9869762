package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
)

// The plans of the table, as in table 1 of J. Kowalski et al., Split Moves for
// Monte-Carlo Tree Search, 2022.
var tablePlans = []string{"orthodox", "mod", "modplus", "modshift"}

// planLimit bounds the set-up of a game under one plan.
const planLimit = 60 * time.Second

// plans prints a table in Markdown of games under each plan.
func (c *benchCmd) plans(s *session) error {
	list := c.Games
	if len(list) == 0 {
		list = games.Names()
	}
	fmt.Fprintf(s.out, "# Games under each plan\n\nRandom playouts on one thread, the best of %d runs of %v s: `ggp bench --plans`. A nodal state is reached by a joint move; all states are\n"+
		"those between semimoves as well, of roles that have a choice. Branching is over the states of random matches, of such roles.\n\n", c.Runs, c.Seconds)
	fmt.Fprintf(s.out, "| game | plan | engine | nodal states/s | | playouts/s | nodal states a playout | all states a playout | branching, nodal | branching, all | dead | gates | set-up |\n")
	fmt.Fprintf(s.out, "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, name := range list {
		game, err := loadGame(s, name)
		if err != nil {
			return err
		}
		program, diagnostics := reasoner.Read(game.Rules)
		if err := diagnostics.Err(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		outline := reasoner.NewOutline(program)
		whole := 0.0
		for _, plan := range tablePlans {
			named, ok := outline.Named(plan)
			if ok && named != plan {
				fmt.Fprintf(s.out, "| %s | %s | like %s | | | | | | | | | | |\n", name, plan, named)
				continue
			} else if !ok {
				continue
			}
			row, err := c.planRow(s.ctx, outline, plan)
			if s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			if err != nil {
				fmt.Fprintf(s.out, "| %s | %s | none: %v | | | | | | | | | | |\n", name, plan, err)
				continue
			}
			if plan == "orthodox" {
				whole = row.speed
			}
			row.print(s, name, plan, whole)
		}
	}
	return nil
}

// planRow is what was measured of a game under a plan.
type planRow struct {
	engine        string
	speed         float64 // nodal states a second
	playouts      float64 // a second
	nodal         float64 // states a playout
	dead          float64
	gates         int
	setUp         time.Duration
	moves, depth  float64 // legal moves, and semimoves of a move, of a role that has a choice
	offers        float64 // semimoves to choose from, in the mean state
	choosingRoles float64 // a nodal state
}

func (r *planRow) print(s *session, game, plan string, whole float64) {
	relative := ""
	if whole > 0 {
		relative = fmt.Sprintf("%.0f%%", 100*r.speed/whole)
	}
	gates := ""
	if r.gates > 0 {
		gates = fmt.Sprint(r.gates)
	}
	fmt.Fprintf(s.out, "| %s | %s | %s | %s | %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f%% | %s | %.2f s |\n", game, plan, r.engine, si(r.speed), relative,
		si(r.playouts), r.nodal, r.nodal*r.depth*r.choosingRoles, r.moves, r.offers, 100*r.dead, gates, r.setUp.Seconds())
}

func (c *benchCmd) planRow(ctx context.Context, outline *reasoner.Outline, plan string) (*planRow, error) {
	limited, cancel := context.WithTimeout(ctx, planLimit)
	defer cancel()
	begin := time.Now()
	var m reasoner.Machine
	circuit, err := outline.Circuit(limited, plan, reasoner.DefaultLimits)
	if err == nil {
		m, err = circuit.Quickest()
	}
	row := &planRow{}
	if err != nil {
		// Too large for a circuit: the prover plays it all the same.
		if m, err = outline.Prover(plan, reasoner.DefaultLimits); err != nil {
			return nil, err
		}
		row.engine = "prover"
	} else {
		row.engine, row.gates = fmt.Sprintf("%d lanes", m.Lanes()), gates(m)
	}
	row.setUp = time.Since(begin)
	for run := range c.Runs {
		tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: c.Seed + uint64(run), Time: seconds(c.Seconds)})
		if err != nil {
			return nil, err
		}
		elapsed := tally.Elapsed.Seconds()
		if speed := ratio(float64(tally.States), elapsed); speed > row.speed {
			row.speed, row.playouts = speed, ratio(float64(tally.Playouts), elapsed)
			row.nodal = ratio(float64(tally.Plies), float64(tally.Playouts))
			row.dead = ratio(float64(tally.Dead), float64(tally.Tries))
		}
	}
	return row, row.look(m, c.Seed, seconds(c.Seconds))
}

// look walks at random and looks at what there is to choose from.
func (r *planRow) look(m reasoner.Machine, seed uint64, limit time.Duration) error {
	const enough = 20_000 // nodal states
	w := walk{engine: m.NewNarrow(seed), random: rand.New(rand.NewPCG(seed, 11))}
	state := m.Initial()
	var joint []uint32
	nodal, choosing, moves, depth := 0, 0, 0, 0
	for end := time.Now().Add(limit); nodal < enough && time.Now().Before(end); {
		w.engine.Load(0, state, joint)
		ended, err := w.engine.Step(nil)
		if err != nil {
			return err
		}
		if ended[0]&1 != 0 {
			state, joint = m.Initial(), nil
			continue
		}
		state, joint = w.engine.State(0, nil), nil
		nodal++
		for role := range m.Roles() {
			count := w.count(role, nil, m.Levels(role))
			if count == 0 {
				joint = nil // the role is stuck: so ends the playout
				break
			}
			if w.counting = count > 1; w.counting {
				choosing++
				moves += count
				depth += m.Levels(role)
			}
			path, _ := w.path(role, nil, m.Levels(role))
			joint = append(joint, path...)
		}
		if joint == nil {
			state = m.Initial()
		}
	}
	r.moves, r.depth = ratio(float64(moves), float64(choosing)), ratio(float64(depth), float64(choosing))
	r.choosingRoles = ratio(float64(choosing), float64(nodal))
	r.offers = ratio(float64(w.offers), float64(w.states))
	return nil
}

// walk chooses semimoves of one position at random.
type walk struct {
	engine   reasoner.Engine
	random   *rand.Rand
	counting bool // states and what they offer
	states   int
	offers   int
}

// count is the number of legal moves after a prefix.
func (w *walk) count(role int, prefix []uint32, levels int) (n int) {
	if len(prefix) == levels {
		return 1
	}
	for _, semimove := range w.engine.Offers(0, role, prefix, nil) {
		n += w.count(role, append(prefix[:len(prefix):len(prefix)], semimove), levels)
	}
	return n
}

// path completes a prefix to a move, level by level; what turns out to be dead is
// taken back. False: there is none.
func (w *walk) path(role int, prefix []uint32, levels int) ([]uint32, bool) {
	if len(prefix) == levels {
		return prefix, true
	}
	offers := w.engine.Offers(0, role, prefix, nil)
	if w.counting {
		w.states++
		w.offers += len(offers)
	}
	w.random.Shuffle(len(offers), func(i, j int) { offers[i], offers[j] = offers[j], offers[i] })
	for _, semimove := range offers {
		if path, ok := w.path(role, append(prefix[:len(prefix):len(prefix)], semimove), levels); ok {
			return path, true
		}
	}
	return nil, false
}
