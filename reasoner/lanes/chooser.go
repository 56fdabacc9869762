package lanes

import (
	"fmt"
	"math/bits"
	"sync"

	"semisplit/reasoner/lanes/kernel"
)

// askPlan has the slots of sets of lanes and of columns that asking a chooser
// takes.
type askPlan struct {
	any    int32 // lanes with an offer
	many   int32 // lanes with several
	forced int32 // lanes that take their only offer
	asked  int32
	parts  int32 // first of the columns for the lower and upper halves of a number
}

// partSlots is how many columns decoding numbers of so many bits takes.
func partSlots(width uint) int { return 1<<(width/2) + 1<<(width-width/2) }

func (c *compiler) layoutAsking(take func(n int) int32) {
	p, high := c.plan, 0
	for r := range p.roles {
		for i := range p.roles[r].levels {
			high = max(high, partSlots(p.roles[r].levels[i].field.bits))
		}
	}
	p.ask = askPlan{any: take(1), many: take(1), forced: take(1), asked: take(1), parts: take(high)}
}

// asking is what an engine executes at a level with a chooser. It is made when
// it is first asked for.
type asking struct {
	once  sync.Once
	copy  *kernel.Code // the offers to the columns plan.masked
	count *kernel.Code // which lanes have an offer there, and which have several
	level *kernel.Code // what was chosen becomes selected
	aside *kernel.Code // the same in the columns plan.aside
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
		a.level, a.aside = decode(p, lv, lv.sel, set), decode(p, lv, p.aside, set)
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

// askScratch is what a chooser is shown and fills in.
type askScratch struct {
	offers, prefix, numbers []uint64
	into                    []int32
}

// SetChooser lets a function choose for a role at a level, in place of its
// policy; nil gives that back. It is called at most once in each pass of a
// Step, and not for joint moves that were given with Load.
//
// lanes is the set of lanes that ask: those with at least two offers; one offer
// is taken unasked. offers are sets of semimoves, of so many words for each
// lane, without those that a lane has found dead there. prefix is nil at the
// first level; else it has TraceWords words for each lane, in which the fields
// of the role's levels before this one are filled in (see TraceField), and
// other bits mean nothing. The function puts one of the offers of each lane
// into its place in into; anything else makes the Step fail. What is said of
// lanes that do not ask means nothing.
//
// The function may call Choices, which tells by which joint move a lane came
// to the state in which it chooses. It must not change offers, keep anything,
// or call other methods. Where the rules ask whether a role can move, it is
// asked as soon as a state is reached, also of one that turns out terminal.
func (e *Engine) SetChooser(role, level int, choose func(lanes, offers []uint64, words int, prefix []uint64, into []int32)) {
	e.turns[role].policy[level].chooser = choose
	if choose == nil {
		return
	}
	e.code.needTracing(e.p)
	lv := &e.p.roles[role].levels[level]
	e.code.roles[role][level].asking.need(e.p, lv, e.set)
	a, n := &e.shown, e.Lanes()
	if need := n * offerWords(lv); len(a.offers) < need {
		a.offers = make([]uint64, need)
	}
	if a.into == nil {
		a.into, a.numbers = make([]int32, n), make([]uint64, n)
		a.prefix = make([]uint64, n*e.TraceWords())
	}
}

// offerWords is the number of words in a set of semimoves of a level.
func offerWords(lv *levelPlan) int { return (lv.count + wordBits - 1) / wordBits }

// ask lets the chooser of a level choose for the lanes there, into the
// selections or aside, and notes those without an offer in e.choice.missing.
// The offers are in the columns plan.masked if base is not negative.
func (e *Engine) ask(role, level int, base int32, merge bool) {
	want, missing := e.turns[role].at[level], e.choice.missing
	if kernel.Empty(want) && merge {
		e.set.Clear(e.slots, e.p.aside, int32(e.p.roles[role].levels[level].count))
		copy(missing, want)
		return
	}
	c := e.code.roles[role][level].asking
	if base < 0 {
		e.set.Exec(c.copy, e.slots)
	}
	e.set.Exec(c.count, e.slots)
	any, many := e.slot(e.p.ask.any), e.slot(e.p.ask.many)
	forced, asked := e.slot(e.p.ask.forced), e.slot(e.p.ask.asked)
	for w, x := range want {
		missing[w] = x &^ any[w]
		forced[w] = x & any[w] &^ many[w]
		asked[w] = x & many[w]
	}
	if !kernel.Empty(asked) {
		e.consult(role, level, asked, missing)
	}
	if merge {
		e.set.Exec(c.aside, e.slots)
	} else {
		e.set.Exec(c.level, e.slots)
	}
}

// consult calls the chooser of a level, and writes the numbers that it chose
// into the planes of the level. Lanes for which it chose none of the offers
// change from asked to missing.
func (e *Engine) consult(role, level int, asked, missing []uint64) {
	a, lv := &e.shown, &e.p.roles[role].levels[level]
	words := offerWords(lv)
	e.set.GatherLanes(e.slots, e.p.masked, int32(lv.count), asked, a.offers, words)
	prefix := e.prefix(role, level, asked)
	e.turns[role].policy[level].chooser(asked, a.offers[:e.Lanes()*words], words, prefix, a.into)
	for w, x := range asked {
		for ; x != 0; x &= x - 1 {
			lane := 64*w + bits.TrailingZeros64(x)
			k := int(a.into[lane])
			if uint(k) < uint(lv.count) && a.offers[lane*words+k/64]>>(k%64)&1 != 0 {
				a.numbers[lane] = uint64(k)
				continue
			}
			e.fail(fmt.Errorf("lanes: the chooser of role %d, level %d took semimove %d, which lane %d is not offered", role, level, k, lane))
			asked[w] &^= x & -x
			missing[w] |= x & -x
		}
	}
	e.set.ScatterLanes(e.slots, e.p.plane(lv.field), int32(lv.field.bits), asked, a.numbers, 1)
}

// prefix gathers what a role has selected at the levels before one.
func (e *Engine) prefix(role, level int, lanes []uint64) []uint64 {
	if level == 0 {
		return nil
	}
	levels := e.p.roles[role].levels[:level]
	for i := range levels {
		e.fold(role, i)
	}
	all := e.p.trace.words
	for i := levels[0].field.word; i <= levels[level-1].field.word; i++ {
		e.set.GatherLanes(e.slots, all[i].now, all[i].used, lanes, e.shown.prefix[i:], len(all))
	}
	return e.shown.prefix
}
