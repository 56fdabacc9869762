package split

import (
	"context"
	"math"
	"slices"

	"semisplit/reasoner/gdl"
)

// pairs finds which arguments index one fluent together: the column and the
// row of a square, say. It follows helper relations to any depth, downwards
// (what a relation does with its arguments) and upwards (what those do with
// them who use a relation that looks at the moves).
//
// A pair has a strength: how many of the rules of a relation show it, on
// average. So the one rule of chess in which a pawn is taken beside the square
// that is moved to does not make two squares one.
//
// What it finds decides how moves are split, never whether they are legal.
type pairs struct {
	ctx    context.Context
	p      *gdl.Program
	down   []links // by relation: pairs of arguments
	up     []links // by relation
	values map[functor]int
}

// links holds the strength of pairs of numbers, the smaller one first; of a
// number with itself: that it indexes anything at all.
type links map[[2]int]float64

func pair(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

func (l links) raise(p [2]int, strength float64) { l[p] = max(l[p], strength) }

// pairRounds bounds how far strengths are followed through recursion.
const pairRounds = 24

func findPairs(ctx context.Context, p *gdl.Program) *pairs {
	f := &pairs{ctx: ctx, p: p, values: valuePositions(p)}
	n := len(p.Relations)
	f.down, f.up = make([]links, n), make([]links, n)
	for range pairRounds {
		if !f.round() {
			break
		}
	}
	return f
}

// round computes the strengths anew from those of the round before.
func (f *pairs) round() (changed bool) {
	n := len(f.p.Relations)
	down, up := make([]links, n), make([]links, n)
	for i := range f.p.Rules {
		heed(f.ctx)
		r := &f.p.Rules[i]
		vars := f.rule(r)
		if len(vars) == 0 {
			continue
		}
		if head := r.Head.Rel; head >= gdl.NumKeywordRelations {
			if down[head] == nil {
				down[head] = links{}
			}
			for p, s := range toArgs(vars, r.Head.Args) {
				down[head][p] += s / float64(len(f.p.Relations[head].Rules))
			}
		}
		for _, l := range r.Body {
			if l.Rel >= gdl.NumKeywordRelations && f.p.Relations[l.Rel].Depends&gdl.OnMoves != 0 {
				if up[l.Rel] == nil {
					up[l.Rel] = links{}
				}
				for p, s := range toArgs(vars, l.Args) {
					up[l.Rel].raise(p, s)
				}
			}
		}
	}
	for r := range n {
		changed = changed || differ(down[r], f.down[r]) || differ(up[r], f.up[r])
	}
	f.down, f.up = down, up
	return changed
}

func differ(a, b links) bool {
	const enough = 1e-3
	if len(a) != len(b) {
		return true
	}
	for p, s := range a {
		if math.Abs(s-b[p]) > enough {
			return true
		}
	}
	return false
}

// rule gives the pairs of variables that index a fluent together in the rule.
func (f *pairs) rule(r *gdl.Rule) links {
	vars := links{}
	f.fluent(r.Head, vars)
	if r.Head.Rel >= gdl.NumKeywordRelations {
		toVars(vars, f.up[r.Head.Rel], r.Head.Args)
	}
	for _, l := range r.Body {
		switch {
		case l.Rel < 0:
		case l.Rel < gdl.NumKeywordRelations:
			f.fluent(l.Atom, vars)
		default:
			toVars(vars, f.down[l.Rel], l.Args)
		}
	}
	return vars
}

// fluent adds the pairs of an atom of true, next or init.
func (f *pairs) fluent(a gdl.Atom, vars links) {
	if a.Rel != gdl.RelTrue && a.Rel != gdl.RelNext && a.Rel != gdl.RelInit || a.Args[0].Var >= 0 {
		return
	}
	t := a.Args[0]
	value, has := f.values[functor{t.Name, len(t.Args)}]
	var keys []gdl.Term
	for i, arg := range t.Args {
		if !has || i != value {
			keys = append(keys, arg)
		}
	}
	varsIn(keys, func(v int32) {
		varsIn(keys, func(w int32) { vars[pair(int(v), int(w))] = 1 })
	})
}

// toArgs brings pairs of variables to the arguments that they are. A variable
// that is several arguments at once says nothing of pairs: a pawn that keeps
// its column does not make one square of two.
func toArgs(vars links, args []gdl.Term) links {
	place := make(map[int][]int)
	for i := range args {
		varsIn(args[i:i+1], func(v int32) {
			if !slices.Contains(place[int(v)], i) {
				place[int(v)] = append(place[int(v)], i)
			}
		})
	}
	out := links{}
	for p, s := range vars {
		x, y := place[p[0]], place[p[1]]
		if p[0] == p[1] {
			for _, i := range x {
				out.raise([2]int{i, i}, s)
			}
		} else if len(x) == 1 && len(y) == 1 && x[0] != y[0] {
			out.raise(pair(x[0], y[0]), s)
		}
	}
	return out
}

func toVars(vars, from links, args []gdl.Term) {
	for p, s := range from {
		varsIn(args[p[0]:p[0]+1], func(v int32) {
			varsIn(args[p[1]:p[1]+1], func(w int32) { vars.raise(pair(int(v), int(w)), s) })
		})
	}
}

// arguments gives the pairs of arguments of a form that index a fluent together,
// summed over all rules that speak of the form, without those that are weak
// beside the others of both arguments.
func (f *pairs) arguments(offer, sel gdl.RelID) (together map[[2]int]bool, touched map[int]bool) {
	sum := links{}
	for i := range f.p.Rules {
		r := &f.p.Rules[i]
		if r.Head.Rel == offer {
			sum.add(toArgs(f.rule(r), r.Head.Args))
		}
		for _, l := range r.Body {
			if l.Rel == sel && l.Rel >= 0 {
				sum.add(toArgs(f.rule(r), l.Args))
			}
		}
	}
	together, touched = make(map[[2]int]bool), make(map[int]bool)
	strongest := make(map[int]float64)
	for p, s := range sum {
		if p[0] == p[1] {
			touched[p[0]] = true
			continue
		}
		strongest[p[0]], strongest[p[1]] = max(strongest[p[0]], s), max(strongest[p[1]], s)
	}
	const weak = 0.3
	for p, s := range sum {
		if p[0] != p[1] && s >= weak*min(strongest[p[0]], strongest[p[1]]) {
			together[p] = true
		}
	}
	return together, touched
}

func (l links) add(more links) {
	for p, s := range more {
		l[p] += s
	}
}
