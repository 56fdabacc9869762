package split

import (
	"fmt"
	"slices"
	"strings"
)

// Plan says how the moves of every role are split into levels.
type Plan struct {
	Name   string   // one of Names
	SameAs []string // names of the plans that would split the game alike
	Roles  []RolePlan
	Notes  []string // what was given up, and why

	// NoLookahead: levels do not look ahead, so that more prefixes die, and there
	// are fewer conditions.
	NoLookahead bool
}

// RolePlan is the part of a plan for one role.
type RolePlan struct {
	Role          string
	Forms         []FormPlan // in the order of the choices of the orthodox game
	FunctorLevel  bool       // the first level chooses the form of the move only
	Verify        bool       // the last level checks what had to wait
	AsksLegalMove bool       // terminal or goal ask whether the role has a legal move; set by Rewrite
}

// FormPlan says how the moves of one form are split.
type FormPlan struct {
	Form   string   // the move, with the names of its arguments
	Names  []string // of the arguments
	Groups [][]int  // arguments chosen at each level; at least one group, which may be empty

	// Levels are the conditions of each level, in the words of the rules, as
	// Rewrite derived them: one list for each rule.
	Levels [][]string
}

// isSplit says whether a path of the role has more than one semimove.
func (r *RolePlan) isSplit() bool {
	return r.FunctorLevel || r.Verify || slices.ContainsFunc(r.Forms, func(f FormPlan) bool { return len(f.Groups) > 1 })
}

// same says whether two plans split alike.
func (p *Plan) same(q *Plan) bool {
	return slices.EqualFunc(p.Roles, q.Roles, func(a, b RolePlan) bool {
		return a.FunctorLevel == b.FunctorLevel && a.Verify == b.Verify && slices.EqualFunc(a.Forms, b.Forms, func(x, y FormPlan) bool {
			return slices.EqualFunc(x.Groups, y.Groups, slices.Equal[[]int])
		})
	})
}

// String tells what is chosen at each level of every role, and under which
// conditions.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "plan %s\n", p.Name)
	for i := range p.Roles {
		p.Roles[i].write(&b)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return b.String()
}

func (r *RolePlan) write(b *strings.Builder) {
	fmt.Fprintf(b, "role %s", r.Role)
	if !r.isSplit() {
		b.WriteString(": whole moves")
	}
	if r.AsksLegalMove {
		b.WriteString(", terminal or goal ask whether it can move")
	}
	b.WriteString("\n")
	for _, f := range r.Forms {
		fmt.Fprintf(b, "  %s\n", f.Form)
		level := 0
		if r.FunctorLevel {
			level++
		}
		for j, g := range f.Groups {
			level++
			fmt.Fprintf(b, "    level %d: %s\n", level, f.groupNames(g))
			if j < len(f.Levels) {
				writeRules(b, f.Levels[j])
			}
		}
		if r.Verify && len(f.Levels) > len(f.Groups) {
			b.WriteString("    verify\n")
			writeRules(b, f.Levels[len(f.Groups)])
		}
	}
}

func writeRules(b *strings.Builder, rules []string) {
	for _, l := range rules {
		fmt.Fprintf(b, "      if %s\n", l)
	}
}

func (f *FormPlan) groupNames(group []int) string {
	if len(group) == 0 {
		return "the move"
	}
	var names []string
	for _, i := range group {
		names = append(names, f.Names[i])
	}
	return strings.Join(names, " ")
}
