package lanes

import "semisplit/reasoner/lanes/kernel"

// encoded is a plan for the kernels of one width.
type encoded struct {
	set    *kernel.Set
	state  coded
	deeper []coded
	goals  coded
	next   coded
	fresh  coded
	roles  [][]encodedLevel // by role and level

	tracing tracing

	reloadInitial *kernel.Code // the lanes in plan.mask get the initial state
}

// coded is a program for one width.
type coded []codedStage

type codedStage struct {
	code    *kernel.Code
	again   *kernel.Code
	changed int32
	rounds  int
}

// encodedLevel is what choosing at a level executes.
type encodedLevel struct {
	level   *kernel.Level // chooses into the selections
	scratch *kernel.Level // chooses into the columns plan.mergeScratch
	merge   *kernel.Code  // selections of the lanes in plan.mask are taken from plan.mergeScratch
	forget  *kernel.Code  // the lanes in plan.mask forget what they tried; nothing at the last level
	asking  *asking

	// Of a net that foresees.
	prefer *kernel.Code // the columns plan.masked get what is preferred in the lanes that prefer something, and the offers of the others
	spare  *kernel.Code // these columns lose what was tried
}

func encode(p *plan, initial []uint64, set *kernel.Set) *encoded {
	straight := set
	if p.size() >= set.FarInstructions() {
		straight = set.Far()
	}
	code := func(q *program) coded {
		var c coded
		for _, st := range q.stages {
			if st.rounds == 0 {
				c = append(c, codedStage{code: straight.Encode(st.code, p.slots)})
				continue
			}
			// Repeated, it is in the cache.
			c = append(c, codedStage{set.Encode(st.code, p.slots), set.Encode(st.again, p.slots), st.changed, st.rounds})
		}
		return c
	}
	e := &encoded{
		set: set, state: code(&p.state), goals: code(&p.goals),
		next: code(&p.next), fresh: code(&p.fresh),
	}
	for i := range p.deeper {
		e.deeper = append(e.deeper, code(&p.deeper[i]))
	}
	e.reloadInitial = set.Encode(append(setBits(p, initial, true), setBits(p, initial, false)...), p.slots)
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
	var merge, forget, prefer, spare []kernel.Instr
	for k := range int32(lv.count) {
		sel, tried := lv.sel+k, lv.tried+k
		merge = append(merge, kernel.Instr{Op: kernel.OpAndNotOr, D: sel, A: p.mergeScratch + k, B: sel, C: p.mask})
		if lv.tried > 0 {
			forget = append(forget, kernel.Instr{Op: kernel.OpAndNot, D: tried, A: tried, B: p.mask})
			spare = append(spare, kernel.Instr{Op: kernel.OpAndNot, D: p.masked + k, A: p.masked + k, B: tried})
		}
		if p.foresees {
			prefer = append(prefer, kernel.Instr{Op: kernel.OpAndNotOr, D: p.masked + k, A: lv.prefer[k], B: lv.offers[k], C: lv.preferring})
		}
	}
	for k := lv.count; k < kernel.Pad(lv.count); k++ {
		prefer = append(prefer, kernel.Instr{Op: kernel.OpMov, D: p.masked + int32(k)})
	}
	return encodedLevel{
		level:   set.NewLevel(lv.offers, lv.sel),
		scratch: set.NewLevel(lv.offers, p.mergeScratch),
		merge:   set.Encode(merge, p.slots),
		forget:  set.Encode(forget, p.slots),
		asking:  &asking{},
		prefer:  set.Encode(prefer, p.slots),
		spare:   set.Encode(spare, p.slots),
	}
}
