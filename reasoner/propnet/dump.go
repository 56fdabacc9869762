package propnet

import (
	"fmt"
	"strings"

	"semisplit/reasoner/gdl"
)

// Stats counts what a net consists of.
type Stats struct {
	Fluents  int // fluents of a state
	Moves    int // semimoves of all roles
	Selected int // semimoves (and Movables) that the circuit reads
	Ands     int // AND gates
	Ors      int // OR gates
	Nots     int // NOT gates
	Operands int // operands of all gates
	Binary   int // gates when those of many operands are cut into gates of two
	Cycles   int // recursive groups
	Cyclic   int // gates in them
	Depth    int // gates on the longest path; a cycle counts as one
}

// Gates is the number of gates of any kind.
func (s Stats) Gates() int { return s.Ands + s.Ors + s.Nots }

// String is one line for people.
func (s Stats) String() string {
	return fmt.Sprintf("%d fluents, %d moves (%d read), %d gates (%d and, %d or, %d not; %d binary), depth %d, %d cycles of %d gates",
		s.Fluents, s.Moves, s.Selected, s.Gates(), s.Ands, s.Ors, s.Nots, s.Binary, s.Depth, s.Cycles, s.Cyclic)
}

// Stats counts the parts of a net.
func (n *Net) Stats() Stats {
	s := Stats{Fluents: len(n.Fluents), Moves: n.Moves(), Cycles: len(n.Cycles), Operands: len(n.Args)}
	depth := make([]int, len(n.Ops))
	for i, op := range n.Ops {
		args := n.Args[n.First[i]:n.First[i+1]]
		switch op {
		case Input:
			continue
		case And:
			s.Ands++
		case Or:
			s.Ors++
		case Not:
			s.Nots++
		default:
			continue
		}
		s.Binary += max(1, len(args)-1)
		for _, a := range args {
			depth[i] = max(depth[i], depth[a]+1)
		}
		s.Depth = max(s.Depth, depth[i])
	}
	n.choices(func(x *Node) {
		if *x != False {
			s.Selected++
		}
	})
	for _, c := range n.Cycles {
		s.Cyclic += int(c.To - c.From)
	}
	return s
}

// String dumps a net, one node or table entry a line.
func (n *Net) String() string {
	var b strings.Builder
	name := n.names()
	cycle := 0
	for i := 2; i < len(n.Ops); i++ {
		for cycle < len(n.Cycles) && n.Cycles[cycle].To <= Node(i) {
			cycle++
		}
		mark := ""
		if cycle < len(n.Cycles) && n.Cycles[cycle].From <= Node(i) {
			mark = " ; cycle"
		}
		fmt.Fprintf(&b, "%d = %s", i, n.Ops[i])
		if name[i] != "" {
			fmt.Fprintf(&b, " %s", name[i])
		}
		for _, a := range n.Args[n.First[i]:n.First[i+1]] {
			fmt.Fprintf(&b, " %d", a)
		}
		b.WriteString(mark + "\n")
	}
	for i, f := range n.Fluents {
		fmt.Fprintf(&b, "next %s = %d", n.spell(f), n.Next[i])
		if n.Initial[i] {
			b.WriteString(" ; initially true")
		}
		b.WriteString("\n")
	}
	for _, role := range n.Roles {
		for l, level := range role.Levels {
			for i, c := range level.Codes {
				fmt.Fprintf(&b, "offer %s %d %s = %d, selected by %d\n", n.spell(role.Name), l, n.spell(c), level.Offer[i], level.Select[i])
			}
		}
		if role.HasLegalMove != False {
			fmt.Fprintf(&b, "movable %s = %d\n", n.spell(role.Name), role.HasLegalMove)
		}
		for _, g := range role.Goals {
			fmt.Fprintf(&b, "goal %s %d = %d\n", n.spell(role.Name), g.Value, g.Node)
		}
	}
	fmt.Fprintf(&b, "terminal = %d\n", n.Terminal)
	for _, g := range n.OneHot {
		many := "at most one of"
		if g.Exactly {
			many = "exactly one of"
		}
		fmt.Fprintf(&b, "%s %v\n", many, g.Members)
	}
	return b.String()
}

// String names an operation.
func (op Op) String() string {
	return [...]string{"const", "input", "and", "or", "not"}[op]
}

// names spells the inputs, by node.
func (n *Net) names() []string {
	name := make([]string, len(n.Ops))
	name[False], name[True] = "false", "true"
	for i, f := range n.Fluents {
		name[2+i] = n.spell(f)
	}
	for _, role := range n.Roles {
		for l, level := range role.Levels {
			for i, c := range level.Codes {
				if s := level.Select[i]; s != False {
					name[s] = fmt.Sprintf("%s %d %s", n.spell(role.Name), l, n.spell(c))
				}
			}
		}
		if role.HasLegalMove != False {
			name[role.HasLegalMove] = "movable " + n.spell(role.Name)
		}
	}
	return name
}

// spell is the text of a term; a net made by hand may have no terms.
func (n *Net) spell(t gdl.TermID) string {
	if n.Terms == nil {
		return fmt.Sprintf("t%d", t)
	}
	return n.Terms.KIF(t).String()
}
