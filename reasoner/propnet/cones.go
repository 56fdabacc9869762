package propnet

import "fmt"

// Cone is what one moment of a turn needs of a net.
type Cone struct {
	Name  string // "terminal", "offers 1" and so on by level, "next", "goals"
	Gates int    // that the moment needs
	Own   int    // of these, what no moment before it needs
}

// String is one term for people.
func (c Cone) String() string {
	if c.Own == c.Gates {
		return fmt.Sprintf("%s %d", c.Name, c.Gates)
	}
	return fmt.Sprintf("%s %d (%d more)", c.Name, c.Gates, c.Own)
}

// Cones lists the moments of a turn in the order in which they come, goals
// last, with the gates that each needs.
func (n *Net) Cones() []Cone {
	cones, _, _ := n.cones()
	return cones
}

// cones also returns the first cone that needs each node (-1: none), and the
// roots of each.
func (n *Net) cones() (cones []Cone, owner []int32, roots [][]Node) {
	add := func(name string, nodes []Node) {
		cones, roots = append(cones, Cone{Name: name}), append(roots, nodes)
	}
	add("terminal", []Node{n.Terminal})
	for l := 0; ; l++ {
		var offers []Node
		deep := false
		for _, role := range n.Roles {
			if l < len(role.Levels) {
				offers, deep = append(offers, role.Levels[l].Offer...), true
			}
		}
		if !deep {
			break
		}
		add(fmt.Sprintf("offers %d", l+1), offers)
	}
	add("next", n.Next)
	var goals []Node
	for _, role := range n.Roles {
		for _, g := range role.Goals {
			goals = append(goals, g.Node)
		}
	}
	add("goals", goals)

	owner = make([]int32, len(n.Ops))
	for i := range owner {
		owner[i] = -1
	}
	seen := make([]int32, len(n.Ops)) // the last cone that counted the node, from 1
	for i, nodes := range roots {
		n.under(nodes, func(x Node) bool {
			if seen[x] == int32(i+1) {
				return false
			}
			seen[x] = int32(i + 1)
			gate := n.Ops[x] == And || n.Ops[x] == Or || n.Ops[x] == Not
			if gate {
				cones[i].Gates++
			}
			if owner[x] < 0 {
				owner[x] = int32(i)
				if gate {
					cones[i].Own++
				}
			}
			return true
		})
	}
	return cones, owner, roots
}

// under calls enter on nodes and what they depend on, but not on what only a
// node depends on for which enter returns false.
func (n *Net) under(nodes []Node, enter func(Node) bool) {
	var work []Node
	for _, r := range nodes {
		work = append(work, r)
		for len(work) > 0 {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			if enter(x) {
				work = append(work, n.operands(x)...)
			}
		}
	}
}
