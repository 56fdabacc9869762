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

// Chooser is the role that chooses in the root.
func (s *Search) Chooser() int { return s.chooser }

// Best is a move by which a role is sure to win, by the shortest line that is known,
// if that role chooses in the root.
func (s *Search) Best(role int) (path []uint32, ok bool) {
	if s.root == 0 || s.chooser != role || !s.wins(role, s.graph.at(s.root)) {
		return nil, false
	}
	edge, ok := s.graph.shortest(s.graph.at(s.root))
	if !ok {
		return nil, false
	}
	return s.partOf(s.graph.jointAt(edge), role), true
}

// Moves calls visit with the moves of a role, if it chooses in the root, and whether
// others can force it to lose after them.
func (s *Search) Moves(role int, visit func(path []uint32, lost bool)) {
	if s.root == 0 || s.chooser != role {
		return
	}
	root := s.graph.at(s.root)
	for i, child := range s.graph.edgesOf(root) {
		visit(s.partOf(s.graph.jointAt(root.first+uint32(i)), role), s.loses(role, s.graph.at(child)))
	}
}

// wins tells whether a role is sure to win. That our role gets nothing is a win of the
// other where one of them always wins; else both may lose.
func (s *Search) wins(role int, n *node) bool {
	if role == s.Role() {
		return n.yes(toWin)
	}
	sum, constant := s.expander.opposed.constant()
	return s.Opposed() && n.no(notToLose) && constant && sum >= 1
}

// loses tells whether others can force a role to lose.
func (s *Search) loses(role int, n *node) bool {
	if role == s.Role() {
		return s.Opposed() && n.no(notToLose)
	}
	return n.yes(toWin)
}

// partOf is a role's part of a joint move.
func (s *Search) partOf(joint []uint32, role int) []uint32 {
	for r, levels := range s.expander.lister.levels {
		if r == role {
			return joint[:levels]
		}
		joint = joint[levels:]
	}
	return nil
}
