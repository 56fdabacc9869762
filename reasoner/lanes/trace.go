package lanes

import (
	"math/bits"
	"sync"

	"semisplit/reasoner/lanes/kernel"
)

// tracePlan says how the semimoves that a lane has selected are packed into
// words: the number of each in a field of its own, as bit planes, one slot for
// each bit of a word.
type tracePlan struct {
	words   []traceWord
	scratch int32 // first of the slots for sums of selections
}

// traceWord is where the planes of a word are found, the lowest bit first.
type traceWord struct {
	used int32 // bits
	now  int32 // first slot: what is selected at present, where it was folded
	last int32 // first slot: what was played last
}

// field is the place of a semimove's number in the words of a lane. Bits is 0
// where there is but one semimove.
type field struct {
	word        int
	shift, bits uint
}

const wordBits = 64

// layoutTrace gives the levels their fields and the words their slots.
func (c *compiler) layoutTrace(take func(n int) int32) {
	p := c.plan
	t := &p.trace
	t.words = []traceWord{{}}
	high := 0
	for r := range p.roles {
		for i := range p.roles[r].levels {
			lv := &p.roles[r].levels[i]
			width := uint(bits.Len(uint(max(lv.count, 1) - 1)))
			if t.words[len(t.words)-1].used+int32(width) > wordBits {
				t.words = append(t.words, traceWord{})
			}
			w := &t.words[len(t.words)-1]
			lv.field = field{len(t.words) - 1, uint(w.used), width}
			w.used += int32(width)
			high = max(high, foldScratch(width))
		}
	}
	for i := range t.words {
		w := &t.words[i]
		w.now, w.last = take(int(w.used)), take(kernel.PadRows(int(w.used)))
	}
	t.scratch = take(high)
}

// plane is the first slot of the planes of what is selected at a level.
func (p *plan) plane(f field) int32 { return p.trace.words[f.word].now + int32(f.shift) }

// folder writes the instructions that make a number, in bit planes, of
// columns of which each lane has at most one: the sum of a row of columns
// tells a lane of which half of the row its column is, and so on. Four columns
// are taken at once, so that there are about four instructions for three
// columns.
type folder struct {
	code   []kernel.Instr
	first  int32 // column
	count  int
	planes int32
	begun  [wordBits]bool // by plane
	free   int32          // scratch slot
}

// foldScratch is how many slots a folder needs for numbers of so many bits.
func foldScratch(width uint) int { return 4 * int(width+1) / 2 }

// fold is the code that folds the selections of a level into its planes.
func fold(p *plan, lv *levelPlan, set *kernel.Set) *kernel.Code {
	f := folder{first: lv.sel, count: lv.count, planes: p.plane(lv.field), free: p.trace.scratch}
	digits := int(lv.field.bits+1) / 2
	if digits > 0 {
		f.sum(0, digits-1, false)
	}
	outputs := make([]bool, p.slots)
	for b := range int32(lv.field.bits) {
		outputs[f.planes+b] = true
	}
	return set.EncodeFor(f.code, p.slots, outputs)
}

// sum folds the 4^(digit+1) columns from one on, as far as there are so many,
// into the planes of their digits, and if asked returns a slot with their sum.
func (f *folder) sum(from, digit int, asked bool) int32 {
	if digit < 0 {
		return f.first + int32(from)
	}
	free := f.free
	size := 1 << (2 * digit)
	var part [4]int32
	n := 0
	for ; n < 4 && from+n*size < f.count; n++ {
		part[n] = f.sum(from+n*size, digit-1, n > 0 || asked)
	}
	plane := 2 * digit
	switch n {
	case 2:
		f.add(plane, part[1:2])
	case 3:
		f.add(plane, part[1:2])
		f.add(plane+1, part[2:3])
	case 4:
		f.add(plane, []int32{part[1], part[3]})
		f.add(plane+1, part[2:4])
	}
	f.free = free
	if !asked {
		return 0
	}
	sum := f.free
	f.free++
	switch n {
	case 1:
		f.emit(kernel.Instr{Op: kernel.OpMov, D: sum, A: part[0]})
	case 2:
		f.emit(kernel.Instr{Op: kernel.OpOr2, D: sum, A: part[0], B: part[1]})
	default:
		f.emit(kernel.Instr{Op: kernel.OpOr3, D: sum, A: part[0], B: part[1], C: part[2]})
	}
	if n == 4 {
		f.emit(kernel.Instr{Op: kernel.OpOr2, D: sum, A: sum, B: part[3]})
	}
	return sum
}

// add adds one or two slots to a plane.
func (f *folder) add(plane int, slots []int32) {
	in := kernel.Instr{Op: kernel.OpMov, D: f.planes + int32(plane), A: slots[0]}
	switch {
	case len(slots) == 2 && f.begun[plane]:
		in.Op, in.B, in.C = kernel.OpOr3, slots[1], in.D
	case len(slots) == 2:
		in.Op, in.B = kernel.OpOr2, slots[1]
	case f.begun[plane]:
		in.Op, in.B = kernel.OpOr2, in.D
	}
	f.begun[plane] = true
	f.emit(in)
}

func (f *folder) emit(in kernel.Instr) { f.code = append(f.code, in) }

// tracing is what an engine executes to know what its lanes have played. It
// is made when it is first asked for.
type tracing struct {
	once  sync.Once
	folds [][]*kernel.Code // by role and level
	keep  *kernel.Code     // what was played last becomes what is selected, in the lanes of plan.mask
}

func (c *encoded) needTracing(p *plan) {
	t := &c.tracing
	t.once.Do(func() {
		for r := range p.roles {
			var folds []*kernel.Code
			for i := range p.roles[r].levels {
				folds = append(folds, fold(p, &p.roles[r].levels[i], c.set))
			}
			t.folds = append(t.folds, folds)
		}
		var keep []kernel.Instr
		for _, w := range p.trace.words {
			for b := range w.used {
				keep = append(keep, kernel.Instr{Op: opSelect, D: w.last + b, A: p.mask, B: w.now + b, C: w.last + b})
			}
		}
		t.keep = c.set.Encode(keep, p.slots)
	})
}

// opSelect is B where A is set, else C.
var opSelect = kernel.Table(0xca)

// trace is what an engine knows of the semimoves that its lanes have played.
type trace struct {
	on      bool
	current bool     // choices has what was played last
	choices []uint64 // the words of each lane
	row     []uint64 // scratch: a word of each lane
}

// Trace says whether Choices will be asked for; at first it will not. What was
// played before is not known then.
func (e *Engine) Trace(on bool) {
	e.trace.on, e.trace.current = on, false
	if on {
		e.code.needTracing(e.p)
		if e.trace.choices == nil {
			e.trace.choices = make([]uint64, e.Lanes()*e.TraceWords())
			e.trace.row = make([]uint64, e.Lanes())
		}
	}
}

// TraceWords is the number of words in which a joint move is packed.
func (e *Engine) TraceWords() int { return len(e.p.trace.words) }

// TraceField is where the number of a role's semimove at a level is found in a
// joint move that is packed: in a word the bits from shift on. No bits stand
// for the number 0.
func (e *Engine) TraceField(role, level int) (word int, shift, bits uint) {
	f := e.p.roles[role].levels[level].field
	return f.word, f.shift, f.bits
}

// Choices has for each lane the joint move, random or given, by which it came
// to its present state: TraceWords words, lane after lane. A lane that stalls
// keeps what it had. After Load without a joint move it means nothing until
// the lane has moved. Without Trace it means nothing at all. It is valid until
// the next Step.
func (e *Engine) Choices() []uint64 {
	t := &e.trace
	if t.on && !t.current {
		all := e.p.trace.words
		for i, w := range all {
			if len(all) == 1 {
				e.set.GatherRows(e.slots, w.last, w.used, t.choices)
				break
			}
			e.set.GatherRows(e.slots, w.last, w.used, t.row)
			for lane, x := range t.row {
				t.choices[lane*len(all)+i] = x
			}
		}
		t.current = true
	}
	return t.choices
}

// record notes what is selected as played, in all lanes but some.
func (e *Engine) record(but ...[]uint64) {
	if !e.trace.on {
		return
	}
	e.trace.current = false
	for r := range e.turns {
		for i := range e.turns[r].folded {
			e.fold(r, i)
		}
	}
	mask := e.slot(e.p.mask)
	for w := range mask {
		mask[w] = ^uint64(0)
		for _, lanes := range but {
			mask[w] &^= lanes[w]
		}
	}
	e.set.Exec(e.code.tracing.keep, e.slots)
}

// fold brings the planes of a level up to date.
func (e *Engine) fold(role, level int) {
	if t := &e.turns[role]; !t.folded[level] {
		e.set.Exec(e.code.tracing.folds[role][level], e.slots)
		t.folded[level] = true
	}
}
