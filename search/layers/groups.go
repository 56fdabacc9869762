package layers

import "semisplit/search/internal/hashing"

// Passes by groups. In many puzzles each turn settles one of several open
// questions (what comes into this square?), in any order, and all must be
// settled. So it is enough to look at the answers to one question in each state,
// best the one with the fewest (fail first: Haralick, Elliott, 1980), and the
// layers stay small. Moves that answer the same question take the same bits out
// of the state (the square is empty): that is how they are told. States with more
// open questions that can be answered come first, for where there are fewer than
// elsewhere in the layer, one has lost its last answer.
//
// Whether a puzzle is of that kind is not known, so such a pass proves nothing
// unless all states had one group.

// kin are the children of one state, with their groups.
type kin struct {
	parent   uint32 // record; 0: there are none
	states   layer
	siblings []sibling
	groups   []moveGroup // scratch
}

type sibling struct {
	candidate
	group uint64
}

// moveGroup counts the moves of a group.
type moveGroup struct {
	name uint64
	size int
}

func (k *kin) clear() {
	k.parent, k.siblings = 0, k.siblings[:0]
	k.states.clear()
}

// seeQuestions ends a layer of a pass by groups, which is futile where there are
// no fewer questions than in the layer before: the moves settle nothing.
func (f *Search) seeQuestions() {
	if f.pass.order.by != byGroups || f.pass.open == 0 {
		return
	}
	if f.pass.before > 0 && f.pass.open >= f.pass.before {
		f.schedule.endless, f.pass.cut = true, true
		f.tables.clearNext()
	}
	f.pass.before, f.pass.open = f.pass.open, 0
}

// gather puts the state of a lane to its kin, and settles the kin before it.
func (f *Search) gather(lane int, from ending, parent []uint64) {
	if from.record != f.kin.parent {
		f.settleKin()
		f.kin.parent = from.record
	}
	f.state = f.engine.State(lane, f.state[:0])
	gone := uint64(0)
	for i, word := range parent {
		if i < len(f.state) {
			word &^= f.state[i]
		}
		gone = hashing.Of(gone ^ word)
	}
	f.kin.states.add(f.state)
	f.kin.siblings = append(f.kin.siblings, sibling{candidate{hash: hashing.Words(f.state), parent: from.record, move: from.move}, gone})
}

// settleKin makes candidates of the smallest group of the kin.
func (f *Search) settleKin() {
	k := &f.kin
	if len(k.siblings) == 0 {
		return
	}
	group := f.smallestGroup()
	if len(k.groups) > 1 {
		f.pass.cut = true
		f.schedule.grouped = f.schedule.grouped || len(k.groups) < len(k.siblings)
	}
	f.pass.open = max(f.pass.open, len(k.groups))
	quality := uint64(min(len(k.groups), 1<<24-1)) << 32
	for i, m := range k.siblings {
		if m.group != group || f.isKnown(m.hash) {
			continue
		}
		m.score = quality | hashing.Of(m.hash^f.pass.seed)>>32
		f.admit(m.candidate, k.states.state(i))
	}
	k.clear()
}

// smallestGroup lists the groups of the kin and names the smallest, of several
// the same one in all states of a pass as far as possible.
func (f *Search) smallestGroup() uint64 {
	k := &f.kin
	k.groups = k.groups[:0]
siblings:
	for _, m := range k.siblings {
		for i := range k.groups {
			if k.groups[i].name == m.group {
				k.groups[i].size++
				continue siblings
			}
		}
		k.groups = append(k.groups, moveGroup{m.group, 1})
	}
	best := k.groups[0]
	for _, g := range k.groups[1:] {
		if g.size < best.size || g.size == best.size && hashing.Of(g.name^f.pass.seed) < hashing.Of(best.name^f.pass.seed) {
			best = g
		}
	}
	return best.name
}
