package board

import (
	"slices"
	"strconv"
	"strings"
)

// axisKind is how the names along one side of a board are ordered.
type axisKind uint8

const (
	numbers  axisKind = iota // 1 2 3
	letters                  // a b c
	numbered                 // row1 row2 row3
	words                    // anything else: in order of appearance
)

// axis is one side of a board.
type axis struct {
	kind   axisKind
	prefix string         // of numbered names
	values []string       // in order, gaps filled
	index  map[string]int // place in values

	fromSecond bool // the columns are the second coordinate of a fluent
	up         bool // rows are drawn with the first at the bottom
}

// longestFill is the length to which the gaps in an axis are filled.
const longestFill = 64

// layOut decides which coordinate goes across and in what direction rows
// run. The first coordinate goes across and the second upwards, as boards
// are drawn, but letters go across before numbers, and what is called row and
// column is laid out as tables are. Words are rows from the top downwards.
func layOut(cells []boardCell) (x, y axis) {
	x, y = layOutCoordinates(cells)
	y.up = y.kind != words
	switch {
	case x.kind == numbers && y.kind == letters:
		x, y = y, x
		x.fromSecond, x.up, y.up = true, false, true
	case x.kind == numbered && y.kind == numbered && startsWith(x.prefix, "r") && startsWith(y.prefix, "c"):
		x, y = y, x
		x.fromSecond, x.up, y.up = true, false, false
	}
	return x, y
}

func startsWith(name, prefix string) bool { return strings.HasPrefix(strings.ToLower(name), prefix) }

// layOutCoordinates orders the values of both coordinates.
func layOutCoordinates(cells []boardCell) (first, second axis) {
	var firsts, seconds []string
	seen := [2]map[string]bool{{}, {}}
	for _, c := range cells {
		if !seen[0][c.first] {
			seen[0][c.first] = true
			firsts = append(firsts, c.first)
		}
		if !seen[1][c.second] {
			seen[1][c.second] = true
			seconds = append(seconds, c.second)
		}
	}
	return newAxis(firsts), newAxis(seconds)
}

// newAxis orders distinct names, given in order of appearance.
func newAxis(names []string) axis {
	a := axis{kind: words, values: names}
	places, prefix, kind, ok := ordinals(names)
	if ok {
		a.kind, a.prefix = kind, prefix
		start := 1
		if kind == letters {
			start = 'a'
		}
		a.values = spread(places, names, start, kind == letters && skipsI(places), func(n int) string {
			return spellOrdinal(n, prefix, kind)
		})
	}
	a.index = make(map[string]int, len(a.values))
	for i, v := range a.values {
		a.index[v] = i
	}
	return a
}

// spellOrdinal is the inverse of ordinal.
func spellOrdinal(place int, prefix string, kind axisKind) string {
	if kind == letters {
		return string(rune(place))
	}
	return prefix + strconv.Itoa(place)
}

// ordinals reads names that are all numbers, all letters of one case, or all
// one prefix with a number.
func ordinals(names []string) (places []int, prefix string, kind axisKind, ok bool) {
	for i, name := range names {
		n, p, k := ordinal(name)
		if k == words || i > 0 && (k != kind || p != prefix) {
			return nil, "", words, false
		}
		places, prefix, kind = append(places, n), p, k
	}
	// Upper and lower case side by side are no row of letters.
	if kind == letters && slices.Min(places) <= 'Z' && slices.Max(places) >= 'a' {
		return nil, "", words, false
	}
	return places, prefix, kind, len(names) > 0
}

// ordinal reads one name: its place, and the prefix before a number.
func ordinal(name string) (place int, prefix string, kind axisKind) {
	if len(name) == 1 && isLetter(name[0]) {
		return int(name[0]), "", letters
	}
	prefix = strings.TrimRight(name, "0123456789")
	if prefix == "-" {
		prefix = ""
	}
	n, err := strconv.Atoi(name[len(prefix):])
	if err != nil || prefix+strconv.Itoa(n) != name {
		return 0, "", words
	}
	if prefix == "" {
		return n, "", numbers
	}
	return n, prefix, numbered
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// skipsI tells whether letters leave out the i, as the columns of Go do: all
// others from the first to the last are there.
func skipsI(places []int) bool {
	low, high := slices.Min(places), slices.Max(places)
	for n := low; n <= high; n++ {
		if missing := !slices.Contains(places, n); missing != (n == 'i' || n == 'I') {
			return false
		}
	}
	return true
}

// isCoordinate tells whether a name alone looks like a coordinate.
func isCoordinate(name string) bool {
	_, _, kind := ordinal(name)
	return kind == numbers || kind == letters
}

// spread sorts names by their places and fills the gaps of a short axis. Such
// an axis starts at its natural start if that is near: a board of which only
// the middle is filled has more squares around. The letter i may be left out.
func spread(places []int, names []string, start int, withoutI bool, spell func(int) string) []string {
	low, high := slices.Min(places), slices.Max(places)
	if low > start && low-start <= 8 {
		low = start
	}
	// The difference of far numbers may be negative: it overflows.
	if span := high - low; span >= 0 && span < longestFill {
		values := make([]string, 0, span+1)
		for k := range span + 1 {
			if !withoutI || low+k != 'i' && low+k != 'I' {
				values = append(values, spell(low+k))
			}
		}
		return values
	}
	slices.Sort(places)
	values := make([]string, len(names))
	for i, n := range places {
		values[i] = spell(n)
	}
	return values
}
