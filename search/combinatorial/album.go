package combinatorial

import (
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/table"
)

// album has the whole moves that were tried, of all choices.
type album struct {
	combinations table.Of[combination]
	values       []int32 // their moves, one after the other
}

// combination is a whole move in a choice.
type combination struct {
	tally
	first int    // of its values in the album
	place uint32 // in choice.tried
}

// key is that of a move in the choice of a number.
func key(number uint32, move []int32) uint64 {
	h := hashing.Of(uint64(number) + 1)
	for _, v := range move {
		h = hashing.Of(h ^ uint64(uint32(v)))
	}
	return h
}

// find is the number of a combination; 0: it was not tried.
func (a *album) find(choice uint32, move []int32) uint32 {
	return a.combinations.Find(key(choice, move))
}

// add makes a combination that was not tried before.
func (a *album) add(choice uint32, c *choice, move []int32) uint32 {
	n := a.combinations.Add(key(choice, move))
	*a.combinations.At(n) = combination{first: len(a.values), place: uint32(len(c.tried))}
	a.values = append(a.values, move...)
	c.tried = append(c.tried, n)
	return n
}

// move is that of a combination. It stays until the next add.
func (a *album) move(n uint32, dims int) []int32 {
	first := a.combinations.At(n).first
	return a.values[first : first+dims]
}

// mean is that of a combination.
func (a *album) mean(n uint32) float64 { return a.combinations.At(n).mean() }

// mostVisited is the combination of a choice with the most visits, and of those the one
// with the best mean; 0: nothing was tried.
func (a *album) mostVisited(c *choice) (best uint32) {
	for _, n := range c.tried {
		if best == 0 {
			best = n
			continue
		}
		x, y := a.combinations.At(n), a.combinations.At(best)
		if x.visits > y.visits || x.visits == y.visits && x.sum > y.sum {
			best = n
		}
	}
	return best
}

// rise keeps what a choice tried as a heap, the best mean first, after that of one of them
// has changed.
func (a *album) rise(c *choice, n uint32) {
	i := a.combinations.At(n).place
	mean := a.mean(n)
	put := func(i, n uint32) {
		c.tried[i] = n
		a.combinations.At(n).place = i
	}
	for i > 0 {
		parent := (i - 1) / 2
		if a.mean(c.tried[parent]) >= mean {
			break
		}
		put(i, c.tried[parent])
		i = parent
	}
	for {
		child := 2*i + 1
		if child >= uint32(len(c.tried)) {
			break
		}
		if child+1 < uint32(len(c.tried)) && a.mean(c.tried[child+1]) > a.mean(c.tried[child]) {
			child++
		}
		if a.mean(c.tried[child]) <= mean {
			break
		}
		put(i, c.tried[child])
		i = child
	}
	put(i, n)
}

// bytes is what an album takes, about.
func (a *album) bytes() int64 {
	return int64(a.combinations.Len())*48 + int64(cap(a.values))*4
}
