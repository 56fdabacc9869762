package propnet

import (
	"cmp"
	"context"
	"slices"
)

const (
	shareWidth  = 14 // gates of more operands take no part: their pairs are too many
	shareRounds = 6
	sharePairs  = 3_000_000 // pairs looked at in a round
)

// Share gives operands that several gates of one operation have in common a
// gate of their own, where that saves instructions: a machine that joins
// three operands at once gains nothing from a pair shared by two gates of
// three. The candidates are, for every pair of operands, all the operands
// that the gates with this pair have in common; in each round the best come
// first, and a gate takes part in one.
func Share(ctx context.Context, n *Net) *Net {
	best, least := n, n.cost()
	for range shareRounds {
		if ctx.Err() != nil {
			break
		}
		out := Fold(shareRound(best))
		c := out.cost()
		if c >= least {
			break
		}
		best, least = out, c
	}
	return best
}

// sharer finds common operands in one round.
type sharer struct {
	n     *Net
	cost  *cost
	plain []int32 // by gate: operands that are not part of it
	taken []bool  // by gate: takes part in a candidate
	found []candidate
	set   []Node // scratch
}

// candidate is a set of operands that gates of one operation have in common.
type candidate struct {
	gates []Node
	set   []Node // in rising order
	gain  int    // half instructions
}

// incidence is a pair of operands of a gate.
type incidence struct {
	pair uint64 // operation and operands
	gate Node
}

func shareRound(n *Net) *Net {
	s := &sharer{n: n, cost: &cost{n: n, uses: n.readers(), cyclic: n.cyclic()}, plain: make([]int32, len(n.Ops)), taken: make([]bool, len(n.Ops))}
	all := s.incidences()
	slices.SortFunc(all, func(a, b incidence) int { return cmp.Or(cmp.Compare(a.pair, b.pair), cmp.Compare(a.gate, b.gate)) })
	var gates []Node
	for lo := 0; lo < len(all); {
		hi := lo + 1
		for hi < len(all) && all[hi].pair == all[lo].pair {
			hi++
		}
		if hi-lo > 1 {
			gates = gates[:0]
			for _, x := range all[lo:hi] {
				gates = append(gates, x.gate)
			}
			if c := s.candidate(gates); c.gain > 0 {
				c.gates, c.set = slices.Clone(gates), slices.Clone(c.set)
				s.found = append(s.found, c)
			}
		}
		lo = hi
	}
	slices.SortStableFunc(s.found, func(a, b candidate) int { return b.gain - a.gain })
	return s.apply(s.choose())
}

// incidences lists the pairs of operands that more than one gate could have:
// those that a gate alone reads take no part.
func (s *sharer) incidences() []incidence {
	var out []incidence
	var args []Node
	for i, op := range s.n.Ops {
		if (op != And && op != Or) || s.cost.cyclic[i] || s.cost.uses[i] == 0 {
			continue
		}
		args = args[:0]
		for _, a := range s.n.operands(Node(i)) {
			y, _ := s.n.through(a)
			if !s.cost.fused(y) {
				s.plain[i]++
			}
			if s.cost.uses[y] > 1 {
				args = append(args, a)
			}
		}
		if len(args) < 2 || len(args) > shareWidth || len(out) > sharePairs {
			continue
		}
		for x, a := range args {
			for _, b := range args[x+1:] {
				lo, hi := min(a, b), max(a, b)
				out = append(out, incidence{uint64(op&1)<<62 | uint64(lo)<<31 | uint64(hi), Node(i)})
			}
		}
	}
	return out
}

// candidate is what the gates have in common, and what sharing it gains. The
// set is valid until the next call.
func (s *sharer) candidate(gates []Node) candidate {
	if len(gates) < 2 {
		return candidate{}
	}
	set := append(s.set[:0], s.n.operands(gates[0])...)
	slices.Sort(set)
	for _, g := range gates[1:] {
		args := s.n.operands(g)
		kept := set[:0]
		for _, a := range set {
			if slices.Contains(args, a) {
				kept = append(kept, a)
			}
		}
		set = kept
	}
	s.set = set
	if len(set) < 2 {
		return candidate{}
	}
	gain := -2 * (len(set) / 2)
	for _, g := range gates {
		gain += s.halves(g, 0) - s.halves(g, len(set)-1)
	}
	return candidate{set: set, gain: gain}
}

// halves is the cost of a gate that has so many operands less, in half
// instructions: what is left over of an odd number of operands is worth one.
func (s *sharer) halves(g Node, less int) int {
	k := int(s.plain[g]) - less
	if s.cost.uses[g] != 1 {
		return 2 * (k / 2) // with k-1 to join
	}
	if k <= 1 {
		return 1 // a plain operand of its reader
	}
	return 2 + 2*((k-1)/2)
}

// choose takes the candidates that gain most, each over the gates that are
// left for it.
func (s *sharer) choose() []candidate {
	var out []candidate
	for _, c := range s.found {
		left := c.gates[:0]
		for _, g := range c.gates {
			if !s.taken[g] {
				left = append(left, g)
			}
		}
		now := s.candidate(left)
		if now.gain <= 0 {
			continue
		}
		for _, g := range left {
			s.taken[g] = true
		}
		out = append(out, candidate{gates: left, set: slices.Clone(now.set), gain: now.gain})
	}
	return out
}

func (s *sharer) apply(chosen []candidate) *Net {
	if len(chosen) == 0 {
		return s.n
	}
	of := make([]int32, len(s.n.Ops))
	for i, c := range chosen {
		for _, g := range c.gates {
			of[g] = int32(i + 1)
		}
	}
	w := newRewriter(s.n)
	var common, rest []Node
	return w.run(func(old Node, args []Node) Node {
		if of[old] == 0 {
			return w.gate(old, args)
		}
		set := chosen[of[old]-1].set
		common, rest = common[:0], rest[:0]
		for i, a := range s.n.operands(old) {
			if _, ok := slices.BinarySearch(set, a); ok {
				common = append(common, args[i])
			} else {
				rest = append(rest, args[i])
			}
		}
		return w.gate(old, append(rest, w.gate(old, common)))
	})
}
