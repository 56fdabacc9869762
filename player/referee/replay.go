package referee

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/protocol"
	"semisplit/reasoner"
)

// ErrContradicts is wrapped by Replay for a record that its rules contradict.
var ErrContradicts = errors.New("the record contradicts the rules")

// Replay plays a record on a machine for its rules and returns the first
// contradiction: an initial state or a next state that the rules don't give,
// an illegal move, a match that goes on after its end or is completed before
// it, other goals. A fluent without arguments may stand in parentheses. It
// returns soon after stop is set.
func Replay(m reasoner.Machine, r *protocol.Record, stop *atomic.Bool) error {
	if err := sameRoles(m, r); err != nil {
		return err
	}
	if len(r.States) == 0 {
		return fmt.Errorf("%w: it holds no state at all", ErrContradicts)
	}
	b, err := board.New(m, 1, stop)
	if err != nil {
		return fmt.Errorf("%w: the initial state: %w", ErrRules, err)
	}
	if err := sameState(b, r, 0); err != nil {
		return err
	}
	for turn := range r.Moves {
		if b.Terminal() {
			return fmt.Errorf("%w: the match is over after %d turns, and %d are recorded", ErrContradicts, turn, len(r.Moves))
		}
		moves, err := r.JointMove(turn)
		if err != nil {
			return err
		}
		joint, err := b.Joint(moves)
		if err != nil {
			return fmt.Errorf("%w: turn %d: %w", ErrContradicts, turn+1, err)
		}
		if err := b.Moved(joint); err != nil {
			return fmt.Errorf("%w after turn %d: %w", ErrRules, turn+1, err)
		}
		if err := sameState(b, r, turn+1); err != nil {
			return err
		}
	}
	return sameEnd(b, r)
}

func sameRoles(m reasoner.Machine, r *protocol.Record) error {
	var roles []string
	for _, role := range m.Roles() {
		roles = append(roles, role.String())
	}
	if !slices.EqualFunc(roles, r.GameRoleNames, strings.EqualFold) {
		return fmt.Errorf("%w: the roles are %v, not %.200v", ErrContradicts, roles, r.GameRoleNames)
	}
	return nil
}

// sameState compares a recorded state, a set of facts in any order, with that
// of the board.
func sameState(b *board.Board, r *protocol.Record, i int) error {
	recorded, err := r.State(i)
	if err != nil {
		return err
	}
	got, want := facts(recorded), facts(b.Fluents())
	for _, fact := range want {
		if _, found := slices.BinarySearch(got, fact); !found {
			return fmt.Errorf("%w: state %d lacks %s", ErrContradicts, i, fact)
		}
	}
	for _, fact := range got {
		if _, found := slices.BinarySearch(want, fact); !found {
			return fmt.Errorf("%w: state %d holds %.200s, which the rules don't give", ErrContradicts, i, fact)
		}
	}
	return nil
}

// facts are the texts of terms in a form to compare them by, sorted.
func facts(terms []kif.Term) []string {
	texts := make([]string, len(terms))
	for i, t := range terms {
		if len(t.Items) == 1 && t.Items[0].IsSymbol() {
			t = t.Items[0]
		}
		texts[i] = t.String()
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// sameEnd holds how the match ended against the last state.
func sameEnd(b *board.Board, r *protocol.Record) error {
	switch {
	case r.IsCompleted && !b.Terminal():
		return fmt.Errorf("%w: completed after %d turns, where the match is not over", ErrContradicts, len(r.Moves))
	case r.IsCompleted && !slices.Equal(b.Goals(), r.GoalValues):
		return fmt.Errorf("%w: the goals are %v, not %v", ErrContradicts, b.Goals(), r.GoalValues)
	}
	return nil
}

// CheckForm holds a record against what records promise beyond
// Record.Validate: times that don't run backwards, faults of a known form.
func CheckForm(r *protocol.Record) error {
	before := r.StartTime
	for i, at := range r.StateTimes {
		if at < before {
			return fmt.Errorf("%w: state %d is older than what was before it", ErrContradicts, i)
		}
		before = at
	}
	for i, row := range r.Errors {
		for _, fault := range row {
			if fault != "" && fault != protocol.FaultTimeout && fault != protocol.FaultConnection && fault != "IL" && !strings.HasPrefix(fault, "IL ") {
				return fmt.Errorf("%w: turn %d has the fault %.60q, which is none of TO, CE and IL", ErrContradicts, i+1, fault)
			}
		}
	}
	return nil
}
