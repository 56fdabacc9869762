package prover

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
)

// selection is what an engine keeps to choose the moves of a split game. What
// is selected at present stands in the tables of the choices.
type selection struct {
	chosen  [][]semimove // by role and level: the random path found when the position was looked at
	options [][]option   // by level: what findPath has not tried yet
	failure error        // why offers could not be evaluated; the next Step says it

	toSemimove   map[semiKey]uint32
	fromSemimove []semimove // by number; without a row: not known yet
}

// option is a semimove that is offered.
type option struct {
	choice int32
	at     int32 // of its row in the space of the offers
}

// movableAt is the table of a role's Movable.
func (lay *layout) movableAt(role int) int { return len(lay.choices) + role }

// openSelection begins a turn: nothing is selected, and every role is taken
// to be able to move.
func (e *Engine) openSelection() {
	lay := e.code.layout
	if lay == nil {
		return
	}
	for _, r := range lay.movable {
		e.tables[lay.movableAt(r)].n = 1
	}
	e.failure = nil
	if e.chosen != nil {
		return
	}
	e.chosen = make([][]semimove, len(lay.roles))
	for r := range lay.roles {
		e.chosen[r] = make([]semimove, len(lay.roles[r]))
		for len(e.options) < len(lay.roles[r]) {
			e.options = append(e.options, nil)
		}
	}
}

// choose selects a semimove. Tables that depend on what was selected there
// before are forgotten; the selections below stay until they are chosen anew.
func (e *Engine) choose(choice int32, row []gdl.TermID) {
	lay := e.code.layout
	t := &e.tables[choice]
	if t.n == 1 && slices.Equal(t.data, row) {
		return
	}
	c := &lay.choices[choice]
	level := lay.roles[c.role][c.level]
	for k := level.from; k < level.to; k++ {
		if e.tables[k].n > 0 {
			e.tables[k].clear()
		}
	}
	t.add(row)
	e.forget(perMove)
	first := lay.spaces[c.role]
	for which := first + c.level; which < first+len(lay.roles[c.role]); which++ {
		e.forget(which)
	}
}

func (e *Engine) forget(which int) {
	if s := e.spaces[which]; len(s.tables) > 0 {
		s.reset()
	}
}

// offered evaluates the offers of a level under what is selected above it.
func (e *Engine) offered(level span, dst []option) []option {
	for k := level.from; k < level.to; k++ {
		p := e.code.offers[k]
		if p == nil {
			continue
		}
		s, t := e.spaces[p.space], e.call(p, nil)
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
func (e *Engine) rowOf(o option) []gdl.TermID {
	p := e.code.offers[o.choice]
	return e.spaces[p.space].rows[o.at : int(o.at)+p.width]
}

// findPath selects a random path of a role, at each level among what was not
// tried there: uniform, or as policies and choosers say. A dead prefix loses its last semimove. It is false if
// the role has no path at all.
func (e *Engine) findPath(role int) bool {
	levels := e.code.layout.roles[role]
	l := 0
	e.options[0] = e.offered(levels[0], e.options[0][:0])
	for {
		n := len(e.options[l])
		if n == 0 {
			if l == 0 {
				return false
			}
			l--
			continue
		}
		if e.work++; e.work&pollMask == 0 {
			e.poll()
		}
		i := e.pickOption(role, l)
		o := e.options[l][i]
		e.options[l][i] = e.options[l][n-1]
		e.options[l] = e.options[l][:n-1]
		s := &e.chosen[role][l]
		s.choice, s.row = o.choice, append(s.row[:0], e.rowOf(o)...)
		e.choose(s.choice, s.row)
		if l++; l == len(levels) {
			return true
		}
		e.options[l] = e.offered(levels[l], e.options[l][:0])
	}
}

// decideMovable finds out which roles can move, where rules ask for it. One
// that can has a random path selected after that.
func (e *Engine) decideMovable() {
	lay := e.code.layout
	if lay == nil {
		return
	}
	for _, r := range lay.movable {
		if e.findPath(r) {
			continue
		}
		e.tables[lay.movableAt(r)].clear()
		for which := perMove; which < lay.last; which++ {
			e.forget(which)
		}
	}
}

// choosePaths finds a random path for every role, of a state that is not
// terminal; false if a role has none.
func (e *Engine) choosePaths() bool {
	lay := e.code.layout
	for r := range lay.roles {
		if slices.Contains(lay.movable, r) {
			if e.tables[lay.movableAt(r)].n > 0 {
				continue
			}
		} else if e.findPath(r) {
			continue
		}
		return false
	}
	return true
}

// takeChosen selects the random paths again that were found last.
func (e *Engine) takeChosen() {
	for r := range e.chosen {
		for _, s := range e.chosen[r] {
			e.choose(s.choice, s.row)
		}
	}
}

// takePaths selects a joint move of semimoves, role by role.
func (e *Engine) takePaths(joint []uint32) {
	at := 0
	for r, levels := range e.code.layout.roles {
		for l := range levels {
			e.chooseNumber(r, l, joint[at])
			at++
		}
	}
}

func (e *Engine) chooseNumber(role, level int, n uint32) {
	s := e.localSemimove(n)
	if c := &e.code.layout.choices[s.choice]; c.role != role || c.level != level {
		panic(fmt.Sprintf("BUG: semimove %d is not of role %d, level %d", n, role, level))
	}
	e.choose(s.choice, s.row)
}

// splitOffers is Offers for a split game. It cannot be stopped, since it has no way to
// say so; an evaluation that outgrows the limits offers nothing, and the next
// Step says why.
func (e *Engine) splitOffers(role int, prefix []uint32, dst []uint32) []uint32 {
	levels := e.code.layout.roles[role]
	if e.phase != arrived || e.terminal || len(prefix) >= len(levels) {
		return dst
	}
	start := len(dst)
	err := e.guard(nil, func() {
		for l, n := range prefix {
			e.chooseNumber(role, l, n)
		}
		found := e.offered(levels[len(prefix)], e.options[len(prefix)][:0])
		e.options[len(prefix)] = found
		for _, o := range found {
			dst = append(dst, e.sharedSemimove(o.choice, e.rowOf(o)))
		}
	})
	if err != nil {
		e.failure = err
		return dst[:start]
	}
	slices.Sort(dst[start:])
	return dst
}
