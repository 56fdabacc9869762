package search

import "math"

// amaf are the statistics of an edge by the iterations that went through its
// node and played its semimove there or later (all moves as first): told apart
// by the semimove alone, and by what was chosen before it in the same move.
type amaf struct{ split, context stat }

// amafs are those of the edges of a chunk, in the same place.
type amafs [chunkEdges]amaf

// rave is the memory of one worker while it updates these: what was played
// from a node on.
type rave struct {
	Rave
	now       uint32     // names the iteration
	split     [][]stamps // by role and level: labels that were played
	positions *positions
	context   stamps // positions of the prefixes that were played
}

// stamps is a set that is emptied by counting on.
type stamps []uint32

func (s *stamps) add(i, now uint32) {
	for int(i) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[i] = now
}

func (s stamps) has(i, now uint32) bool { return int(i) < len(s) && s[i] == now }

func newRave(r Rave, spaces []int) *rave {
	s := &rave{Rave: r, positions: newPositions(len(spaces))}
	for _, levels := range spaces {
		s.split = append(s.split, make([]stamps, levels))
	}
	return s
}

// begin empties the sets.
func (s *rave) begin() {
	if s.now++; s.now == 0 {
		for _, levels := range s.split {
			for _, of := range levels {
				clear(of)
			}
		}
		clear(s.context)
		s.now = 1
	}
}

// played adds a move of a role, from its last semimove to the one at a level.
func (s *rave) played(role int, labels []uint32) {
	position := uint32(role) + 1
	for level, label := range labels {
		s.split[role][level].add(label, s.now)
		if s.Kind != Split {
			if position = s.positions.add(position, label); position != 0 {
				s.context.add(position, s.now)
			}
		}
	}
}

// learnRave updates the edges of the nodes on a lane's path, from the last one
// up.
func (w *worker) learnRave(l *lane, goals []float64) {
	n, s := &w.learner, w.learner.rave
	s.begin()
	count := len(n.joints) / n.stride
	for i := count - 1; i >= 0; i-- {
		joint := n.joints[i*n.stride:][:n.stride]
		for r, levels := range n.spaces {
			s.played(r, joint[:levels])
			if i < n.inTree {
				w.raveNode(l.nodes[i], r, joint[:levels], goals[r])
			}
			joint = joint[levels:]
		}
	}
}

// raveNode updates the edges of a role in a node: those of the first trie node
// and of the ones after the prefixes of the move.
func (w *worker) raveNode(n uint32, role int, labels []uint32, goal float64) {
	t, s := w.t, w.learner.rave
	trie := t.tries(n)[role]
	if trie&forced != 0 || t.nodes.At(n).flags&flagTerminal != 0 {
		return
	}
	position := uint32(role) + 1
	shape := &t.shapes[role]
	for level := range shape.levels {
		if trie == 0 || trie == dead {
			return
		}
		next := uint32(0)
		chosen := labels[level]
		if shape.whole != nil {
			chosen = shape.whole.number(labels)
		} else if shape.divided != nil && level == shape.levels-1 {
			chosen = dead // the last level; nothing follows
		}
		t.edgesOf(trie, func(id uint32, e *edge) bool {
			if e.semimove == chosen && level < shape.levels-1 {
				next = e.child
			}
			if e.child == dead && level < shape.levels-1 {
				return true
			}
			a := &t.amafs.At(id >> placeBits)[id&placeMask]
			split, context := s.has(shape, role, level, position, e.semimove)
			if split {
				a.split.add(goal)
			}
			if context {
				a.context.add(goal)
			}
			return true
		})
		if s.Kind != Split {
			position = s.positions.find(position, labels[level])
		}
		trie = next
	}
}

// has tells whether a label of the tree was played at the node or later: by
// itself, and after the prefix with that position.
func (s *rave) has(shape *shape, role, level int, position, label uint32) (split, context bool) {
	if shape.whole != nil {
		at := position
		for _, x := range shape.whole.path(label) {
			at = s.positions.find(at, x)
		}
		return false, at != 0 && s.context.has(at, s.now)
	}
	if shape.divided != nil && level == shape.levels-1 {
		label = shape.divided(label)[level]
	}
	split = s.Kind != Context && s.Kind != Join && s.split[role][level].has(label, s.now)
	if s.Kind != Split {
		at := s.positions.find(position, label)
		context = at != 0 && s.context.has(at, s.now)
	}
	return split, context
}

// edgeValue is the value of an edge for selection: its mean, and with RAVE what
// its semimove is worth elsewhere, as long as the node was entered seldom; with
// implicit minimax backups what it is worth as well.
func (t *Tree) edgeValue(id, visits uint32, inverse float64, entered uint32) float64 {
	value := t.raveValue(id, t.edge(id).sum()*inverse, entered)
	if t.valued {
		value = t.mixed(id, value, visits)
	}
	return value
}

func (t *Tree) raveValue(id uint32, mean float64, entered uint32) float64 {
	r := &t.options.Rave
	if r.Kind == None {
		return mean
	}
	a := &t.amafs.At(id >> placeBits)[id&placeMask]
	s := &a.context
	if r.Kind == Split || r.Kind == Mix && s.n < r.MixThreshold {
		s = &a.split
	}
	if s.n == 0 {
		return mean
	}
	beta := math.Sqrt(r.Equivalence / (3*float64(entered) + r.Equivalence))
	return (1-beta)*mean + beta*s.sum/s.n
}
