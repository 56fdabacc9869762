package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// What random playouts are looked at: enough to meet what is common, in a time
// that nobody minds.
const (
	inspectPlayouts = 10_000
	inspectTime     = 2 * time.Second
	inspectEnds     = 500         // terminal states whose goals the prover is asked for
	endsTime        = time.Second // for these
	fewPlayouts     = 10          // say nothing about the goals of a game
)

// state prints a state that shows what was told, its fluents sorted.
func (k *checking) state(fluents []kif.Term) {
	var texts []string
	for _, f := range fluents {
		texts = append(texts, f.String())
	}
	slices.Sort(texts)
	text := strings.Join(texts, " ")
	if k.JSON {
		k.report.Findings[len(k.report.Findings)-1].State = text
		return
	}
	k.print("%s\n", printable.Text("  state: "+text, longestFinding))
}

// hasRules tells whether a relation has rules: where it has none, that was told
// with the text.
func (k *checking) hasRules(r gdl.RelID) bool { return len(k.program.Relations[r].Rules) > 0 }

// isChance tells whether a role is played by the manager and needs no goals.
func isChance(role kif.Term) bool { return strings.EqualFold(role.Name, "random") }

// ruleBounds are what no match can go beyond: a circuit has gates only for what
// the rules can derive when fluents and moves combine more freely than they do
// in any match.
type ruleBounds struct {
	ends    bool  // terminal may hold
	highest []int // by role: the highest goal that may hold; -1: none
}

func boundsOf(net *propnet.Net) ruleBounds {
	b := ruleBounds{ends: net.Terminal != propnet.False}
	for _, role := range net.Roles {
		highest := -1
		for _, g := range role.Goals {
			if g.Node != propnet.False {
				highest = max(highest, g.Value)
			}
		}
		b.highest = append(b.highest, highest)
	}
	return b
}

// learn tells what the bounds of a circuit say, unless a circuit before it
// said the same.
func (k *checking) learn(b ruleBounds) {
	known := k.rules
	if known == nil {
		known = &ruleBounds{true, slices.Repeat([]int{100}, len(b.highest))}
		k.rules = known
	}
	if !b.ends && known.ends && k.hasRules(gdl.RelTerminal) {
		k.warn("the rules never end a match: terminal holds in no state that can be reached")
	}
	known.ends = known.ends && b.ends
	for role, name := range k.prover.Roles() {
		highest := b.highest[role]
		if highest >= known.highest[role] {
			continue
		}
		known.highest[role] = highest
		switch {
		case isChance(name) || !k.hasRules(gdl.RelGoal):
		case highest < 0:
			k.warn("role %s can never get a goal: no rule for its goals can hold in a state that can be reached", name)
		default:
			k.warn("role %s can never get 100: the highest goal that the rules can give it is %d", name, highest)
		}
	}
}

// stuckAtFirst tells which roles have no legal move in the initial state.
func (k *checking) stuckAtFirst(choices []int) {
	var stuck []string
	for role, name := range k.prover.Roles() {
		if choices[role] == 0 {
			stuck = append(stuck, name.String())
		}
	}
	if k.cannotBegin = stuck != nil; k.cannotBegin {
		k.warn("no legal move in the initial state for %s: no match can be played", strings.Join(stuck, ", "))
		k.state(k.prover.Fluents(k.prover.Initial()))
	}
}

// playoutsNext makes the playouts wait no longer: there is a circuit for them.
func (k *checking) playoutsNext(m reasoner.Machine) {
	if i := slices.IndexFunc(k.tasks, func(t task) bool { return t.name == playoutsTask }); i >= 0 {
		k.fastest = m
		next := k.tasks[i]
		k.tasks = slices.Insert(slices.Delete(k.tasks, i, i+1), 0, next)
	}
}

// playoutsTask is the name of that task.
const playoutsTask = "playouts"

// playouts looks at random playouts of the fastest machine that is ready, and
// asks the prover what is wrong with the states that they come to. The prover
// plays them itself where there will be no circuit, or not soon.
func (k *checking) playouts(ctx context.Context) (func(), error) {
	m := k.fastest
	if deadline, _ := ctx.Deadline(); m == k.prover && len(k.tasks) > 1 && time.Until(deadline) > k.Timeout/2 {
		return func() { k.tasks = append(k.tasks, task{name: playoutsTask, do: k.playouts}) }, nil
	}
	own, cancel := withTime(ctx, inspectTime)
	defer cancel()
	if own.Err() != nil {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	stop, release := stopWith(own)
	defer release()
	begin := time.Now()
	found, fault := reasoner.Inspect(m, reasoner.Inspecting{
		Seed: 1, Playouts: inspectPlayouts, MaxPlies: reasoner.DefaultMaxPlies, Ends: inspectEnds,
	}, stop)
	took := time.Since(begin)
	own, cancel = withTime(ctx, endsTime)
	defer cancel()
	goals, goalFault := k.goalFaults(own, m, found.Ends)
	var stuck []string
	if found.Stuck > 0 {
		own, cancel = withTime(ctx, endsTime)
		defer cancel()
		stuck = k.stuckRoles(own, m.Fluents(found.StuckAt.State))
	}
	return func() {
		k.summary(m, &found, took)
		if fault != nil {
			k.warn("a playout was ended by: %v", fault)
		}
		if goalFault != nil {
			k.warn("the goals of a terminal state cannot be told: %v", goalFault)
		}
		if len(stuck) > 0 {
			k.warn("no legal move for %s after %s, in a state that is not terminal: %d of %d playouts ended so, and a match is aborted there",
				strings.Join(stuck, ", "), plies(found.StuckAt.Plies), found.Stuck, found.Playouts+found.Stuck+found.Cut)
			k.state(m.Fluents(found.StuckAt.State))
		}
		k.endless(m, &found)
		for _, g := range goals {
			k.warn("%s (in %d of the %d terminal states that were looked at)", g.text, g.count, g.looked)
			k.state(g.state)
		}
		k.goalNotes(&found)
	}, nil
}

// withTime bounds the time, and leaves a moment of what the context has.
func withTime(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		d = min(d, time.Until(deadline)-2*lastMoment)
	}
	return context.WithTimeout(ctx, d)
}

// summary is the line about the playouts.
func (k *checking) summary(m reasoner.Machine, found *reasoner.Inspection, took time.Duration) {
	machine := m.Kind()
	if machine != "prover" {
		machine += ", plan " + m.Plan()
	}
	k.print("playouts (%s): %d ended in %.1f s", machine, found.Playouts, took.Seconds())
	if found.Playouts > 0 {
		k.print(", after %d to %d plies", found.Shortest, found.Longest)
		for role, name := range m.Roles() {
			k.print(", %s %d to %d", name, found.Lowest[role], found.Highest[role])
		}
	}
	k.print("\n")
}

// endless tells of playouts that came to no end.
func (k *checking) endless(m reasoner.Machine, found *reasoner.Inspection) {
	switch all := found.Playouts + found.Stuck; {
	case !k.hasRules(gdl.RelTerminal) || k.rules != nil && !k.rules.ends:
		return // that the rules never end was told
	case found.Cut > 0 && all == 0:
		k.warn("no playout came to an end: all %d were given up after %s; perhaps the rules never end a match", found.Cut, plies(found.CutAt.Plies))
	case found.Cut > 0:
		k.note("%d of %d playouts were given up after %s, without an end", found.Cut, all+found.Cut, plies(found.CutAt.Plies))
	case all == 0 && found.Open > 0:
		k.note("no playout came to an end in the time: the longest had %s", plies(found.Open))
		return
	default:
		return
	}
	k.state(m.Fluents(found.CutAt.State))
}

// goalNotes tells of results that look as if playing made no difference. What
// playouts do not show may be there all the same.
func (k *checking) goalNotes(found *reasoner.Inspection) {
	if found.Playouts < fewPlayouts || !k.hasRules(gdl.RelGoal) {
		return
	}
	var got []string
	same, best, possible := true, 0, k.rules == nil
	for role, name := range k.prover.Roles() {
		if isChance(name) {
			continue
		}
		same = same && found.Lowest[role] == found.Highest[role]
		best = max(best, found.Highest[role])
		got = append(got, fmt.Sprintf("%s %d", name, found.Highest[role]))
		possible = possible || k.rules.highest[role] == 100
	}
	switch {
	case same:
		k.note("all %d playouts ended with the same goals: %s", found.Playouts, strings.Join(got, ", "))
	case best < 100 && possible:
		k.note("nobody got 100 in %d playouts, which better play may; the highest goals were: %s", found.Playouts, strings.Join(got, ", "))
	}
}

// plies spells a number of them.
func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}
