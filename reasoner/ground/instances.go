package ground

// instances holds rule instances: those of an atom are a list through next;
// instance i has the body bodies[start[i]:start[i+1]].
type instances struct {
	first  []int32 // by atom; -1 ends; may be shorter than the atoms
	next   []int32
	start  []int32
	bodies []int32
}

func newInstances() *instances { return &instances{start: []int32{0}} }

// record keeps a rule instance: the head holds if every atom of the body
// does (^a: does not).
func (x *instances) record(head atomID, body []int32) {
	for len(x.first) <= int(head) {
		x.first = append(x.first, -1)
	}
	x.next = append(x.next, x.first[head])
	x.first[head] = int32(len(x.next) - 1)
	x.bodies = append(x.bodies, body...)
	x.start = append(x.start, int32(len(x.bodies)))
}

func (x *instances) len() int { return len(x.next) }

func (x *instances) bytes() int64 {
	return int64(cap(x.bodies)+cap(x.next)+cap(x.start)+cap(x.first)) * 4
}

// of returns the first instance of an atom; -1: there is none.
func (x *instances) of(a atomID) int32 {
	if int(a) >= len(x.first) {
		return -1
	}
	return x.first[a]
}

func (x *instances) body(i int32) []int32 { return x.bodies[x.start[i]:x.start[i+1]] }
