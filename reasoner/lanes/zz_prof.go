package lanes

import (
	"fmt"
	"strings"
	"time"
)

// Prof times the programs.
func Prof(m *Machine, e *Engine) string {
	var b strings.Builder
	p := m.plan
	fmt.Fprintf(&b, "slots %d inputs %d bank %d fluents %d columns %d words %d\n", p.slots, p.inputs, p.bank, p.count, p.columns, e.w)
	for r := range p.roles {
		for i, lv := range p.roles[r].levels {
			fmt.Fprintf(&b, "role %d level %d: %d\n", r, i, lv.count)
		}
	}
	time1 := func(f func()) time.Duration {
		best := time.Hour
		for range 15 {
			t := time.Now()
			f()
			best = min(best, time.Since(t))
		}
		return best
	}
	list := func(name string, q *program, c coded) {
		d := time1(func() { e.exec(c, e.slots) })
		text, loops := 0, 0
		for _, st := range c {
			text += st.code.TextSize()
			if st.feedback != nil {
				loops++
			}
		}
		n := q.size()
		used := map[int32]bool{}
		for _, st := range q.stages {
			for _, in := range st.code {
				used[in.D] = true
				for _, v := range in.Operands() {
					used[v] = true
				}
			}
		}
		fmt.Fprintf(&b, "%-8s %6d instr %d stages (%d loops) %7d B code %6d slots touched %8.1f us %.2f ns/instr\n", name, n, len(c), loops, text, len(used), float64(d.Nanoseconds())/1e3, float64(d.Nanoseconds())/float64(max(n, 1)))
	}
	list("state", &p.state, m.code.state)
	for i := range p.deeper {
		list(fmt.Sprint("level", i+1), &p.deeper[i], m.code.deeper[i])
	}
	list("goals", &p.goals, m.code.goals)
	list("score", &p.score, m.code.score)
	full := make([]uint64, e.w)
	for w := range full {
		full[w] = ^uint64(0)
	}
	miss := make([]uint64, e.w)
	for r := range p.roles {
		for i, lv := range p.roles[r].levels {
			if lv.count < 2 {
				continue
			}
			d := time1(func() { e.set.Choose(m.code.roles[r][i].level, e.slots, full, miss, e.random) })
			fmt.Fprintf(&b, "choose role %d level %d (%d): %.1f us; merge %d instr", r, i, lv.count, float64(d.Nanoseconds())/1e3, m.code.roles[r][i].merge.Size())
			d = time1(func() { e.set.Exec(m.code.roles[r][i].merge, e.slots) })
			fmt.Fprintf(&b, " %.1f us\n", float64(d.Nanoseconds())/1e3)
		}
	}
	list("next", &p.next, m.code.next)
	list("fresh", &p.fresh, m.code.fresh)
	return b.String()
}
