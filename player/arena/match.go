package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/player"
	"semisplit/reasoner"
	"semisplit/search"
)

// brain is what plays for a role; player.Brain is one.
type brain interface {
	Advance(moves []kif.Term) error
	Prepare(search.Budget) (search.Report, error)
	Choose(search.Budget) (kif.Term, search.Report, error)
}

// table is one match in progress: a judge that knows the state and what is
// legal, and a brain for each seat, which follow on their own.
type table struct {
	judge  *player.Board
	brains []brain // by role; nil for chance
	sides  match
	names  [2]string // of the sides
	random *rand.Rand
	turns  int

	effort [2]Effort // by side
}

// errStalled ends a match in which a role has no legal move.
var errStalled = errors.New("a role has no legal move")

// spread is a generator for one purpose of a play.
func spread(seed uint64, purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }

// sit seats the brains of a match at the initial state.
func (r *runner) sit(ctx context.Context, j job, sides match, seed uint64, stop *atomic.Bool) (*table, error) {
	s := j.series
	var machines [2]reasoner.Machine
	for who, c := range s.sides() {
		m, err := s.game.machine(ctx, r, c.Agent)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Label, err)
		}
		machines[who] = m
	}
	judge, err := player.NewBoard(machines[baselineSide], seed, stop)
	if err != nil {
		return nil, err
	}
	t := &table{judge: judge, sides: sides, names: [2]string{s.agent.Label, s.baseline.Label}, random: spread(seed, 0)}
	for role, who := range sides {
		if who == chance {
			t.brains = append(t.brains, nil)
			continue
		}
		b, err := r.newBrain(machines[who], s.sides()[who].Agent, role, seed+uint64(role)+1, stop)
		if err != nil {
			return nil, t.blame(role, err)
		}
		t.brains = append(t.brains, b)
	}
	return t, nil
}

// blame says whose error it is.
func (t *table) blame(role int, err error) error {
	return fmt.Errorf("%s as %v, turn %d: %w", t.names[t.sides[role]], t.judge.Machine().Roles()[role], t.turns, err)
}

// open plays random joint moves, the same for the same seed on every machine,
// and never to the end of the match: fewer, if need be.
func (t *table) open(moves int, seed uint64) (played int, err error) {
	const attempts = 10
	m := t.judge.Machine()
	for count := moves; count > 0; count-- {
		for attempt := range attempts {
			line, err := t.randomLine(count, spread(seed, uint64(count*attempts+attempt)))
			if err != nil {
				return 0, err
			}
			if len(line) < count || t.judge.Terminal() {
				continue
			}
			if err := t.judge.Set(m.Initial()); err != nil {
				return 0, err
			}
			for _, joint := range line {
				if err := t.advance(joint); err != nil {
					return 0, err
				}
			}
			return count, nil
		}
	}
	return 0, t.judge.Set(m.Initial())
}

// randomLine plays random moves on the judge's board alone, from the initial
// state until the match ends or so many have been played. Moves are drawn in
// the order of their spelling, which is that of no machine.
func (t *table) randomLine(count int, random *rand.Rand) (line [][]kif.Term, err error) {
	if err := t.judge.Set(t.judge.Machine().Initial()); err != nil {
		return nil, err
	}
	for len(line) < count && !t.judge.Terminal() {
		joint := make([]kif.Term, len(t.sides))
		for role := range joint {
			move, ok := randomMove(t.judge, role, random)
			if !ok {
				return line, nil
			}
			joint[role] = move
		}
		paths, err := t.judge.Joint(joint)
		if err != nil {
			return nil, err
		}
		if err := t.judge.Moved(paths); err != nil {
			return nil, err
		}
		line = append(line, joint)
	}
	return line, nil
}

// advance plays a joint move everywhere.
func (t *table) advance(moves []kif.Term) error {
	for role, move := range moves {
		if _, ok := t.judge.Find(role, move); !ok {
			err := fmt.Errorf("%w: %v", player.ErrIllegal, move)
			if t.sides[role] == chance {
				return err
			}
			return t.blame(role, err)
		}
	}
	joint, err := t.judge.Joint(moves)
	if err != nil {
		return err
	}
	if err := t.judge.Moved(joint); err != nil {
		return err
	}
	t.turns++
	for role, b := range t.brains {
		if b == nil {
			continue
		}
		if err := b.Advance(moves); err != nil {
			return t.blame(role, err)
		}
	}
	return nil
}

// run plays to the end, one brain after the other.
func (t *table) run(ctx context.Context, budgets [2]search.Budget, start search.Budget, most int) error {
	if start != (search.Budget{}) && !t.judge.Terminal() {
		for role, b := range t.brains {
			if b == nil {
				continue
			}
			if _, err := b.Prepare(start); err != nil {
				return t.blame(role, err)
			}
		}
	}
	for !t.judge.Terminal() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if t.turns >= most {
			return fmt.Errorf("the match has not ended after %d joint moves", most)
		}
		moves := make([]kif.Term, len(t.brains))
		for role := range moves {
			var err error
			if moves[role], err = t.choose(role, budgets); errors.Is(err, errStalled) {
				return nil
			} else if err != nil {
				return err
			}
		}
		if err := t.advance(moves); err != nil {
			return err
		}
	}
	return nil
}

// choose is the move of a role. errStalled: it has none.
func (t *table) choose(role int, budgets [2]search.Budget) (kif.Term, error) {
	if t.brains[role] == nil {
		move, ok := randomMove(t.judge, role, t.random)
		if !ok {
			return kif.Term{}, errStalled
		}
		return move, nil
	}
	move, report, err := t.brains[role].Choose(budgets[t.sides[role]])
	if errors.Is(err, player.ErrNoMove) && len(t.judge.Paths(role)) == 0 {
		return kif.Term{}, errStalled
	}
	if err != nil {
		return kif.Term{}, t.blame(role, err)
	}
	t.effort[t.sides[role]].add(report)
	return move, nil
}

func (e *Effort) add(r search.Report) {
	if r.Iterations == 0 {
		return
	}
	e.Moves++
	e.Iterations += int64(r.Iterations)
	e.Playouts += int64(r.Playouts)
	e.States += int64(r.States)
	e.Time += r.Elapsed
	e.Longest = max(e.Longest, r.Elapsed)
}

func (e *Effort) join(f Effort) {
	e.Moves += f.Moves
	e.Iterations += f.Iterations
	e.Playouts += f.Playouts
	e.States += f.States
	e.Time += f.Time
	e.Longest = max(e.Longest, f.Longest)
}
