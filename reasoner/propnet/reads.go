package propnet

import (
	"fmt"
	"slices"
)

// reads tells what a node depends on beyond the fluents.
type reads struct {
	role    int32 // 0: no selection; r+1: selections of role r; several: of more than one role
	level   int32 // the deepest level of these selections
	movable bool  // some HasLegalMove
}

const several = -1

func (a reads) join(b reads) reads {
	switch {
	case a.role == 0:
		a.role, a.level = b.role, b.level
	case b.role == 0:
	case a.role != b.role:
		a.role, a.level = several, max(a.level, b.level)
	default:
		a.level = max(a.level, b.level)
	}
	a.movable = a.movable || b.movable
	return a
}

// reads computes for every node what it depends on.
func (n *Net) reads() []reads {
	out := make([]reads, len(n.Ops))
	for r, role := range n.Roles {
		for l, level := range role.Levels {
			for _, s := range level.Select {
				if s != False {
					out[s] = reads{role: int32(r + 1), level: int32(l)}
				}
			}
		}
		if role.HasLegalMove != False {
			out[role.HasLegalMove] = reads{movable: true}
		}
	}
	visit := func(i int) {
		for _, a := range n.operands(Node(i)) {
			out[i] = out[i].join(out[a])
		}
	}
	cycle := 0
	for i := range n.Ops {
		visit(i)
		if cycle < len(n.Cycles) && Node(i) == n.Cycles[cycle].To-1 {
			// Each gate of a cycle leads to all others.
			c, all := n.Cycles[cycle], reads{}
			for k := c.From; k < c.To; k++ {
				all = all.join(out[k])
			}
			for k := c.From; k < c.To; k++ {
				out[k] = all
			}
			cycle++
		}
	}
	return out
}

// Binding is, by role, how many of its first levels bind the others: what each level
// behind them offers hangs on the state and on what they have selected, and on nothing
// else. 0: every combination of offers is a move.
func (n *Net) Binding() []int {
	reads, binding := n.reads(), make([]int, len(n.Roles))
	for r, role := range n.Roles {
		for _, level := range role.Levels {
			for _, o := range level.Offer {
				if d := reads[o]; d.role != 0 {
					binding[r] = max(binding[r], int(d.level)+1)
				}
			}
		}
	}
	return binding
}

// checkReads makes sure that nothing is asked for before what it depends on
// is known: terminal and goals need the fluents and Movables alone, an offer
// the fluents and the selections of the levels before, of the same role.
func (n *Net) checkReads() error {
	reads := n.reads()
	if reads[n.Terminal].role != 0 {
		return fmt.Errorf("propnet: terminal depends on a selection")
	}
	for r, role := range n.Roles {
		for l, level := range role.Levels {
			for k, o := range slices.Concat(level.Offer, level.Prefer) {
				if d := reads[o]; d.movable || d.role != 0 && (d.role != int32(r+1) || int(d.level) >= l) {
					return fmt.Errorf("propnet: role %d, level %d: offer %d depends on what is chosen later, by another role, or on a HasLegalMove", r, l, k)
				}
			}
		}
		if reads[role.Winning].role != 0 {
			return fmt.Errorf("propnet: whether role %d is winning depends on a selection", r)
		}
		for _, g := range role.Goals {
			if reads[g.Node].role != 0 {
				return fmt.Errorf("propnet: goal %d of role %d depends on a selection", g.Value, r)
			}
		}
	}
	return nil
}
