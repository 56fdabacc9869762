package gdl

import (
	"strings"

	"semisplit/kif"
)

// keywordRelations are the relations with fixed numbers, in that order.
var keywordRelations = [NumKeywordRelations]struct {
	name  string
	arity int
}{
	RelRole:     {"role", 1},
	RelInit:     {"init", 1},
	RelTrue:     {"true", 1},
	RelNext:     {"next", 1},
	RelLegal:    {"legal", 2},
	RelDoes:     {"does", 2},
	RelGoal:     {"goal", 2},
	RelTerminal: {"terminal", 0},
	RelBase:     {"base", 1},
	RelInput:    {"input", 2},
}

// keyword returns the keyword relation of that name, in any case.
func keyword(name string) (id RelID, ok bool) {
	for i, k := range keywordRelations {
		if len(name) == len(k.name) && strings.EqualFold(name, k.name) {
			return RelID(i), true
		}
	}
	return 0, false
}

// connective returns the lower-case spelling of a connective, and "" for any
// other name.
func connective(name string) string {
	for _, k := range [...]string{"or", "and", "not", "distinct"} {
		if len(name) == len(k) && strings.EqualFold(name, k) {
			return k
		}
	}
	if isForeignArrow(name) || name == "<=" {
		return "<="
	}
	return ""
}

// relation returns the relation of that name and arity, a new one if need be,
// and reports what is odd about the name.
func (a *analysis) relation(name string, arity int, pos kif.Pos) RelID {
	k, isKeyword := keyword(name)
	if isKeyword && keywordRelations[k].arity == arity {
		return k
	}
	key := relationKey{a.program.Symbols.Intern(name), arity}
	if id, ok := a.relations[key]; ok {
		return id
	}
	id := RelID(len(a.program.Relations))
	a.relations[key] = id
	a.program.Relations = append(a.program.Relations, Relation{Name: key.name, Arity: arity})
	a.seen = append(a.seen, relationUse{any: pos})
	first, known := a.arities[key.name]
	switch {
	case isKeyword:
		a.warn("keyword-arity", pos, "choose another name",
			"%s with %s is an ordinary relation: the keyword has %s", name, arguments(arity), arguments(keywordRelations[k].arity))
	case known:
		a.warn("two-arities", pos, "choose two names",
			"%s stands with %s and with %s: these are two relations", name, arguments(first), arguments(arity))
	}
	if !known {
		a.arities[key.name] = arity
	}
	return id
}

func (a *analysis) usedInHead(id RelID, pos kif.Pos) {
	if u := &a.seen[id]; !u.inHead {
		u.inHead, u.head = true, pos
	}
}

func (a *analysis) usedInBody(id RelID, pos kif.Pos) {
	if u := &a.seen[id]; !u.inBody {
		u.inBody, u.body = true, pos
	}
}

// function notes a name with arguments inside a term.
func (a *analysis) function(sym Symbol, arity int, pos kif.Pos) {
	use, ok := a.functions[sym]
	switch {
	case !ok:
		a.functions[sym] = functorUse{arity: arity, pos: pos}
	case use.arity != arity && !use.warned:
		use.warned = true
		a.functions[sym] = use
		a.warn("function-arities", pos, "choose two names",
			"%s stands with %s and with %s: these are two functions", a.program.Symbols.Name(sym), arguments(use.arity), arguments(arity))
	}
}

func arguments(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return itoa(n) + " arguments"
}
