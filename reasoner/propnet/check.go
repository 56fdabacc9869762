package propnet

import (
	"errors"
	"fmt"
)

// Check reports the first broken invariant of a net, or nil: the layout of
// the nodes, operands before gates outside of cycles, no negation inside one,
// and tables of equal lengths.
func (n *Net) Check() error {
	if len(n.First) != len(n.Ops)+1 || len(n.Ops) < 2+len(n.Fluents) {
		return fmt.Errorf("propnet: %d nodes, %d operand offsets, %d fluents", len(n.Ops), len(n.First), len(n.Fluents))
	}
	if len(n.Initial) != len(n.Fluents) || len(n.Next) != len(n.Fluents) {
		return fmt.Errorf("propnet: %d fluents, but %d initial values and %d next nodes", len(n.Fluents), len(n.Initial), len(n.Next))
	}
	if err := n.checkNodes(); err != nil {
		return err
	}
	if err := n.checkSpare(); err != nil {
		return err
	}
	bad := error(nil)
	n.roots(func(r *Node) {
		if *r < 0 || int(*r) >= len(n.Ops) {
			bad = fmt.Errorf("propnet: a root refers to node %d of %d", *r, len(n.Ops))
		}
	})
	if bad != nil {
		return bad
	}
	return n.checkRoles()
}

func (n *Net) checkSpare() error {
	if n.Spare == nil {
		return nil
	}
	if len(n.Spare) != len(n.Fluents) {
		return fmt.Errorf("propnet: %d fluents, but %d that may be spare", len(n.Fluents), len(n.Spare))
	}
	uses := n.uses()
	for i, spare := range n.Spare {
		if spare && (uses[2+i] > 0 || n.Initial[i] || n.Next[i] != False) {
			return fmt.Errorf("propnet: fluent %d is spare, but is read or can hold", i)
		}
	}
	return nil
}

func (n *Net) checkNodes() error {
	cycle, gates := 0, false
	for i, op := range n.Ops {
		node := Node(i)
		for cycle < len(n.Cycles) && n.Cycles[cycle].To <= node {
			cycle++
		}
		limit := node
		inside := cycle < len(n.Cycles) && n.Cycles[cycle].From <= node
		if inside {
			limit = n.Cycles[cycle].To
		}
		args := n.Args[n.First[i]:n.First[i+1]]
		isGate := op == And || op == Or || op == Not
		switch {
		case (i < 2) != (op == Const):
			return fmt.Errorf("propnet: node %d: constants are nodes 0 and 1", i)
		case i >= 2 && i < 2+len(n.Fluents) && op != Input:
			return fmt.Errorf("propnet: node %d should be a fluent", i)
		case gates && !isGate:
			return fmt.Errorf("propnet: node %d: an input after a gate", i)
		case isGate && len(args) == 0, !isGate && len(args) != 0, op == Not && len(args) != 1:
			return fmt.Errorf("propnet: node %d: %v of %d operands", i, op, len(args))
		}
		gates = gates || isGate
		for _, a := range args {
			if a < 0 || a >= limit {
				return fmt.Errorf("propnet: node %d uses node %d, which comes later", i, a)
			}
			if inside && op == Not && a >= n.Cycles[cycle].From {
				return fmt.Errorf("propnet: node %d is a negation inside a cycle", i)
			}
		}
	}
	for i, c := range n.Cycles {
		if c.From >= c.To || int(c.To) > len(n.Ops) || i > 0 && c.From < n.Cycles[i-1].To {
			return fmt.Errorf("propnet: cycle %d has the range %d to %d", i, c.From, c.To)
		}
	}
	return nil
}

func (n *Net) checkRoles() error {
	for r, role := range n.Roles {
		for i, g := range role.Goals {
			if g.Value < 0 || g.Value > 100 || i > 0 && g.Value >= role.Goals[i-1].Value {
				return fmt.Errorf("propnet: role %d: goal values are not falling between 100 and 0", r)
			}
		}
		for l, level := range role.Levels {
			if len(level.Offer) != len(level.Codes) || len(level.Select) != len(level.Codes) || level.Prefer != nil && len(level.Prefer) != len(level.Codes) {
				return fmt.Errorf("propnet: role %d, level %d: tables of unequal length", r, l)
			}
		}
	}
	if err := n.checkChoices(); err != nil {
		return err
	}
	if err := n.checkGroups(); err != nil {
		return err
	}
	return n.checkReads()
}

// checkChoices makes sure that the inputs beyond the fluents are the
// selections and Movables, each one once and in this order.
func (n *Net) checkChoices() error {
	next := Node(2 + len(n.Fluents))
	bad := error(nil)
	n.choices(func(s *Node) {
		switch {
		case *s == False || bad != nil:
		case *s != next || int(*s) >= len(n.Ops) || n.Ops[*s] != Input:
			bad = fmt.Errorf("propnet: node %d stands for a selection or HasLegalMove, but node %d is the next of these inputs", *s, next)
		default:
			next++
		}
	})
	if bad == nil && int(next) < len(n.Ops) && n.Ops[next] == Input {
		bad = errors.New("propnet: an input is neither fluent nor selection nor HasLegalMove")
	}
	return bad
}

func (n *Net) checkGroups() error {
	for i, g := range n.OneHot {
		for k, m := range g.Members {
			if m < 2 || int(m) >= 2+len(n.Fluents) || k > 0 && m <= g.Members[k-1] {
				return fmt.Errorf("propnet: group %d has node %d, which is no fluent or out of order", i, m)
			}
		}
	}
	return nil
}
