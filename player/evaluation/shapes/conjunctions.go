package shapes

import (
	"slices"

	"semisplit/reasoner/propnet"
)

// Bounds on what is read of a circuit.
const (
	mostJoined   = 6       // cells of a conjunction
	mostTerms    = 4096    // conjunctions of a gate
	mostProducts = 256     // conjunctions of an AND
	mostReading  = 4 << 20 // cells that are copied on the way
	mostDeep     = 10_000  // gates below one another: their stack is some megabytes
)

// conjunctions reads a circuit as a disjunction of conjunctions: which cells are asked
// about together by what is legal, what ends the game, what goals there are and what
// comes next. Each is given once, as rising numbers of cells. Gates of a cycle, those too
// deep, and those that would be too many conjunctions, are taken for unknown: the rest of a
// conjunction stands without them.
func conjunctions(net *propnet.Net, cellOf []int32) [][]int32 {
	r := &reading{net: net, cellOf: cellOf, known: make([][][]int32, len(net.Ops)), done: make([]bool, len(net.Ops)), left: mostReading}
	for _, c := range net.Cycles {
		for n := c.From; n < c.To; n++ {
			r.done[n], r.known[n] = true, unknown
		}
	}
	var all [][]int32
	seen := map[string]bool{}
	take := func(n propnet.Node) {
		for _, set := range r.read(n) {
			if len(set) < 2 {
				continue
			}
			if key := keyOf(set); !seen[key] {
				seen[key] = true
				all = append(all, set)
			}
		}
	}
	take(net.Terminal)
	for i := range net.Roles {
		for _, g := range net.Roles[i].Goals {
			take(g.Node)
		}
	}
	for i := range net.Roles {
		for _, level := range net.Roles[i].Levels {
			for _, n := range level.Offer {
				take(n)
			}
		}
	}
	for _, n := range net.Next {
		take(n)
	}
	return all
}

type reading struct {
	net    *propnet.Net
	cellOf []int32 // by fluent
	known  [][][]int32
	done   []bool
	left   int
	deep   int // gates that are being read
}

// unknown is a conjunction of nothing.
var unknown = [][]int32{nil}

// read is the conjunctions of a node.
func (r *reading) read(n propnet.Node) [][]int32 {
	if r.done[n] {
		return r.known[n]
	}
	if r.deep == mostDeep {
		return unknown
	}
	r.deep++
	r.done[n] = true
	r.known[n] = r.make(n)
	r.deep--
	return r.known[n]
}

func (r *reading) make(n propnet.Node) [][]int32 {
	args := r.net.Args[r.net.First[n]:r.net.First[n+1]]
	switch r.net.Ops[n] {
	case propnet.Input:
		if i := int(n) - 2; i < len(r.cellOf) && r.cellOf[i] >= 0 {
			return [][]int32{{r.cellOf[i]}}
		}
		return unknown
	case propnet.Or:
		var all [][]int32
		seen := map[string]bool{}
		for _, a := range args {
			for _, set := range r.read(a) {
				if key := keyOf(set); !seen[key] {
					seen[key] = true
					all = append(all, set)
				}
			}
			if len(all) > mostTerms || r.left < 0 {
				return unknown
			}
		}
		r.left -= len(all)
		return all
	case propnet.And:
		all := unknown
		for _, a := range args {
			all = r.product(all, r.read(a))
		}
		return all
	case propnet.Not:
		// What keeps a move from being legal lies as near as what allows it. Of what
		// is denied only single conjunctions are of one piece.
		if of := r.read(args[0]); len(of) == 1 {
			return of
		}
	}
	return unknown
}

// product joins each of some conjunctions with each of others, or leaves the others out
// where that is too much.
func (r *reading) product(a, b [][]int32) [][]int32 {
	if len(b) == 1 && len(b[0]) == 0 || len(a)*len(b) > mostProducts || r.left < 0 {
		return a
	}
	var all [][]int32
	for _, x := range a {
		for _, y := range b {
			set := slices.Concat(x, y)
			slices.Sort(set)
			set = slices.Compact(set)
			if len(set) <= mostJoined {
				all = append(all, set)
				r.left -= len(set)
			}
		}
	}
	return all
}

func keyOf(set []int32) string {
	b := make([]byte, 0, 4*len(set))
	for _, c := range set {
		b = append(b, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
	}
	return string(b)
}
