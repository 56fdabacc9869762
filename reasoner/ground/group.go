package ground

// relation is a relation of the game or one that the rewriting made.
type relation struct {
	name      string // for people
	rules     []*rule
	dynamic   bool // its extension depends on the state or on what is selected
	input     bool // its atoms are inputs of the circuit, or come from atoms of another relation
	postponed bool // static, but treated as dynamic
	group     int  // strongly connected component; above those of all relations that it uses
	cyclic    bool // the group is recursive
	final     bool // its rules need no rewriting
}

// group finds the strongly connected components of the relations (Tarjan's
// algorithm with its own stack, since a chain of rules can be as long as the
// text) and which of them are dynamic.
func (g *grounder) group() {
	n := len(g.relations)
	t := components{g: g, index: make([]int32, n), low: make([]int32, n), done: make([]bool, n)}
	for r := range n {
		if t.index[r] == 0 {
			t.visit(int32(r))
		}
	}
}

type components struct {
	g          *grounder
	index, low []int32 // order of first visit, from 1; lowest index reachable
	done       []bool  // its group is complete
	count      int32
	stack      []int32
	groups     int
}

type componentFrame struct {
	rel  int32
	uses []int32
}

func (t *components) enter(r int32) componentFrame {
	t.count++
	t.index[r], t.low[r] = t.count, t.count
	t.stack = append(t.stack, r)
	f := componentFrame{rel: r}
	for _, rule := range t.g.relations[r].rules {
		for _, ls := range [][]literal{rule.pos, rule.neg} {
			for i := range ls {
				f.uses = append(f.uses, ls[i].rel)
			}
		}
	}
	return f
}

func (t *components) visit(root int32) {
	frames := []componentFrame{t.enter(root)}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if len(f.uses) > 0 {
			to := f.uses[0]
			f.uses = f.uses[1:]
			switch {
			case t.index[to] == 0:
				frames = append(frames, t.enter(to))
			case !t.done[to]:
				t.low[f.rel] = min(t.low[f.rel], t.index[to])
			}
			continue
		}
		r := f.rel
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			parent := frames[len(frames)-1].rel
			t.low[parent] = min(t.low[parent], t.low[r])
		}
		if t.low[r] == t.index[r] {
			t.complete(r)
		}
	}
}

// complete takes the group of r off the stack. The groups that it uses are
// complete.
func (t *components) complete(r int32) {
	from := len(t.stack) - 1
	for t.stack[from] != r {
		from--
	}
	members := t.stack[from:]
	t.stack = t.stack[:from]
	dynamic, cyclic := false, len(members) > 1
	for _, m := range members {
		rel := &t.g.relations[m]
		rel.group = t.groups
		dynamic = dynamic || rel.input || rel.postponed
		for _, rule := range rel.rules {
			for _, ls := range [][]literal{rule.pos, rule.neg} {
				for i := range ls {
					dynamic = dynamic || t.g.relations[ls[i].rel].dynamic
					cyclic = cyclic || t.g.relations[ls[i].rel].group == t.groups && ls[i].rel == r
				}
			}
		}
	}
	for _, m := range members {
		t.done[m] = true
		t.g.relations[m].dynamic, t.g.relations[m].cyclic = dynamic, cyclic
	}
	t.groups++
}
