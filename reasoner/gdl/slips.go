package gdl

import (
	"strings"

	"github.com/agnivade/levenshtein"

	"semisplit/kif"
)

// checkGoalValue reports a goal that no result of a match can be. value is the
// second argument of a goal in a head.
func (a *analysis) checkGoalValue(value kif.Term) {
	if value.IsVar() {
		return
	}
	n, isNumber := 0, false
	if !value.IsList() {
		n, isNumber = a.program.Symbols.Number(a.program.Symbols.Intern(value.Name))
	}
	const advice = "goals are whole numbers from 0 to 100"
	switch {
	case !isNumber:
		a.warn("goal-value", value.Pos, advice, "%s is no goal value: who has no other goal gets 0", clip(value))
	case n < 0:
		a.warn("goal-value", value.Pos, advice, "the goal %s is below 0: it counts as 0", value)
	case n > 100:
		a.warn("goal-value", value.Pos, advice, "the goal %s is above 100: it counts as 100", value)
	}
}

// checkUndefined reports relations that no rule derives. Where there are rules
// that can never fire, a finding about them may have said enough.
func (a *analysis) checkUndefined() {
	for id := range a.program.Relations {
		r := RelID(id)
		u := a.seen[r]
		if !u.inBody || u.told || r == RelTrue || r == RelDoes || a.defined(r) {
			continue
		}
		name, args := a.relationName(r), arguments(a.program.Relations[r].Arity)
		if u.inHead {
			a.warn("undefined", u.body, "mend its rules", "no rule for %s with %s can fire: it never holds", name, args)
			continue
		}
		advice := "add a rule for it, or look for a slip of spelling"
		if a.counts["undefined"] < maxPerCode {
			advice = a.suggest(r, advice, func(other RelID) bool {
				return a.defined(other) || other == RelTrue || other == RelDoes
			}, "not", "distinct")
		}
		a.warn("undefined", u.body, advice, "no rule derives %s with %s: it never holds", name, args)
	}
}

// checkUnused reports relations with rules that no condition asks for.
func (a *analysis) checkUnused() {
	for id := range a.program.Relations {
		r := RelID(id)
		if u := a.seen[r]; r >= NumKeywordRelations && u.inHead && !u.inBody {
			advice := "remove it, or look for a slip of spelling"
			if a.counts["unused"] < maxPerCode {
				advice = a.suggest(r, advice, func(other RelID) bool {
					return other < NumKeywordRelations && other != RelTrue && other != RelDoes ||
						a.seen[other].inBody && !a.seen[other].inHead
				})
			}
			a.warn("unused", u.head, advice, "nothing uses %s with %s", a.relationName(r), arguments(a.program.Relations[r].Arity))
		}
	}
}

// suggest names the relation that was likely meant by r: one of those that may
// be meant, with as many arguments and the name that is nearest, or of the same
// name. connectives of one and of two arguments may be meant as well. If none
// is near, it returns the advice that is given.
func (a *analysis) suggest(r RelID, advice string, mayBe func(RelID) bool, connectives ...string) string {
	if len(a.program.Relations) > maxCompared {
		return advice
	}
	own := &a.program.Relations[r]
	name := a.relationName(r)
	best, least := "", maxSlips(name)+1
	try := func(other string, arity int) {
		if arity == own.Arity {
			if d := slips(name, other, least); d < least {
				best, least = other, d
			}
		}
	}
	for i, c := range connectives {
		try(c, i+1)
	}
	for id := range a.program.Relations {
		other := &a.program.Relations[id]
		if RelID(id) == r || !mayBe(RelID(id)) {
			continue
		}
		if other.Name == own.Name {
			return "did you mean " + name + " with " + arguments(other.Arity) + "?"
		}
		try(a.relationName(RelID(id)), other.Arity)
	}
	if best == "" {
		return advice
	}
	return "did you mean " + best + "?"
}

// Names are compared only where there are not too many of them, and where none
// is too long: a description may come from anywhere, and is read while a start
// clock runs. The published ones have at most 63 relations.
const (
	maxCompared  = 1000 // relations
	longCompared = 60   // bytes
)

// maxSlips is how many slips a name may contain that is still recognised.
func maxSlips(name string) int {
	switch n := len(name); {
	case n < 3:
		return 0
	case n < 6:
		return 1
	}
	return 2
}

// slips counts the letters that must be inserted, taken out or replaced to
// make one name of the other, in any case; two neighbours that changed places
// are one slip. From limit on it does not matter how many there are.
func slips(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit || max(len(a), len(b)) > longCompared {
		return limit
	}
	a, b = strings.ToLower(a), strings.ToLower(b)
	if swapped(a, b) {
		return 1
	}
	return levenshtein.ComputeDistance(a, b)
}

// swapped tells whether two names differ by two neighbours that changed places.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
