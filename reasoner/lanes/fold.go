package lanes

import (
	"sync"

	"semisplit/reasoner/lanes/kernel"
)

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

// sum folds the 4^(digit+1) columns from start on, as far as there are so many,
// into the planes of their digits, and if asked returns a slot with their sum.
func (f *folder) sum(start, digit int, asked bool) int32 {
	if digit < 0 {
		return f.first + int32(start)
	}
	free := f.free
	size := 1 << (2 * digit)
	var part [4]int32
	n := 0
	for ; n < 4 && start+n*size < f.count; n++ {
		part[n] = f.sum(start+n*size, digit-1, n > 0 || asked)
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
