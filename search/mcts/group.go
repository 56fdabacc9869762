package mcts

import "math/bits"

// Options.LeafPlayouts is the number of playouts from each state that leaves the tree.
// One lane, the leader, has the path; the others of its group follow it: they are loaded
// with the same joint move, play on by themselves, and have no path. What is backed up is
// the mean of what all have come to. Where selection and backup take longer than the
// playouts do, as with narrow circuits, so more is learned in the same time.

// group is what a lane knows of its group.
type group struct {
	leader    int32     // of a follower; itself: it is none
	followers []int32   // of a leader: those that still play
	sums      []float64 // of a leader: what those that have ended came to, by role
	ended     int       // their number
}

// follows says whether the lane is a follower.
func (l *lane) follows() bool { return l.group.leader != l.number }

// gather gives the lanes that have just left the tree idle lanes as followers. Only a
// state that nobody has come to before has some: at any other the lane goes on in the tree.
func (f *flight) gather() {
	most, at := f.options.LeafPlayouts-1, 0
	if most <= 0 {
		return
	}
	for i := range f.singleStep {
		for word := f.singleStep[i] &^ f.looking[i]; word != 0; word &= word - 1 {
			l := &f.lanes[i*64+bits.TrailingZeros64(word)]
			if l.mode != leaf || !l.firstVisit || len(l.edges) == 0 {
				continue
			}
			for len(l.group.followers) < most {
				for at < len(f.idle) && f.idle[at] == 0 {
					at++
				}
				if at == len(f.idle) {
					return
				}
				number := int32(at*64 + bits.TrailingZeros64(f.idle[at]))
				f.lanes[number].group.leader = l.number
				f.turnTo(&f.lanes[number], joining)
				l.group.followers = append(l.group.followers, number)
				f.following++
			}
		}
	}
}

// hold keeps the result of a lane of a group until the last of its playouts ends. False:
// it has, and values are the mean of all.
func (f *flight) hold(l *lane, values []float64) (mean []float64, held bool) {
	lead := &f.lanes[l.group.leader]
	g := &lead.group
	if len(g.followers) == 0 && g.ended == 0 {
		return values, false
	}
	if len(g.followers) > 0 {
		if g.ended == 0 {
			clear(g.sums)
		}
		g.ended++
		for r, v := range values {
			g.sums[r] += v
		}
		if l.follows() {
			f.leave(lead, l)
		} else {
			f.promote(l)
		}
		return nil, true
	}
	for r, v := range values {
		f.mean[r] = (g.sums[r] + v) / float64(g.ended+1)
	}
	g.ended = 0
	return f.mean, false
}

// leave takes a follower out of its group.
func (f *flight) leave(lead, l *lane) {
	g := &lead.group
	for i, number := range g.followers {
		if number == l.number {
			g.followers[i] = g.followers[len(g.followers)-1]
			g.followers = g.followers[:len(g.followers)-1]
			break
		}
	}
	l.group.leader = l.number
	f.following--
	f.turnTo(l, idle)
}

// promote gives the path of a leader, which has come to its end, to one of its followers.
func (f *flight) promote(l *lane) {
	last := len(l.group.followers) - 1
	to := &f.lanes[l.group.followers[last]]
	l.group.followers = l.group.followers[:last]
	to.nodes, l.nodes = l.nodes, to.nodes
	to.edges, l.edges = l.edges, to.edges
	to.crossed, l.crossed = l.crossed, to.crossed
	to.group, l.group = l.group, to.group
	to.singleMover, to.firstVisit = l.singleMover, l.firstVisit
	to.group.leader, l.group.leader = to.number, l.number
	for _, number := range to.group.followers {
		f.lanes[number].group.leader = to.number
	}
	f.following--
	f.turnTo(l, idle)
}
