package arena

import (
	"context"
	"fmt"
	"sync/atomic"

	"semisplit/player/board"
	"semisplit/player/local"
	"semisplit/reasoner"
)

// sit seats the brains of a match at the initial state.
func (r *runner) sit(ctx context.Context, j job, sides local.Seating, seed uint64, stop *atomic.Bool) (*local.Match, error) {
	s := j.series
	var machines [2]reasoner.Machine
	for who, c := range s.sides() {
		m, err := s.game.machine(ctx, r, c.Agent)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Label, err)
		}
		machines[who] = m
	}
	judge, err := board.New(machines[local.SecondSide], seed, stop)
	if err != nil {
		return nil, err
	}
	var seats []local.Seat
	for role, who := range sides {
		seat := local.Seat{Side: who}
		if who != local.Chance {
			c := s.sides()[who]
			seat.Name = c.Label
			if seat.Thinker, err = r.newBrain(machines[who], c.Agent, role, seed+uint64(role)+1, stop); err != nil {
				return nil, fmt.Errorf("%s as %v: %w", c.Label, machines[who].Roles()[role], err)
			}
		}
		seats = append(seats, seat)
	}
	return local.NewMatch(judge, seats, seed), nil
}
