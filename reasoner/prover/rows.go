package prover

import (
	"math/bits"
	"slices"

	"semisplit/reasoner/gdl"
)

// rows is a set of rows of equal width with indexes: a static relation, or
// the true fluents of one functor.
type rows struct {
	width   int
	n       int
	data    []gdl.TermID // n*width
	indexes []index
	values  []int // distinct values by column; nil until asked for
}

// index finds rows by some of their columns: buckets of rows chained by
// next. A bucket may hold rows of other keys; who walks it compares.
// A bucket whose stamp is not that of the index is empty, so that emptying
// an index is counting up its stamp.
type index struct {
	cols  []int
	stamp uint32
	fresh bool // covers all rows
	shift uint8
	heads []slot
	next  []int32
}

type slot struct {
	stamp uint32
	at    int32
}

// fewRows is the number of rows up to which walking all of them beats an index.
const fewRows = 4

const (
	hashSeed = 0x9E3779B97F4A7C15
	hashMul  = 0xD6E8FEB86659FD93
)

func mix(h uint64, v gdl.TermID) uint64 {
	h = (h ^ uint64(uint32(v))) * hashMul
	return h ^ h>>32
}

func (r *rows) clear() {
	r.n = 0
	r.data = r.data[:0]
	for i := range r.indexes {
		r.indexes[i].fresh = false
	}
}

func (r *rows) add(row []gdl.TermID) {
	r.n++
	r.data = append(r.data, row...)
}

// hasIndexOn returns the number of the index on the columns, -1 if there is none.
func (r *rows) hasIndexOn(cols []int) int32 {
	return int32(slices.IndexFunc(r.indexes, func(x index) bool { return slices.Equal(x.cols, cols) }))
}

// indexOn returns the number of the index on the columns, making it if need be.
func (r *rows) indexOn(cols []int) int32 {
	if i := r.hasIndexOn(cols); i >= 0 {
		return i
	}
	r.indexes = append(r.indexes, index{cols: cols})
	return int32(len(r.indexes) - 1)
}

// build brings an index up to date.
func (r *rows) build(ix *index) {
	need := bits.Len(uint(r.n)*2 - 1)
	if len(ix.heads) < 1<<need {
		ix.heads = make([]slot, 1<<need)
		ix.stamp = 0
		ix.shift = uint8(64 - need)
	}
	if len(ix.next) < r.n {
		ix.next = make([]int32, r.n+r.n/2)
	}
	ix.stamp++
	if ix.stamp == 0 {
		clear(ix.heads)
		ix.stamp = 1
	}
	for i := r.n - 1; i >= 0; i-- {
		row := r.data[i*r.width:]
		h := uint64(hashSeed)
		for _, c := range ix.cols {
			h = mix(h, row[c])
		}
		s := &ix.heads[h*hashSeed>>ix.shift]
		if s.stamp == ix.stamp {
			ix.next[i] = s.at
		} else {
			ix.next[i] = -1
		}
		*s = slot{ix.stamp, int32(i)}
	}
	ix.fresh = true
}

// bucket is the first row that may have the key, or -1. The index is fresh.
func (ix *index) bucket(key []gdl.TermID) int32 {
	h := uint64(hashSeed)
	for _, v := range key {
		h = mix(h, v)
	}
	s := &ix.heads[h*hashSeed>>ix.shift]
	if s.stamp != ix.stamp {
		return -1
	}
	return s.at
}

// distinct is the number of values in a column of rows that change no more.
func (r *rows) distinct(col int) int {
	if r.values == nil {
		r.values = make([]int, r.width)
		seen := make(map[gdl.TermID]struct{})
		for c := range r.width {
			clear(seen)
			for i := range r.n {
				seen[r.data[i*r.width+c]] = struct{}{}
			}
			r.values[c] = len(seen)
		}
	}
	return r.values[col]
}

// freeze builds the indexes of rows that change no more.
func (r *rows) freeze() {
	for i := range r.indexes {
		if !r.indexes[i].fresh && r.n > 0 {
			r.build(&r.indexes[i])
		}
	}
}
