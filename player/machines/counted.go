package machines

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"semisplit/player/evaluation"
	"semisplit/reasoner"
	"semisplit/search/minimax"
)

// Captures show in most games as fewer fluents: a piece goes and nothing comes. Where
// a fluent says of each empty cell that it is empty, their number stays. So what stands for
// "empty" is not counted there: of the contents of cells, each of which has one of them
// always, the one that most of them have in random matches.

const (
	countedMoves = 400 // joint moves that are looked at, if there is time
	countedTime  = 100 * time.Millisecond
	fewestCells  = 4   // that make a board
	mostTaking   = 0.3 // more moves than that take nothing, whatever falls
)

// counted is a mask of the fluents that are counted; nil: all are. It is for machines whose
// states have a bit for each fluent.
func counted(m reasoner.Machine) []uint64 {
	states := randomStates(m, countedMoves)
	if len(states) < 2 {
		return nil
	}
	grids := gridsOf(m)
	var mask []uint64
	most := fewestCells - 1
	for _, name := range slices.Sorted(maps.Keys(grids)) {
		b := grids[name]
		if len(b.cells) <= most || !b.holds(states) {
			continue
		}
		x := b.mask(b.usual(states), len(states[0]))
		if share := falls(states, x); share > falls(states, nil) && share <= mostTaking {
			mask, most = x, len(b.cells)
		}
	}
	return mask
}

// randomStates are those of random matches, one after the other; after nil another one begins.
func randomStates(m reasoner.Machine, most int) (states [][]uint64) {
	e := m.NewSingle(1)
	for lane := range e.Lanes() {
		e.Unload(lane)
	}
	end := time.Now().Add(countedTime)
	for len(states) < most && time.Now().Before(end) {
		e.Load(0, m.Initial(), nil)
		begun := len(states)
		for len(states) < most && time.Now().Before(end) {
			ended, err := e.Step(nil)
			if err != nil {
				return states
			}
			if ended[0]&1 != 0 {
				break
			}
			states = append(states, reasoner.Essential(m, e.State(0, nil)))
		}
		if e.Unload(0); len(states) == begun {
			break // the initial state ends the game
		}
		states = append(states, nil)
	}
	return states
}

// grid are the fluents of a name that differ in one argument alone: cells and their contents.
type grid struct {
	cells    map[string][]int // bits by what the other arguments are
	contents map[string][]int // bits by that argument
}

// gridsOf are all ways to read fluents as cells.
func gridsOf(m reasoner.Machine) map[string]*grid {
	grids := map[string]*grid{}
	for bit, fluent := range evaluation.Fluents(m) {
		items := fluent.Items
		if len(items) < 3 {
			continue
		}
		for at := 1; at < len(items); at++ {
			cell, content := "", items[at].String()
			for i, item := range items {
				if i != at {
					cell += " " + item.String()
				}
			}
			name := fmt.Sprint(items[0], at, len(items))
			b := grids[name]
			if b == nil {
				b = &grid{map[string][]int{}, map[string][]int{}}
				grids[name] = b
			}
			b.cells[cell], b.contents[content] = append(b.cells[cell], bit), append(b.contents[content], bit)
		}
	}
	return grids
}

// holds tells whether each cell has one content in each state.
func (b *grid) holds(states [][]uint64) bool {
	for _, s := range states {
		if s == nil {
			continue
		}
		for _, cell := range b.cells {
			if len(cell) < 2 || trues(s, cell) != 1 {
				return false
			}
		}
	}
	return true
}

// usual are the bits of the content that most cells have in these states.
func (b *grid) usual(states [][]uint64) (usual []int) {
	most := -1
	for _, content := range slices.Sorted(maps.Keys(b.contents)) {
		n, of := 0, b.contents[content]
		for _, s := range states {
			if s != nil {
				n += trues(s, of)
			}
		}
		if n > most {
			usual, most = of, n
		}
	}
	return usual
}

// mask has all bits but these.
func (b *grid) mask(without []int, words int) []uint64 {
	mask := make([]uint64, words)
	for w := range mask {
		mask[w] = ^uint64(0)
	}
	for _, bit := range without {
		mask[bit/64] &^= 1 << (bit % 64)
	}
	return mask
}

// falls is the part of moves after which fewer of the fluents of a mask hold; nil: of all.
func falls(states [][]uint64, mask []uint64) float64 {
	moves, fewer := 0, 0
	for i := 1; i < len(states); i++ {
		if states[i-1] == nil || states[i] == nil {
			continue
		}
		if moves++; minimax.Count(states[i], mask) < minimax.Count(states[i-1], mask) {
			fewer++
		}
	}
	return float64(fewer) / float64(max(1, moves))
}

func trues(s []uint64, of []int) (n int) {
	for _, bit := range of {
		n += int(s[bit/64] >> (bit % 64) & 1)
	}
	return n
}
