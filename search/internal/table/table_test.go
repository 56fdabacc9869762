package table

import (
	"math/rand/v2"
	"testing"
)

// The table agrees with a map, keys of 0 and of all ones among them.
func TestAgreesWithMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var table Of[int]
	want := map[uint64]int{}
	for range 20_000 {
		key := uint64(rng.IntN(5000)) - 1
		n := table.Find(key)
		if _, known := want[key]; known != (n != 0) {
			t.Fatalf("key %d is %d, known: %v", key, n, known)
		}
		if n == 0 {
			if n = table.Add(key); int(n) != len(want)+1 || *table.At(n) != 0 {
				t.Fatalf("element %d, number %d, holds %d", len(want)+1, n, *table.At(n))
			}
		}
		*table.At(n)++
		want[key]++
	}
	for key, count := range want {
		if n := table.Find(key); n == 0 || *table.At(n) != count {
			t.Fatalf("key %d is %d, want %d", key, n, count)
		}
	}
	if table.Len() != len(want) {
		t.Fatalf("%d elements, want %d", table.Len(), len(want))
	}
}

// Elements stay where they are while the table grows.
func TestElementsStay(t *testing.T) {
	var table Of[int]
	first := table.At(table.Add(1))
	for key := range uint64(100_000) {
		table.Add(key + 2)
	}
	if *first = 5; *table.At(table.Find(1)) != 5 {
		t.Error("the first element has moved")
	}
}
