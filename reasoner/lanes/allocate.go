package lanes

// allocator gives values slots, which are used again when a value is not
// needed any more.
type allocator struct {
	inputs int
	slots  int     // slots in use so far, the highest ever
	slot   []int32 // by value; inputs are their own slots
	def    []int32 // by value: position of the instruction that computes it
	defIn  []int32 // by value: cone
	last   []int32 // by value: position after which the slot is free
	shared []bool  // by value: it takes the slot of another
	dies   [][]int32
	free   []int32
}

func newAllocator(inputs, values int) *allocator {
	a := &allocator{
		inputs: inputs, slots: inputs,
		slot:   make([]int32, values),
		def:    make([]int32, values),
		defIn:  make([]int32, values),
		last:   make([]int32, values),
		shared: make([]bool, values),
	}
	for v := range a.slot {
		a.slot[v], a.def[v], a.last[v] = -1, -1, -1
		if v < inputs {
			a.slot[v] = int32(v)
		}
	}
	return a
}

// allocate places the values of cones that run in this order; the last one
// computes the next state and always runs, those between the first and the
// last may be left out or run in another order. So what crosses from one
// cone to another, and every output, lives until the last one starts. It
// returns the slots by value.
func (a *allocator) allocate(cones []cone, fluents int32) []int32 {
	end := a.define(cones)
	a.use(cones)
	next := &cones[len(cones)-1]
	a.place(next, int32(len(cones)-1), fluents)
	a.dies = make([][]int32, end+1)
	for v := a.inputs; v < len(a.slot); v++ {
		if a.slot[v] < 0 && a.def[v] >= 0 && !a.shared[v] {
			a.last[v] = max(a.last[v], a.def[v]+1)
			a.dies[a.last[v]] = append(a.dies[a.last[v]], int32(v))
		}
	}
	pos := int32(0)
	for i := range cones {
		for _, s := range cones[i].segments {
			for _, f := range s.back {
				a.slot[f.next] = a.slot[f.prev]
			}
			for _, in := range s.code {
				a.release(pos)
				a.take(in.D)
				pos++
			}
			a.release(pos)
			pos++
		}
		a.release(pos)
		pos++
	}
	return a.slot
}

// define numbers the instructions. The end of a segment and the end of a
// cone have positions of their own.
func (a *allocator) define(cones []cone) (end int32) {
	pos := int32(0)
	for i := range cones {
		for _, s := range cones[i].segments {
			for _, in := range s.code {
				a.def[in.D], a.defIn[in.D] = pos, int32(i)
				pos++
			}
			pos++
		}
		pos++
	}
	return pos
}

// use finds the last position at which each value is read. Inside a loop a
// value from before it, and what is carried from round to round, is needed to
// the loop's end.
func (a *allocator) use(cones []cone) {
	pos, lastStart := int32(0), int32(0)
	for i := range cones {
		lastStart = pos
		var start, stop int32 // of a loop
		for k, s := range cones[i].segments {
			if s.loop {
				start, stop = pos, pos+int32(len(s.code)+1+len(cones[i].segments[k+1].code))
				a.last[s.changed] = stop
			}
			for _, in := range s.code {
				for _, v := range in.Operands() {
					until := pos
					if (s.loop || s.again) && (a.def[v] < start || int(v) < a.inputs) {
						until = stop
					}
					a.last[v] = max(a.last[v], until)
				}
				pos++
			}
			for _, f := range s.back {
				a.shared[f.next] = true
			}
			pos++
		}
		pos++
	}
	a.cross(cones, lastStart, pos-1)
}

// cross lengthens the lives of values that leave their cone.
func (a *allocator) cross(cones []cone, lastStart, end int32) {
	final := int32(len(cones) - 1)
	for i := range cones {
		for _, s := range cones[i].segments {
			for _, in := range s.code {
				for _, v := range in.Operands() {
					if int(v) >= a.inputs && a.defIn[v] != int32(i) {
						a.last[v] = max(a.last[v], lastStart)
					}
				}
			}
		}
		for _, v := range cones[i].outputs {
			if int32(i) == final {
				a.last[v] = max(a.last[v], end)
			} else {
				a.last[v] = max(a.last[v], lastStart)
			}
		}
	}
}

// place lets a value of the next state be computed in the slot of its
// fluent, where nothing reads the old value afterwards.
func (a *allocator) place(next *cone, index int32, fluents int32) {
	inLoop := map[int32]bool{}
	for _, s := range next.segments {
		if !s.loop && !s.again {
			continue
		}
		for _, in := range s.code {
			inLoop[in.D] = true
		}
	}
	for i, v := range next.outputs {
		home := fluents + int32(i)
		if int(v) < a.inputs || a.slot[v] >= 0 || a.defIn[v] != index || inLoop[v] {
			continue
		}
		// In the cones before, reads of the fluent have lower positions.
		if a.last[home] <= a.def[v] {
			a.slot[v] = home
		}
	}
}

func (a *allocator) take(v int32) {
	if a.slot[v] >= 0 {
		return
	}
	if n := len(a.free); n > 0 {
		a.slot[v], a.free = a.free[n-1], a.free[:n-1]
		return
	}
	a.slot[v] = int32(a.slots)
	a.slots++
}

// release frees the slots of the values that were read for the last time at
// pos: the instruction there may write to one of them.
func (a *allocator) release(pos int32) {
	for _, v := range a.dies[pos] {
		a.free = append(a.free, a.slot[v])
	}
	a.dies[pos] = nil
}
