package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// stuckRoles are the roles without a legal move in a state, as the prover sees
// it; none where the state is terminal, "a role" where the prover does not come
// to an end.
func (k *checking) stuckRoles(ctx context.Context, fluents []kif.Term) (stuck []string) {
	unknown := []string{"a role"}
	state, err := k.prover.Encode(fluents)
	if err != nil {
		return unknown
	}
	stop, release := stopWith(ctx)
	defer release()
	e := k.prover.NewSingle(1)
	e.Load(0, state, nil)
	ended, err := e.Step(stop)
	switch {
	case err != nil:
		return unknown
	case ended[0]&1 != 0:
		return nil
	}
	for role, name := range k.prover.Roles() {
		if len(e.Offers(0, role, nil, nil)) == 0 {
			stuck = append(stuck, name.String())
		}
	}
	return stuck
}

// goalFault is something odd about the goals in terminal states.
type goalFault struct {
	text   string
	count  int // states that have it
	looked int // states that were looked at
	state  []kif.Term
}

// goalFaults asks the prover what the rules really give in terminal states of a
// machine: all of them, or as many as there is time for. On an error of the
// rules it returns what was found until then as well.
func (k *checking) goalFaults(ctx context.Context, m reasoner.Machine, ends [][]uint64) (faults []*goalFault, err error) {
	if !k.hasRules(gdl.RelGoal) {
		return nil, nil
	}
	stop, release := stopWith(ctx)
	defer release()
	looked := 0
	for _, end := range ends {
		fluents := m.Fluents(end)
		var texts []string
		if texts, err = k.goalsIn(fluents, stop); err != nil {
			break
		}
		looked++
		for _, text := range texts {
			i := slices.IndexFunc(faults, func(f *goalFault) bool { return f.text == text })
			if i < 0 && len(faults) < mostGoalFaults {
				i = len(faults)
				faults = append(faults, &goalFault{text: text, state: fluents})
			}
			if i >= 0 {
				faults[i].count++
			}
		}
	}
	for _, f := range faults {
		f.looked = looked
	}
	if stop.Load() {
		err = nil // the clock ended it
	}
	return faults, err
}

// goalsIn tells what is odd about the goals of all roles in a terminal state.
func (k *checking) goalsIn(fluents []kif.Term, stop *atomic.Bool) (odd []string, err error) {
	goals := k.prover.(interface {
		GoalTerms(role int, state []uint64, stop *atomic.Bool) ([]kif.Term, error)
	})
	state, err := k.prover.Encode(fluents)
	if err != nil {
		return nil, err
	}
	for role, name := range k.prover.Roles() {
		values, err := goals.GoalTerms(role, state, stop)
		if err != nil {
			return nil, err
		}
		odd = append(odd, k.oddGoals(name, values)...)
	}
	return odd, nil
}

// mostGoalFaults is how many different ones are told.
const mostGoalFaults = 10

// oddGoals tells what is odd about the goals that the rules give a role in a
// terminal state.
func (k *checking) oddGoals(role kif.Term, values []kif.Term) (odd []string) {
	var whole []int
	for _, v := range values {
		n, ok := k.goalNumber(v)
		if ok && !slices.Contains(whole, n) {
			whole = append(whole, n)
		}
		switch {
		case k.toldGoals[v.String()]:
		case !ok:
			odd = append(odd, fmt.Sprintf("role %s gets %s, which is no goal value: without another goal it gets 0", role, v))
		case n < 0:
			odd = append(odd, fmt.Sprintf("role %s gets the goal %s, which counts as 0", role, v))
		case n > 100:
			odd = append(odd, fmt.Sprintf("role %s gets the goal %s, which counts as 100", role, v))
		}
	}
	switch {
	case len(whole) > 1:
		slices.Sort(whole)
		list := strings.Trim(strings.ReplaceAll(fmt.Sprint(whole), " ", ", "), "[]")
		odd = append(odd, fmt.Sprintf("role %s gets several goals at once, of which the highest counts: %s", role, list))
	case len(values) == 0 && !isChance(role):
		odd = append(odd, fmt.Sprintf("role %s gets no goal, which counts as 0", role))
	}
	return odd
}

// goalNumber reads a goal as a whole number.
func (k *checking) goalNumber(v kif.Term) (int, bool) {
	sym, ok := k.program.Symbols.Lookup(v.Name)
	if !ok || v.IsList() {
		return 0, false
	}
	return k.program.Symbols.Number(sym)
}

// constantGoals are the goals that heads of rules name: what is odd about these
// is told with the text.
func constantGoals(p *gdl.Program) map[string]bool {
	told := make(map[string]bool)
	for _, i := range p.Relations[gdl.RelGoal].Rules {
		if value := p.Rules[i].Head.Args[1]; value.Var < 0 {
			told[p.TermKIF(value, p.Rules[i].Vars).String()] = true
		}
	}
	return told
}
