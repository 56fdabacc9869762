package propnet

// Inputs are the values of the inputs of a net.
type Inputs struct {
	Fluents      []bool // by fluent
	Selected     []bool // by semimove, in the order of roles, levels and semimoves, whether or not the net reads it; nil: none is chosen
	HasLegalMove []bool // by role; nil: every role has a legal move
}

// Eval is EvalInputs where every role has a legal move.
func (n *Net) Eval(fluents, selected []bool) []bool {
	return n.EvalInputs(Inputs{Fluents: fluents, Selected: selected})
}

// EvalInputs is the meaning of a net, plain and slow: the value of every node
// for one state.
func (n *Net) EvalInputs(in Inputs) []bool {
	value := make([]bool, len(n.Ops))
	copy(value[2:2+len(n.Fluents)], in.Fluents)
	i := 0
	for r, role := range n.Roles {
		for _, level := range role.Levels {
			for _, s := range level.Select {
				if in.Selected != nil && s != False {
					value[s] = in.Selected[i]
				}
				i++
			}
		}
		if role.HasLegalMove != False {
			value[role.HasLegalMove] = in.HasLegalMove == nil || in.HasLegalMove[r]
		}
	}
	value[False], value[True] = false, true
	cycle := 0
	for i := 2; i < len(n.Ops); i++ {
		if cycle < len(n.Cycles) && n.Cycles[cycle].From == Node(i) {
			c := n.Cycles[cycle]
			n.settle(value, c)
			i, cycle = int(c.To)-1, cycle+1
			continue
		}
		n.evalNode(value, i)
	}
	return value
}

// settle evaluates a cycle from False until nothing changes.
func (n *Net) settle(value []bool, c Cycle) {
	for changed := true; changed; {
		changed = false
		for i := c.From; i < c.To; i++ {
			before := value[i]
			n.evalNode(value, int(i))
			changed = changed || value[i] != before
		}
	}
}

func (n *Net) evalNode(value []bool, i int) {
	args := n.Args[n.First[i]:n.First[i+1]]
	switch n.Ops[i] {
	case Not:
		value[i] = !value[args[0]]
	case And:
		all := true
		for _, a := range args {
			all = all && value[a]
		}
		value[i] = all
	case Or:
		some := false
		for _, a := range args {
			some = some || value[a]
		}
		value[i] = some
	}
}

// Moves is the number of semimoves of all roles and levels: the length of the
// selections that Eval takes.
func (n *Net) Moves() int {
	total := 0
	for _, role := range n.Roles {
		for _, level := range role.Levels {
			total += len(level.Codes)
		}
	}
	return total
}
