package mcts

import (
	"slices"

	"semisplit/search/tree"
)

// longestPath bounds the nodes on a path that crosses aliases. In a game that
// does not count its moves, a descent could wander through the whole tree.
const longestPath = 1000

// repeats says whether a lane's path must not go on in a node, since it has
// been there, or is too long.
func (l *lane) repeats(n uint32) bool {
	return len(l.nodes) >= longestPath || slices.Contains(l.nodes, n)
}

// cross takes a lane over an alias to a node that is not on its path.
func (d *descent) cross(l *lane, a uint32) {
	x := d.tree.Index.Target(a)
	if d.tree.Index.InTree(x) {
		l.crossed = append(l.crossed, a)
		d.tree.Node(a).Virtual++
	} else {
		d.tree.Index.TakePlace(x, a)
	}
	d.enter(l, x)
}

// crossAll takes the going lanes that have chosen an alias to its node. A lane
// that has been there already plays the joint move and goes on at random.
func (d *descent) crossAll() {
	on := d.descending[:0]
	for _, number := range d.descending {
		l := &d.lanes[number]
		if !l.entering {
			on = append(on, number)
			continue
		}
		last := len(l.nodes) - 1
		c := l.nodes[last]
		nd := d.tree.Node(c)
		if nd.Flags&tree.FlagUsed == 0 { // another lane has moved the node to the alias's place
			c = d.tree.Child(l.nodes[last-1], d.leavesOf(d.lastJoint(l)))
			nd = d.tree.Node(c)
			l.nodes[last] = c
		}
		if nd.Flags&tree.FlagAlias == 0 && len(l.crossed) == 0 {
			on = append(on, number)
			continue
		}
		l.nodes, l.entering = l.nodes[:last], false
		switch x := d.tree.Resolve(c); {
		case x == 0 || l.repeats(x):
			d.turnTo(l, leaf)
			continue
		case x == c:
			d.enter(l, c)
		default:
			d.cross(l, c)
		}
		on = append(on, number)
	}
	d.descending = on
}
