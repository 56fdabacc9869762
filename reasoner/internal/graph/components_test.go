package graph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComponents(t *testing.T) {
	next := [][]int32{{1}, {2}, {0, 3}, {4}, {}, {4, 6}, {5}, {7}}
	var got [][]int32
	c := NewComponents(len(next), func(v int32) []int32 { return next[v] }, func(group []int32) {
		got = append(got, slices.Clone(group))
	})
	for v := range next {
		c.Visit(int32(v))
	}
	want := [][]int32{{4}, {3}, {2, 1, 0}, {6, 5}, {7}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Two nodes are in one component if and only if each can be reached from the
// other; a component comes after those that it leads to.
func TestComponentsAreReachable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + rng.IntN(12)
		next := make([][]int32, n)
		reach := make([][]bool, n)
		for v := range next {
			reach[v] = make([]bool, n)
			reach[v][v] = true
			for range rng.IntN(3) {
				to := rng.IntN(n)
				next[v] = append(next[v], int32(to))
				reach[v][to] = true
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		number := make([]int, n)
		groups := 0
		c := NewComponents(n, func(v int32) []int32 { return next[v] }, func(group []int32) {
			for _, v := range group {
				number[v] = groups
			}
			groups++
		})
		for v := range n {
			c.Visit(int32(v))
		}
		for i := range n {
			for j := range n {
				if same := reach[i][j] && reach[j][i]; same != (number[i] == number[j]) || reach[i][j] && number[j] > number[i] {
					t.Fatalf("%v: nodes %d and %d are in components %d and %d", next, i, j, number[i], number[j])
				}
			}
		}
	}
}
