package forced

import "slices"

// Fact is what is proven of a state.
type Fact struct {
	Moves     [][]uint32 // joint moves that lead there from the root; none: the root
	Low, High []float64  // bounds, by role, on the goals of rational play
	Distance  int        // joint moves to the end of the line, where our role has won or lost; 0: it has not
}

// Opposed says whether the others' ways to force our role down bind: there are two
// players, and no end was seen that was better for both than another.
func (s *Search) Opposed() bool { return s.expander.them >= 0 && !s.expander.opposed.broken }

// Facts calls visit with what is proven of the root, of the states after its moves and
// of those that were asked about. The moves are valid during the call.
func (s *Search) Facts(visit func(Fact)) {
	if s.root == 0 {
		return
	}
	root := s.graph.at(s.root)
	s.tell(root, nil, visit)
	for i, child := range s.graph.edgesOf(root) {
		s.tell(s.graph.at(child), [][]uint32{s.graph.jointAt(root.first + uint32(i))}, visit)
	}
	for i := range s.tasks {
		if t := &s.tasks[i]; len(t.moves) > 1 {
			s.tell(s.graph.at(t.node), t.moves, visit)
		}
	}
}

// tell tells of a node, if anything is proven of it.
func (s *Search) tell(n *node, moves [][]uint32, visit func(Fact)) {
	f := Fact{Moves: moves, Low: s.low, High: s.high}
	clear(f.Low)
	for role := range f.High {
		f.High[role] = 1
	}
	f.Low[s.expander.lister.us] = float64(n.low) / whole
	if s.Opposed() {
		f.High[s.expander.lister.us] = float64(n.high) / whole
		if sum, ok := s.expander.opposed.constant(); ok {
			f.Low[s.expander.them], f.High[s.expander.them] = max(sum-f.High[s.expander.lister.us], 0), min(sum-f.Low[s.expander.lister.us], 1)
		}
	}
	if n.yes(toWin) || n.no(notToLose) {
		f.Distance = int(n.distance)
	}
	if f.Low[s.expander.lister.us] > 0 || f.High[s.expander.lister.us] < 1 {
		visit(f)
	}
}

// Line is the line from the root on by which it is won or lost, as far as it is held:
// who is sure of it takes the shortest way, the others the longest.
func (s *Search) Line() (line [][]uint32) {
	if s.root == 0 {
		return nil
	}
	for n := s.graph.at(s.root); len(line) < mostDepth; {
		edge, ok := s.graph.shortest(n)
		if !ok {
			return line
		}
		line = append(line, slices.Clone(s.graph.jointAt(edge)))
		n = s.graph.at(s.graph.edges[edge])
	}
	return line
}
