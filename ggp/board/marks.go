package board

import "slices"

// mostMarks is how many squares are marked: where a move changes more, marks tell
// nothing.
const mostMarks = 12

// marks are the squares that have changed since the state before.
func marks(now *grid, v view, o Options) map[[2]int]bool {
	if o.Before == nil {
		return nil
	}
	before, _ := newGrid(v, o.Before, o)
	if !slices.Equal(before.x.values, now.x.values) || !slices.Equal(before.y.values, now.y.values) {
		return nil
	}
	marked := map[[2]int]bool{}
	for _, squares := range []map[[2]int][]string{before.squares, now.squares} { // most of a large board may be empty
		for at := range squares {
			if !sameContents(before.squares[at], now.squares[at]) {
				marked[at] = true
			}
		}
	}
	if len(marked) > mostMarks {
		return nil
	}
	return marked
}

func sameContents(a, b []string) bool {
	x, y := slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(x, y)
}

// markOf is what stands before a square, and its colour.
func (s *scene) markOf(at [2]int, code string) (mark, marked string) {
	switch {
	case !s.marked[at]:
		return " ", code
	case !s.options.Color:
		return ">", code
	case code == "":
		return " ", reverseCode
	}
	return " ", code + ";" + reverseCode
}

const reverseCode = "7"
