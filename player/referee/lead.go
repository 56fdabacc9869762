package referee

import (
	"context"
	"fmt"
	"time"

	"semisplit/protocol"
)

// listener is a seat that can be told a turn without being asked for a move. Other
// seats are asked in the turns of a lead too, for players on the wire follow a
// match by what they are asked, and the reply is dropped.
type listener interface {
	Follow(ctx context.Context, m protocol.Play) error
}

// lead plays the next joint move of the lead.
func (m *match) lead(ctx context.Context) error {
	line := m.Lead[m.result.Steps]
	if len(line) != len(m.roles) {
		return fmt.Errorf("the lead: step %d has %d moves for %d roles", m.result.Steps+1, len(line), len(m.roles))
	}
	paths := make([][]uint32, len(m.roles))
	for role, move := range line {
		path, ok := m.board.Find(role, move)
		if !ok {
			return fmt.Errorf("the lead: step %d: %v has no legal move %v", m.result.Steps+1, m.roles[role], move)
		}
		paths[role] = path
	}
	asks := m.messages()
	tell(ctx, m, m.PlayClock+m.Grace, func(ctx context.Context, seat Seat, role int) (struct{}, error) {
		if f, ok := seat.(listener); ok {
			return struct{}{}, f.Follow(ctx, asks[role])
		}
		_, err := seat.Play(ctx, asks[role])
		return struct{}{}, err
	})
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("cancelled: %w", err)
	}
	return m.turn(paths, make([]string, len(m.roles)), make([]error, len(m.roles)), make([]time.Duration, len(m.roles)), nil)
}
