package lanes

import (
	"math/bits"

	"semisplit/reasoner/lanes/kernel"
)

// SumGoals adds the goals of the lanes in a set to dst, by role, in [0, 1]
// each.
func (e *Engine) SumGoals(lanes []uint64, dst []float64) {
	e.needGoals()
	for r := range e.p.roles {
		e.sumRole(r, e.p.roles[r].goals, lanes, dst)
	}
}

// sumRole adds the goals of a role; slots has the slot of each goal.
func (e *Engine) sumRole(role int, slots []int32, lanes []uint64, dst []float64) {
	var rest [kernel.MaxWords]uint64
	copy(rest[:], lanes[:e.w])
	for i, slot := range slots {
		n := 0
		for w, x := range e.slot(slot) {
			n += bits.OnesCount64(x & rest[w])
			rest[w] &^= x
		}
		dst[role] += float64(n*e.m.net.Roles[role].Goals[i].Value) / 100
	}
}

// bank holds states of ended lanes whose goals are evaluated together, later:
// where few of many lanes end in each Step, evaluating the goals each time
// costs as much as everything else.
type bank struct {
	lanes []uint64  // that the bank holds
	sums  []float64 // by role: goals evaluated already
}

// BankGoals is SumGoals for lanes of which only the sum over many Steps is
// asked: see TakeGoals.
func (e *Engine) BankGoals(lanes []uint64) {
	if e.code.deposit == nil {
		e.SumGoals(lanes, e.bank.sums)
		return
	}
	taken := uint64(0)
	for w, x := range lanes[:e.w] {
		taken |= x & e.bank.lanes[w]
	}
	if taken != 0 {
		e.scoreBank()
	}
	mask := e.slot(e.p.mask)
	for w, x := range lanes[:e.w] {
		mask[w] = x
		e.bank.lanes[w] |= x
	}
	e.set.Exec(e.code.deposit, e.slots)
}

// TakeGoals adds the goals of all lanes that BankGoals was told of since the
// last call.
func (e *Engine) TakeGoals(dst []float64) {
	e.scoreBank()
	for r, x := range e.bank.sums {
		dst[r] += x
		e.bank.sums[r] = 0
	}
}

func (e *Engine) scoreBank() {
	if kernel.Empty(e.bank.lanes) {
		return
	}
	e.exec(e.code.score, e.slots)
	for r := range e.p.roles {
		e.sumRole(r, e.p.roles[r].scores, e.bank.lanes, e.bank.sums)
	}
	clear(e.bank.lanes)
}
