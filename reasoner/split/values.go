package split

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// valuePositions guesses which argument of a fluent is determined by the
// others, like the piece on a square: one for which the initial state never
// has two values, and preferably one where rules write constants. The guess
// only decides how moves are split.
func valuePositions(p *gdl.Program) map[functor]int {
	rows := make(map[functor][][]gdl.Term)
	for _, i := range p.Relations[gdl.RelInit].Rules {
		t := p.Rules[i].Head.Args[0]
		if len(t.Args) >= 2 {
			f := functor{t.Name, len(t.Args)}
			rows[f] = append(rows[f], t.Args)
		}
	}
	fixed := constantPositions(p)
	out := make(map[functor]int)
	for f, all := range rows {
		best := 0
		for v := range f.arity {
			score, ok := determined(all, v)
			if !ok {
				continue
			}
			if fixed[f] != nil {
				score += 100 * fixed[f][v]
			}
			if score > 0 && score >= best {
				best, out[f] = score, v
			}
		}
	}
	return out
}

// constantPositions counts, for the arguments of fluents, the rules that have a
// constant there and variables at all other places.
func constantPositions(p *gdl.Program) map[functor][]int {
	out := make(map[functor][]int)
	count := func(a gdl.Atom) {
		if a.Rel != gdl.RelTrue && a.Rel != gdl.RelNext || len(a.Args[0].Args) < 2 {
			return
		}
		t := a.Args[0]
		at := -1
		for i, arg := range t.Args {
			if arg.Var >= 0 {
				continue
			}
			if at >= 0 {
				return
			}
			at = i
		}
		if at < 0 {
			return
		}
		f := functor{t.Name, len(t.Args)}
		if out[f] == nil {
			out[f] = make([]int, f.arity)
		}
		out[f][at]++
	}
	for i := range p.Rules {
		count(p.Rules[i].Head)
		for _, l := range p.Rules[i].Body {
			count(l.Atom)
		}
	}
	return out
}

// determined says whether the rows have no two values at v for the same other
// arguments; the score is higher where values repeat, and where rules make the
// rows for any other arguments.
func determined(rows [][]gdl.Term, v int) (score int, ok bool) {
	seen := make(map[string]string)
	distinct := make(map[string]bool)
	for _, row := range rows {
		if row[v].Var >= 0 {
			return 0, false
		}
		others := slices.Concat(row[:v], row[v+1:])
		if !isGround(others) {
			score = 1
			continue
		}
		key, value := string(termsKey(nil, others)), string(termsKey(nil, row[v:v+1]))
		if old, ok := seen[key]; ok && old != value {
			return 0, false
		}
		seen[key] = value
		distinct[value] = true
	}
	if len(distinct) < len(seen) {
		score = 1
	}
	return score, true
}
