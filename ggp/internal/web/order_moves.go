package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"semisplit/kif"
)

// compareMoves orders moves as people do: words before what has arguments, numbers by
// size.
func compareMoves(a, b kif.Term) int {
	switch {
	case a.IsList() && b.IsList():
		return slices.CompareFunc(a.Items, b.Items, compareMoves)
	case a.IsList():
		return 1
	case b.IsList():
		return -1
	}
	m, errA := strconv.Atoi(a.Name)
	n, errB := strconv.Atoi(b.Name)
	if errA == nil && errB == nil {
		return cmp.Compare(m, n)
	}
	return strings.Compare(a.Name, b.Name)
}
