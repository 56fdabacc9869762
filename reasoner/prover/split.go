package prover

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
)

// splitMoves chooses the moves of a split game, semimove by semimove. What is
// selected at present stands in the tables of the choices.
type splitMoves struct {
	layout   *layout
	eval     *evaluator
	numbers  *translator
	steering *steering
	trace    *trace

	chosen  [][]semimove // by role and level: the random path found when the position was looked at
	options [][]option   // by level: what findPath has not tried yet
}

// option is a semimove that is offered.
type option struct {
	choice int32
	at     int32 // of its row in the space of the offers
}

func newSplitMoves(e *evaluator, n *translator, s *steering, t *trace) *splitMoves {
	lay := e.code.layout
	m := &splitMoves{
		layout: lay, eval: e, numbers: n, steering: s, trace: t,
		chosen: make([][]semimove, len(lay.roles)),
	}
	for r := range lay.roles {
		m.chosen[r] = make([]semimove, len(lay.roles[r]))
		for len(m.options) < len(lay.roles[r]) {
			m.options = append(m.options, nil)
		}
	}
	return m
}

// choose selects a semimove. Tables that depend on what was selected there
// before are forgotten; the selections below stay until they are chosen anew.
func (m *splitMoves) choose(choice int32, row []gdl.TermID) {
	lay := m.layout
	t := &m.eval.position.tables[choice]
	if t.n == 1 && slices.Equal(t.data, row) {
		return
	}
	c := &lay.choices[choice]
	level := lay.roles[c.role][c.level]
	for k := level.from; k < level.to; k++ {
		if m.eval.position.tables[k].n > 0 {
			m.eval.position.tables[k].clear()
		}
	}
	t.add(row)
	m.eval.spaces.forget(perMove)
	first := lay.spaces[c.role]
	for which := first + c.level; which < first+len(lay.roles[c.role]); which++ {
		m.eval.spaces.forget(which)
	}
}

// offered evaluates the offers of a level under what is selected above it.
func (m *splitMoves) offered(level span, dst []option) []option {
	for k := level.from; k < level.to; k++ {
		p := m.eval.code.offers[k]
		if p == nil {
			continue
		}
		s, t := m.eval.spaces[p.space], m.eval.call(p, nil)
		if p.width == 0 {
			if s.tables[t].n > 0 {
				dst = append(dst, option{choice: k})
			}
			continue
		}
		for at := s.tables[t].first; at != 0; at = int32(s.rows[at]) {
			dst = append(dst, option{k, at + 1})
		}
	}
	return dst
}

// rowOf is the row of an option. It is valid as long as nothing is evaluated.
func (m *splitMoves) rowOf(o option) []gdl.TermID {
	p := m.eval.code.offers[o.choice]
	return m.eval.spaces[p.space].rows[o.at : int(o.at)+p.width]
}

// findPath selects a random path of a role, at each level among what was not
// tried there: uniform, or as policies and choosers say. A dead prefix loses its
// last semimove. It is false if the role has no path at all.
func (m *splitMoves) findPath(role int) bool {
	levels := m.layout.roles[role]
	l := 0
	m.options[0] = m.offered(levels[0], m.options[0][:0])
	for {
		n := len(m.options[l])
		if n == 0 {
			if l == 0 {
				return false
			}
			l--
			continue
		}
		if m.eval.work++; m.eval.work&pollMask == 0 {
			m.eval.poll()
		}
		i := m.pick(role, l)
		o := m.options[l][i]
		m.options[l][i] = m.options[l][n-1]
		m.options[l] = m.options[l][:n-1]
		s := &m.chosen[role][l]
		s.choice, s.row = o.choice, append(s.row[:0], m.rowOf(o)...)
		m.choose(s.choice, s.row)
		if l++; l == len(levels) {
			return true
		}
		m.options[l] = m.offered(levels[l], m.options[l][:0])
	}
}

// decideMovable finds out which roles can move, where rules ask for it. One
// that can has a random path selected after that.
func (m *splitMoves) decideMovable() {
	lay := m.layout
	for _, r := range lay.movable {
		if m.findPath(r) {
			continue
		}
		m.eval.position.tables[lay.movableTable(r)].clear()
		for which := perMove; which < lay.last; which++ {
			m.eval.spaces.forget(which)
		}
	}
}

// choosePaths finds a random path for every role, of a state that is not
// terminal; false if a role has none.
func (m *splitMoves) choosePaths() bool {
	lay := m.layout
	for r := range lay.roles {
		if slices.Contains(lay.movable, r) {
			if m.eval.position.tables[lay.movableTable(r)].n > 0 {
				continue
			}
		} else if m.findPath(r) {
			continue
		}
		return false
	}
	return true
}

// draw selects the random paths again that were found last, and notes them.
func (m *splitMoves) draw() {
	for r := range m.chosen {
		for _, s := range m.chosen[r] {
			m.choose(s.choice, s.row)
		}
	}
	m.record()
}

// take selects a joint move of semimoves, role by role.
func (m *splitMoves) take(joint []uint32) {
	place := 0
	for r, levels := range m.layout.roles {
		for l := range levels {
			m.chooseNumber(r, l, joint[place])
			place++
		}
	}
}

func (m *splitMoves) chooseNumber(role, level int, n uint32) {
	s := m.numbers.localSemimove(n)
	if c := &m.layout.choices[s.choice]; c.role != role || c.level != level {
		panic(fmt.Sprintf("BUG: semimove %d is not of role %d, level %d", n, role, level))
	}
	m.choose(s.choice, s.row)
}

// offers appends the numbers of the semimoves of a role after a prefix, rising.
func (m *splitMoves) offers(role int, prefix []uint32, dst []uint32) []uint32 {
	for l, n := range prefix {
		m.chooseNumber(role, l, n)
	}
	level := len(prefix)
	m.options[level] = m.offered(m.layout.roles[role][level], m.options[level][:0])
	start := len(dst)
	for _, o := range m.options[level] {
		dst = append(dst, m.numbers.sharedSemimove(o.choice, m.rowOf(o)))
	}
	slices.Sort(dst[start:])
	return dst
}

// pick picks one of the options of a level, as its policy or chooser says.
func (m *splitMoves) pick(role, level int) int {
	options, s := m.options[level], m.steering
	pol := s.steered(role, level)
	if pol == nil || len(options) == 1 {
		return s.uniform(len(options))
	}
	s.candidates = s.candidates[:0]
	for _, o := range options {
		s.candidates = append(s.candidates, m.numbers.sharedSemimove(o.choice, m.rowOf(o)))
	}
	if pol.chooser != nil {
		for l, s := range m.chosen[role][:level] {
			m.steering.setPrefix(role, l, m.numbers.sharedSemimove(s.choice, s.row))
		}
	}
	return s.pick(pol, role, level)
}

// record notes the joint move as played.
func (m *splitMoves) record() {
	if !m.trace.tracing {
		return
	}
	field := 0
	for r := range m.chosen {
		for _, s := range m.chosen[r] {
			setField(m.trace.choices, field, m.numbers.sharedSemimove(s.choice, s.row))
			field++
		}
	}
}

// forget gives up the paths that were chosen in terms of a store.
func (m *splitMoves) forget() {
	for r := range m.chosen {
		for l := range m.chosen[r] {
			m.chosen[r][l].row = m.chosen[r][l].row[:0]
		}
	}
}
