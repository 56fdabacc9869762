package lanes

import (
	"sync"

	"semisplit/reasoner/lanes/kernel"
)

// asking is what an engine executes at a level with a chooser. It is made when
// it is first asked for.
type asking struct {
	once    sync.Once
	copy    *kernel.Code // the offers to the columns plan.masked
	count   *kernel.Code // which lanes have an offer there, and which have several
	level   *kernel.Code // what was chosen becomes selected
	scratch *kernel.Code // the same in the columns plan.mergeScratch
}

func (a *asking) need(p *plan, lv *levelPlan, set *kernel.Set) {
	a.once.Do(func() {
		var columns, count []kernel.Instr
		for k, o := range lv.offers {
			columns = append(columns, kernel.Instr{Op: kernel.OpMov, D: p.masked + int32(k), A: o})
		}
		count = append(count, kernel.Instr{Op: kernel.OpMov, D: p.ask.any}, kernel.Instr{Op: kernel.OpMov, D: p.ask.many})
		for k := range int32(lv.count) {
			count = append(count,
				kernel.Instr{Op: kernel.OpAndOr, D: p.ask.many, A: p.ask.many, B: p.ask.any, C: p.masked + k},
				kernel.Instr{Op: kernel.OpOr2, D: p.ask.any, A: p.ask.any, B: p.masked + k})
		}
		a.copy, a.count = set.Encode(columns, p.slots), set.Encode(count, p.slots)
		a.level, a.scratch = decode(p, lv, lv.sel, set), decode(p, lv, p.mergeScratch, set)
	})
}

// decode is the code that sets the selections to what the planes of a level
// say, in the lanes of plan.ask.asked, and to their only offer in those of
// plan.ask.forced. A column of the lower half of the number and one of the
// upper half meet where both agree; in a forced lane all of them are set.
func decode(p *plan, lv *levelPlan, into int32, set *kernel.Set) *kernel.Code {
	low := lv.field.bits / 2
	high := lv.field.bits - low
	plane := p.plane(lv.field)
	lower, upper := p.ask.parts, p.ask.parts+1<<low
	code := []kernel.Instr{
		{Op: kernel.OpMov, D: lower, A: 1}, // the slot of all lanes
		{Op: kernel.OpMov, D: upper, A: p.ask.asked},
	}
	code = double(code, lower, plane, low)
	code = double(code, upper, plane+int32(low), high)
	for k := range int32(1<<low + 1<<high) {
		code = append(code, kernel.Instr{Op: kernel.OpOr2, D: lower + k, A: lower + k, B: p.ask.forced})
	}
	for k := range int32(lv.count) {
		code = append(code, kernel.Instr{Op: kernel.OpAnd3, D: into + k, A: lower + k&(1<<low-1), B: upper + k>>low, C: p.masked + k})
	}
	outputs := make([]bool, p.slots)
	for k := range int32(lv.count) {
		outputs[into+k] = true
	}
	return set.EncodeFor(code, p.slots, outputs)
}

// double splits the first column by one plane after the other: at the end
// column k has the lanes whose planes are the bits of k.
func double(code []kernel.Instr, first, plane int32, width uint) []kernel.Instr {
	for b := range width {
		bit := plane + int32(b)
		n := int32(1) << b
		for k := range n {
			code = append(code, kernel.Instr{Op: kernel.OpAnd2, D: first + n + k, A: first + k, B: bit})
		}
		for k := range n {
			code = append(code, kernel.Instr{Op: kernel.OpAndNot, D: first + k, A: first + k, B: bit})
		}
	}
	return code
}
