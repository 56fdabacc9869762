package lanes

// tracer knows the semimoves that the lanes have played.
type tracer struct {
	*circuit
	on      bool
	current bool     // choices has what was played last
	choices []uint64 // the words of each lane
	row     []uint64 // scratch: a word of each lane
	folded  [][]bool // by role and level: the planes say what is selected
}

func newTracer(c *circuit) *tracer {
	t := &tracer{circuit: c}
	for r := range c.plan.roles {
		t.folded = append(t.folded, make([]bool, len(c.plan.roles[r].levels)))
	}
	return t
}

// enable says whether played will be asked for.
func (t *tracer) enable(on bool) {
	t.on, t.current = on, false
	if on {
		t.code.needTracing(t.plan)
		if t.choices == nil {
			t.choices = make([]uint64, 64*t.words*len(t.plan.trace.words))
			t.row = make([]uint64, 64*t.words)
		}
	}
}

// played has the packed joint move of each lane.
func (t *tracer) played() []uint64 {
	if t.on && !t.current {
		all := t.plan.trace.words
		for i, w := range all {
			if len(all) == 1 {
				t.columns(w.last, int(w.used)).GatherRows(t.choices)
				break
			}
			t.columns(w.last, int(w.used)).GatherRows(t.row)
			for lane, x := range t.row {
				t.choices[lane*len(all)+i] = x
			}
		}
		t.current = true
	}
	return t.choices
}

// record notes what is selected as played, in all lanes but some.
func (t *tracer) record(but ...[]uint64) {
	if !t.on {
		return
	}
	t.current = false
	for r := range t.folded {
		for i := range t.folded[r] {
			t.fold(r, i)
		}
	}
	mask := t.slot(t.plan.mask)
	for w := range mask {
		mask[w] = ^uint64(0)
		for _, lanes := range but {
			mask[w] &^= lanes[w]
		}
	}
	t.exec(t.code.tracing.keep)
}

// fold brings the planes of a level up to date.
func (t *tracer) fold(role, level int) {
	if !t.folded[role][level] {
		t.exec(t.code.tracing.folds[role][level])
		t.folded[role][level] = true
	}
}

// changed notes that lanes selected anew at a level.
func (t *tracer) changed(role, level int) { t.folded[role][level] = false }
