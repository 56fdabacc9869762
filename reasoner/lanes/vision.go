package lanes

// Sees tells whether the lanes see wins: the machine is one of Machine.Foresee.
func (e *Engine) Sees() bool { return e.circuit.plan.foresees }

// Winners appends the set of lanes where a role has a move that wins at once, in the
// states that the last Step reached. There are none where the lanes do not see
// wins, where another role has a choice as well, or in terminal states.
func (e *Engine) Winners(role int, dst []uint64) []uint64 {
	c := e.circuit
	for w, held := range e.status.held {
		if !c.plan.foresees {
			held = 0
		}
		dst = append(dst, held&c.slot(c.plan.roles[role].winning)[w])
	}
	return dst
}

// Preferred appends the first semimoves that a role prefers in the state that a lane
// reached in the last Step, in rising order: those of moves that win at once; or,
// on a machine that foresees replies, where there are none, those of moves that
// let nobody else win at once. None: it prefers nothing.
func (e *Engine) Preferred(lane, role int, dst []uint32) []uint32 {
	for k, slot := range e.circuit.plan.roles[role].levels[0].prefer {
		if e.circuit.bit(slot, lane) {
			dst = append(dst, uint32(k))
		}
	}
	return dst
}
