package referee

import (
	"context"
	"fmt"
	"time"

	"semisplit/protocol"
)

// listener is a seat that can be told a turn without being asked for a move. Other
// seats are asked in the turns of an opening too, for players on the wire follow a
// match by what they are asked, and the reply is dropped.
type listener interface {
	Follow(ctx context.Context, m protocol.Play) error
}

// open plays the next joint move of the opening.
func (m *match) open(ctx context.Context) error {
	line := m.Opening[m.result.Steps]
	if len(line) != len(m.roles) {
		return fmt.Errorf("the opening: step %d has %d moves for %d roles", m.result.Steps+1, len(line), len(m.roles))
	}
	paths := make([][]uint32, len(m.roles))
	for role, move := range line {
		path, ok := m.board.Find(role, move)
		if !ok {
			return fmt.Errorf("the opening: step %d: %v has no legal move %v", m.result.Steps+1, m.roles[role], move)
		}
		paths[role] = path
	}
	ask := m.message()
	tell(ctx, m, m.PlayClock+m.Grace, func(ctx context.Context, seat Seat, _ int) (struct{}, error) {
		if f, ok := seat.(listener); ok {
			return struct{}{}, f.Follow(ctx, ask)
		}
		_, err := seat.Play(ctx, ask)
		return struct{}{}, err
	})
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("cancelled: %w", err)
	}
	return m.turn(paths, make([]string, len(m.roles)), make([]error, len(m.roles)), make([]time.Duration, len(m.roles)))
}
