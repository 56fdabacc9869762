package board

import (
	"errors"
	"fmt"
	"strings"
)

const (
	mostListed    = 64
	longestListed = 20
	farthest      = 1_000_000 // number on an axis
)

// listedAxis reads the names along a side in the order in which they are
// drawn, separated by blanks. Two numbers or letters with dots between them
// are a row of names in either direction: 1..8, h..a.
func listedAxis(text string) (axis, error) {
	a := axis{kind: words, index: map[string]int{}}
	for _, word := range strings.Fields(text) {
		names := []string{word}
		if from, to, ok := strings.Cut(word, ".."); ok {
			var err error
			if names, err = between(from, to); err != nil {
				return axis{}, err
			}
		}
		for _, name := range names {
			if _, twice := a.index[name]; twice {
				return axis{}, fmt.Errorf("%q is listed twice", name)
			}
			if len(name) > longestListed || len(a.values) == mostListed {
				return axis{}, fmt.Errorf("at most %d names of %d characters are allowed", mostListed, longestListed)
			}
			a.index[name] = len(a.values)
			a.values = append(a.values, name)
		}
	}
	if len(a.values) == 0 {
		return axis{}, errors.New("there are no names")
	}
	return a, nil
}

// between lists the numbers or letters from one to another.
func between(from, to string) ([]string, error) {
	first, prefix, kind := ordinal(from)
	last, otherPrefix, otherKind := ordinal(to)
	if kind == words || kind != otherKind || prefix != otherPrefix || kind == letters && isCapital(from[0]) != isCapital(to[0]) {
		return nil, fmt.Errorf("%s..%s: only numbers and letters can be counted", from, to)
	}
	if min(first, last) < -farthest || max(first, last) > farthest || max(first, last)-min(first, last) >= mostListed {
		return nil, fmt.Errorf("%s..%s: at most %d names are allowed", from, to, mostListed)
	}
	step := 1
	if last < first {
		step = -1
	}
	var names []string
	for n := first; ; n += step {
		names = append(names, spellOrdinal(n, prefix, kind))
		if n == last {
			return names, nil
		}
	}
}
