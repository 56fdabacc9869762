package lanes

import (
	"fmt"
	"strings"

	"semisplit/reasoner/lanes/kernel"
)

// program is what an engine executes, for any width.
type program struct {
	stages []stage
}

// stage is a straight row of instructions over slots. With feedback it is a
// loop: the prev slots start at zero, and the row is repeated until every prev
// equals its next.
type stage struct {
	code     []kernel.Instr
	feedback []feedback
}

// feedback carries the value of a recursive gate from one evaluation of a
// loop to the next.
type feedback struct {
	prev, next int32
}

// size is the number of instructions.
func (p *program) size() int {
	n := 0
	for i := range p.stages {
		n += len(p.stages[i].code)
	}
	return n
}

// numRuns is the number of runs: rows of instructions of one op.
func (p *program) numRuns() int {
	n := 0
	for _, st := range p.stages {
		for i := range st.code {
			if i == 0 || st.code[i].Op != st.code[i-1].Op {
				n++
			}
		}
	}
	return n
}

// String lists the program, one run a line.
func (p *program) String() string {
	var b strings.Builder
	for _, st := range p.stages {
		indent := ""
		if st.feedback != nil {
			indent = "  "
			b.WriteString("loop")
			for _, f := range st.feedback {
				fmt.Fprintf(&b, " %d<-%d", f.prev, f.next)
			}
			b.WriteByte('\n')
		}
		for i, in := range st.code {
			if i == 0 || in.Op != st.code[i-1].Op {
				if i > 0 {
					b.WriteByte('\n')
				}
				fmt.Fprintf(&b, "%s%s", indent, in.Op)
			}
			fmt.Fprintf(&b, " %d%s", in.D, strings.ReplaceAll(fmt.Sprint(in.Operands()), "[", "("))
		}
		if len(st.code) > 0 {
			b.WriteByte('\n')
		}
	}
	return strings.ReplaceAll(b.String(), "]", ")")
}

// encoded is a plan for the kernels of one width.
type encoded struct {
	set    *kernel.Set
	state  coded
	deeper []coded
	goals  coded
	next   coded
	fresh  coded
	score  coded
	roles  [][]encodedLevel // by role and level

	tracing tracing

	restart *kernel.Code // the lanes in plan.mask get the initial state

	// deposit copies the columns of the lanes in plan.mask into the bank; nil
	// where evaluating the goals costs less.
	deposit *kernel.Code
}

// coded is a program for one width.
type coded []codedStage

type codedStage struct {
	code     *kernel.Code
	feedback []feedback
}

// encodedLevel is what choosing at a level executes.
type encodedLevel struct {
	level  *kernel.Level // chooses into the selections
	aside  *kernel.Level // chooses into the columns plan.aside
	merge  *kernel.Code  // selections of the lanes in plan.mask are taken from plan.aside
	forget *kernel.Code  // the lanes in plan.mask forget what they tried; nothing at the last level
	asking *asking
}

func encode(p *plan, initial []uint64, set *kernel.Set) *encoded {
	straight := set
	if p.size() >= kernel.FarInstructions {
		straight = set.Far()
	}
	code := func(q *program) coded {
		var c coded
		for _, st := range q.stages {
			in := straight
			if st.feedback != nil { // repeated, it is in the cache
				in = set
			}
			c = append(c, codedStage{in.Encode(st.code, p.slots), st.feedback})
		}
		return c
	}
	e := &encoded{
		set: set, state: code(&p.state), goals: code(&p.goals),
		next: code(&p.next), fresh: code(&p.fresh), score: code(&p.score),
	}
	for i := range p.deeper {
		e.deeper = append(e.deeper, code(&p.deeper[i]))
	}
	e.restart = set.Encode(append(setBits(p, initial, true), setBits(p, initial, false)...), p.slots)
	if p.goals.size() > 2*int(p.columns) {
		var copies []kernel.Instr
		for i := range p.columns {
			copies = append(copies, kernel.Instr{Op: kernel.OpAndNot, D: p.bank + i, A: p.bank + i, B: p.mask})
		}
		for i := range p.columns {
			copies = append(copies, kernel.Instr{Op: kernel.OpAndOr, D: p.bank + i, A: p.bank + i, B: p.fluents + i, C: p.mask})
		}
		e.deposit = set.Encode(copies, p.slots)
	}
	for _, r := range p.roles {
		var levels []encodedLevel
		for i := range r.levels {
			levels = append(levels, encodeLevel(p, &r.levels[i], set))
		}
		e.roles = append(e.roles, levels)
	}
	return e
}

// setBits makes the fluents that are true, or those that are false, so in the
// lanes of plan.mask.
func setBits(p *plan, state []uint64, value bool) []kernel.Instr {
	op := kernel.OpAndNot
	if value {
		op = kernel.OpOr2
	}
	var code []kernel.Instr
	for i := range p.count {
		if f := p.fluents + i; state[i/64]>>(i%64)&1 != 0 == value {
			code = append(code, kernel.Instr{Op: op, D: f, A: f, B: p.mask})
		}
	}
	return code
}

func encodeLevel(p *plan, lv *levelPlan, set *kernel.Set) encodedLevel {
	var merge, forget []kernel.Instr
	for k := range int32(lv.count) {
		sel, tried := lv.sel+k, lv.tried+k
		merge = append(merge, kernel.Instr{Op: kernel.OpAndNotOr, D: sel, A: p.aside + k, B: sel, C: p.mask})
		if lv.tried > 0 {
			forget = append(forget, kernel.Instr{Op: kernel.OpAndNot, D: tried, A: tried, B: p.mask})
		}
	}
	return encodedLevel{
		level:  set.NewLevel(lv.offers, lv.sel),
		aside:  set.NewLevel(lv.offers, p.aside),
		merge:  set.Encode(merge, p.slots),
		forget: set.Encode(forget, p.slots),
		asking: &asking{},
	}
}

// exec runs a program on the slots of an engine. A loop ends when nothing
// changes; as its gates can only turn on, that is after at most one
// evaluation for each of them and one more.
func (e *Engine) exec(c coded, slots []uint64) {
	for i := range c {
		st := &c[i]
		if st.feedback == nil {
			e.set.Exec(st.code, slots)
			continue
		}
		for _, f := range st.feedback {
			clear(e.in(slots, f.prev))
		}
		for range len(st.feedback) + 1 {
			e.set.Exec(st.code, slots)
			changed := uint64(0)
			for _, f := range st.feedback {
				prev, next := e.in(slots, f.prev), e.in(slots, f.next)
				for w, v := range next {
					changed |= prev[w] ^ v
					prev[w] = v
				}
			}
			if changed == 0 {
				break
			}
		}
	}
}
