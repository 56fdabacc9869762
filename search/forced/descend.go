package forced

import "slices"

// collect finds nodes to be expanded together, about as many as fill the lanes; false:
// all questions are answered.
func (s *Search) collect() bool {
	s.expander.leaves, s.current, s.paths = s.expander.leaves[:0], s.current[:0], s.paths[:0]
	lanes := float64(s.expander.lister.engine.Lanes())
	tried := 0
	for expected := 0.0; expected+s.breadth/2 < lanes || len(s.expander.leaves) == 0; {
		t := s.next()
		if t == nil {
			break
		}
		if s.descend(t) {
			expected += s.breadth
			t.spent += s.breadth / t.weight
			continue
		}
		if tried++; tried > mostCollisions {
			break
		}
		t.spent += 1 / t.weight
	}
	return len(s.expander.leaves) > 0 || s.next() != nil
}

// mostCollisions bounds the attempts to find nodes that end at one that is found
// already, for one Step.
const mostCollisions = 64

// next is the question that least was done for, for its weight; nil: all are answered.
func (s *Search) next() (best *task) {
	for i := range s.tasks {
		t := &s.tasks[i]
		n := s.graph.at(t.node)
		c := n.counts[t.layer]
		t.closed = t.closed || n.answered(t.layer) || c.prove >= stuck && c.refute >= stuck && !n.flying
		if !t.closed && (best == nil || t.spent < best.spent) {
			best = t
		}
	}
	return best
}

// descend goes down to the node that counts most for a question, and lets it fly.
// False: it is flying already, or numbers on the way were not up to date.
func (s *Search) descend(t *task) bool {
	s.path = append(s.path[:0], t.node)
	for {
		id := s.path[len(s.path)-1]
		n := s.graph.at(id)
		switch {
		case n.flying:
			return false
		case n.answered(t.layer):
			s.backUp(s.path[:len(s.path)-1])
			return false
		case n.count == 0:
			s.launch(id)
			return true
		}
		edge, ok := s.pick(t.layer)
		switch {
		case !ok || len(s.path) == mostDepth:
			s.backUp(s.path)
			return false
		case slices.Contains(s.path, s.graph.edges[edge]):
			s.graph.edges[edge] = endless // it goes round in a circle
			s.backUp(s.path)
			return false
		}
		s.path = append(s.path, s.graph.edges[edge])
	}
}

// mostDepth bounds the joint moves from the state of a question.
const mostDepth = 1000

// pick is the edge to the node that counts most, of the node at the end of the path.
// Moves that answered the question of its siblings, or of many nodes, count for more:
// in Breakthrough 5 lines of 7 joint moves and more were proven in 0.2 s each of 70
// positions, without that 3.
func (s *Search) pick(layer int) (edge uint32, ok bool) {
	n := s.graph.at(s.path[len(s.path)-1])
	var killers [2]uint32
	if len(s.path) > 1 {
		killers = s.graph.at(s.path[len(s.path)-2]).killers
	}
	least := [2]float64{2 * stuck, 2 * stuck}
	for i, child := range s.graph.edgesOf(n) {
		c := s.graph.at(child).counts[layer]
		if c.prove == infinite || c.refute == infinite || c.prove == stuck && c.refute == stuck {
			continue
		}
		order := [2]float64{float64(c.prove), float64(c.refute)}
		if n.kind != ours {
			order[0], order[1] = order[1], order[0]
		}
		switch name := nameOf(s.graph.jointAt(n.first + uint32(i))); name {
		case killers[0]:
			order[0] /= lastKiller
		case killers[1]:
			order[0] /= otherKiller
		default:
			order[0] /= s.graph.history.factor(name)
		}
		order[0] /= 1 + nearFactor*float64(s.graph.near[int(n.first)+i])
		if order[0] < least[0] || order[0] == least[0] && order[1] < least[1] {
			least, edge, ok = order, n.first+uint32(i), true
		}
	}
	return edge, ok
}

// launch lets a node fly, at the end of the path. It seems harder meanwhile, so that
// the next way leads elsewhere.
func (s *Search) launch(id uint32) {
	n := s.graph.at(id)
	n.flying = true
	for layer := range n.counts {
		if !n.answered(layer) {
			n.counts[layer].prove = min(n.counts[layer].prove+virtual, stuck)
			n.counts[layer].refute = min(n.counts[layer].refute+virtual, stuck)
		}
	}
	from := len(s.paths)
	s.paths = append(s.paths, s.path...)
	s.current = append(s.current, flight{from, len(s.paths)})
	s.expander.leaves = append(s.expander.leaves, leaf{node: id})
	s.backUp(s.path[:len(s.path)-1])
}

// virtual is what flying adds to proof numbers.
const virtual = 8

// land ends all flights.
func (s *Search) land(expanded bool) {
	for i, f := range s.current {
		n := s.graph.at(s.expander.leaves[i].node)
		n.flying = false
		if expanded {
			s.breadth += (float64(n.count) - s.breadth) / 64
			n.work++
			s.graph.noteNear(s.paths[f.from:f.to])
			for _, id := range s.paths[f.from : f.to-1] {
				s.graph.at(id).work++
			}
		} else {
			for layer := range n.counts {
				if !n.answered(layer) {
					n.counts[layer].prove -= min(virtual, n.counts[layer].prove-1)
					n.counts[layer].refute -= min(virtual, n.counts[layer].refute-1)
				}
			}
		}
	}
	for _, f := range s.current {
		way := s.paths[f.from:f.to]
		if !expanded {
			way = way[:len(way)-1]
		}
		s.backUp(way)
	}
	s.current = s.current[:0]
}

// backUp updates the nodes on a way, the last one first.
func (s *Search) backUp(way []uint32) {
	for i, id := range slices.Backward(way) {
		n := s.graph.at(id)
		before := n.bounds
		s.graph.update(id)
		if before != n.bounds && i > 0 {
			s.graph.learn(n, before, s.graph.at(way[i-1]))
		}
	}
}
