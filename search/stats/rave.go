package stats

import (
	"math"

	"semisplit/search/encoding"
	"semisplit/search/internal/arena"
	"semisplit/search/tree"
)

// Amaf are the statistics of an edge by the iterations that went through its
// node and played its semimove there or later (all moves as first): told apart
// by the semimove alone, and by what was chosen before it in the same move.
type Amaf struct{ Split, Context Average }

// amafs are those of the edges of a chunk, in the same place.
type amafs [tree.ChunkEdges]Amaf

// rave is the memory of one worker while it updates these: what was played
// from a node on.
type rave struct {
	Rave
	now       uint32            // names the iteration
	split     [][]generationSet // by role and level: labels that were played
	positions *positions
	context   generationSet // positions of the prefixes that were played
}

// generationSet is a set that is emptied by counting on.
type generationSet []uint32

func (s *generationSet) add(i, now uint32) {
	for int(i) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[i] = now
}

func (s generationSet) has(i, now uint32) bool { return int(i) < len(s) && s[i] == now }

func newRave(r Rave, spaces []int) *rave {
	s := &rave{Rave: r, positions: newPositions(len(spaces))}
	for _, levels := range spaces {
		s.split = append(s.split, make([]generationSet, levels))
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
func (n *Learner) learnRave(it *Iteration, goals []float64) {
	s := n.rave
	s.begin()
	count := len(n.Joints) / n.Stride
	for i := count - 1; i >= 0; i-- {
		joint := n.Joints[i*n.Stride:][:n.Stride]
		for r, levels := range n.spaces {
			s.played(r, joint[:levels])
			if i < n.inTree {
				n.raveNode(it.Nodes[i], r, joint[:levels], goals[r])
			}
			joint = joint[levels:]
		}
	}
}

// raveNode updates the edges of a role in a node: those of the first trie node
// and of the ones after the prefixes of the move.
func (n *Learner) raveNode(node uint32, role int, labels []uint32, goal float64) {
	t, s := n.tree, n.rave
	trie := t.Tries(node)[role]
	if tree.IsForced(trie) || t.Node(node).Flags&tree.FlagTerminal != 0 {
		return
	}
	position := uint32(role) + 1
	shape := &n.encodings[role]
	for level := range shape.Levels {
		if trie == 0 || trie == tree.Dead {
			return
		}
		next := uint32(0)
		chosen := labels[level]
		if shape.Whole != nil {
			chosen = shape.Whole.Number(labels)
		} else if shape.Divided != nil && level == shape.Levels-1 {
			chosen = tree.Dead // the last level; nothing follows
		}
		t.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			if e.Semimove == chosen && level < shape.Levels-1 {
				next = e.Child
			}
			if e.Child == tree.Dead && level < shape.Levels-1 {
				return true
			}
			a := n.byEdges.Of(id)
			split, context := s.has(shape, role, level, position, e.Semimove)
			if split {
				a.Split.Add(goal)
			}
			if context {
				a.Context.Add(goal)
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
func (s *rave) has(shape *encoding.Moves, role, level int, position, label uint32) (split, context bool) {
	if shape.Whole != nil {
		at := position
		for _, x := range shape.Whole.Path(label) {
			at = s.positions.find(at, x)
		}
		return false, at != 0 && s.context.has(at, s.now)
	}
	if shape.Divided != nil && level == shape.Levels-1 {
		label = shape.Divided(label)[level]
	}
	split = s.Kind != Context && s.Kind != Join && s.split[role][level].has(label, s.now)
	if s.Kind != Split {
		at := s.positions.find(position, label)
		context = at != 0 && s.context.has(at, s.now)
	}
	return split, context
}

// EdgeRave are the statistics beside the edges of a tree, which all its learners gather.
type EdgeRave struct {
	Rave
	amafs arena.Of[amafs] // beside chunks
}

// Keep puts the statistics beside the edges of a tree, if there are to be any.
func (s *EdgeRave) Keep(t *tree.Tree, r Rave) {
	if s.Rave = r; s.on() {
		tree.AddChunks(&t.Edges.Memory, &s.amafs, func(_, id uint32) { *s.Of(id) = Amaf{} })
	}
}

func (s *EdgeRave) on() bool { return s.Kind != None }

// Of are the statistics of an edge.
func (s *EdgeRave) Of(id uint32) *Amaf { return &s.amafs.At(id >> tree.PlaceBits)[id&tree.PlaceMask] }

// Mixed is the value of an edge of a node that was entered so often: its mean, and what
// its semimove is worth elsewhere, as long as that is seldom.
func (s *EdgeRave) Mixed(id uint32, mean float64, entered uint32) float64 {
	if !s.on() {
		return mean
	}
	a := s.Of(id)
	from := &a.Context
	if s.Kind == Split || s.Kind == Mix && from.N < s.MixThreshold {
		from = &a.Split
	}
	if from.N == 0 {
		return mean
	}
	beta := math.Sqrt(s.Equivalence / (3*float64(entered) + s.Equivalence))
	return (1-beta)*mean + beta*from.Sum/from.N
}
