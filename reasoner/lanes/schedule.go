package lanes

// window is how many instructions are ordered at once: wide enough for long
// runs of one op, narrow enough that what a window works on stays in the
// nearest cache.
const window = 1024

// schedule orders the instructions of a segment into runs of one op, without
// moving one before what it depends on.
func schedule(code []instr) []instr {
	out := make([]instr, 0, len(code))
	for len(code) > 0 {
		n := min(window, len(code))
		out = append(out, scheduleWindow(code[:n])...)
		code = code[n:]
	}
	return out
}

// scheduleWindow repeats: take the op with the most ready instructions, and
// emit all of that op, those included that become ready meanwhile.
func scheduleWindow(code []instr) []instr {
	home := make(map[int32]int32, len(code)) // value: index of its instruction
	for i := range code {
		home[code[i].d] = int32(i)
	}
	waits := make([]int32, len(code))
	readers := make([][]int32, len(code))
	for i := range code {
		for _, v := range code[i].operands() {
			if j, ok := home[v]; ok {
				waits[i]++
				readers[j] = append(readers[j], int32(i))
			}
		}
	}
	var ready [numOps][]int32
	for i := range code {
		if waits[i] == 0 {
			ready[code[i].op] = append(ready[code[i].op], int32(i))
		}
	}
	out := make([]instr, 0, len(code))
	for len(out) < len(code) {
		best := op(0)
		for o := range ready {
			if len(ready[o]) > len(ready[best]) {
				best = op(o)
			}
		}
		for at := 0; at < len(ready[best]); at++ {
			i := ready[best][at]
			out = append(out, code[i])
			for _, r := range readers[i] {
				if waits[r]--; waits[r] == 0 {
					ready[code[r].op] = append(ready[code[r].op], r)
				}
			}
		}
		ready[best] = ready[best][:0]
	}
	return out
}
