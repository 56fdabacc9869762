package mcts

import "semisplit/search/line"

// What another algorithm needs that searches the same game for one beside a forest: it
// tells the forest of its lines, and goes by those of the forest.

// IsOpen says whether the game is one for a single player, with the solver, in which it
// is not known yet what to play in the root.
func (f *Forest) IsOpen() bool {
	t := f.trees[0]
	return t.keepsLine() && t.tree.Root != 0 && !t.terminal() && f.answered() < 0
}

// RootState is the state of the root.
func (f *Forest) RootState() []uint64 { return f.trees[0].tree.Words(f.trees[0].tree.Root, nil) }

// GiveMemory takes one part in so many of the bound on memory away, and returns it, in
// bytes.
func (f *Forest) GiveMemory(part int64) int64 {
	memory := f.memory / part
	f.memory -= memory
	for _, t := range f.trees {
		t.tree.Edges.Memory.Limit -= t.tree.Edges.Memory.Limit / part
		t.grave.GiveMemory(part)
	}
	return memory
}

// lineValue is the goal at the end of the best line that a tree has; below 0: none has
// one.
func (f *Forest) lineValue() float64 {
	value := -1.0
	for _, t := range f.trees {
		if t.line.Known() {
			value = max(value, t.line.Value)
		}
	}
	return value
}

// TakeLine makes a line from the root to an end with this goal the one to play, if none
// is as good. No search may be under way.
func (f *Forest) TakeLine(value float64, moves [][]uint32) {
	if moves != nil && value > f.lineValue() {
		f.trees[0].line = line.Best{Value: value, Moves: moves, Given: true}
	}
}

// LineIsBest says that no line ends with more than this. No search may be under way.
func (f *Forest) LineIsBest(value float64) {
	for _, t := range f.trees {
		if t.line.Known() && t.line.Value >= value {
			t.line.Proven = true
		}
	}
}
