package gdl

import (
	"slices"
	"strings"

	"semisplit/kif"
)

// checkWhole reports what only shows when all rules are read.
func (a *analysis) checkWhole() {
	if len(a.program.Rules) == 0 {
		a.fail("no-rules", kif.Pos{}, "a description needs at least roles and legal moves", "there are no rules")
		return
	}
	for _, must := range []struct {
		rel        RelID
		code       string
		text, lost string
	}{
		{RelRole, "no-role", "nobody plays: there is no role", "nobody plays: no rule for role can fire"},
		{RelLegal, "no-legal", "there is no rule for legal: nobody ever has a move", "no rule for legal can fire: nobody ever has a move"},
	} {
		switch u := a.seen[must.rel]; {
		case a.defined(must.rel):
		case u.inHead:
			a.fail(must.code, u.head, "", "%s", must.lost)
		default:
			a.fail(must.code, kif.Pos{}, "", "%s", must.text)
		}
	}
	if a.failed {
		return
	}
	for _, should := range []struct {
		rel          RelID
		code, advice string
		text         string
	}{
		{RelInit, "no-init", "add (init fluent) for what holds at first", "the first state is empty"},
		{RelNext, "no-next", "add (<= (next fluent) ...)", "every state but the first is empty"},
		{RelTerminal, "no-terminal", "add (<= terminal ...)", "the game never ends by itself"},
		{RelGoal, "no-goal", "add (<= (goal role value) ...)", "every result is 0"},
		{RelBase, "no-base", "add (base fluent) for every fluent", "the fluents are found from the rules"},
		{RelInput, "no-input", "add (input role move) for every move", "the moves are found from the rules"},
	} {
		switch u := a.seen[should.rel]; {
		case a.defined(should.rel) || u.told:
		case u.inHead:
			a.warn(should.code, u.head, "", "no rule for %s can fire: %s", a.relationName(should.rel), should.text)
		default:
			a.warn(should.code, kif.Pos{}, should.advice, "there is no %s: %s", a.relationName(should.rel), should.text)
		}
	}
	a.checkUndefined()
	a.checkUnused()
	a.checkNames()
	a.checkKeywords()
}

func (a *analysis) defined(r RelID) bool { return len(a.program.Relations[r].Rules) > 0 }

// checkNames reports names that are both a relation and a function.
func (a *analysis) checkNames() {
	told := make(map[Symbol]bool)
	for _, rel := range a.program.Relations {
		if f, ok := a.functions[rel.Name]; ok && !told[rel.Name] {
			told[rel.Name] = true
			a.warn("relation-and-function", f.pos, "choose two names", "%s is a function here and a relation elsewhere", a.program.Symbols.Name(rel.Name))
		}
	}
	var odd []Symbol
	for sym := range a.functions {
		name := a.program.Symbols.Name(sym)
		if _, ok := keyword(name); !told[sym] && (ok || connective(name) != "") {
			odd = append(odd, sym)
		}
	}
	slices.Sort(odd)
	for _, sym := range odd {
		a.warn("keyword-in-term", a.functions[sym].pos, "choose another name", "the keyword %s is an ordinary function here", a.program.Symbols.Name(sym))
	}
}

// checkKeywords reports rules that give keywords odd meanings.
func (a *analysis) checkKeywords() {
	told := make(map[RelID]bool)
	for _, rule := range a.program.Rules {
		head := rule.Head.Rel
		if head == RelRole && strings.EqualFold(a.program.Symbols.Name(rule.Head.Args[0].Name), "random") {
			a.warn("random-role", rule.Pos, "", "the role random is an ordinary role; managers play it themselves, each legal move equally likely")
		}
		if len(rule.Body) > 0 && (head == RelInit || head == RelRole) && !told[head] {
			told[head] = true
			a.warn(a.relationName(head)+"-rule", rule.Pos, "", "%s through a rule: its conditions are read without state and moves", a.relationName(head))
		}
	}
}

// checkDependence reports keywords that depend on what is not there when they
// are asked. It needs the order.
func (a *analysis) checkDependence() {
	for r := range NumKeywordRelations {
		rel := &a.program.Relations[r]
		if len(rel.Rules) == 0 || rel.Depends == 0 {
			continue
		}
		switch r {
		case RelLegal, RelTerminal, RelGoal:
			if rel.Depends&OnMoves != 0 {
				a.warn("depends-on-moves", a.dependent(r, OnMoves), "only next can look at the moves", "%s depends on does: it is read without moves", a.relationName(r))
			}
		case RelRole, RelInit, RelBase, RelInput:
			a.warn("depends-on-state", a.dependent(r, OnState|OnMoves), "it must hold before the first state",
				"%s depends on true or does: it is read in an empty state", a.relationName(r))
		}
	}
}

// dependent returns the place of the first rule for r that depends on what.
func (a *analysis) dependent(r RelID, what Dependence) kif.Pos {
	for _, i := range a.program.Relations[r].Rules {
		for _, l := range a.program.Rules[i].Body {
			if l.Rel >= 0 && a.program.Relations[l.Rel].Depends&what != 0 {
				return l.Pos
			}
		}
	}
	return kif.Pos{}
}
