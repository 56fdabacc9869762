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

// brood are the children of one state, with their groups.
type brood struct {
	parent   uint32 // record; 0: there are none
	states   layer
	children []child
	groups   []moveGroup // scratch
}

// broodPart is the part of the memory that the states of a brood may take beside the tables.
const broodPart = 8

type child struct {
	candidate
	group uint64
}

// moveGroup counts the moves of a group.
type moveGroup struct {
	name uint64
	size int
}

func (k *brood) clear() {
	k.parent, k.children = 0, k.children[:0]
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

// gather puts the state of a lane to the other children of its parent, and settles those of
// the parent before it.
func (f *Search) gather(lane int, end ending, parent []uint64) {
	if end.record != f.brood.parent {
		f.settleBrood()
		f.brood.parent = end.record
	}
	f.state = f.engine.State(lane, f.state[:0])
	if words := len(f.brood.states.words); words > 0 && 8*int64(words+len(f.state)) > f.memory/broodPart {
		f.pass.cut = true // there is no room for it
		return
	}
	gone := uint64(0)
	for i, word := range parent {
		if i < len(f.state) {
			word &^= f.state[i]
		}
		gone = hashing.Of(gone ^ word)
	}
	f.brood.states.add(f.state)
	f.brood.children = append(f.brood.children, child{candidate{hash: hashing.Words(f.state), parent: end.record, move: end.move}, gone})
}

// settleBrood makes candidates of the smallest group of the children.
func (f *Search) settleBrood() {
	k := &f.brood
	if len(k.children) == 0 {
		return
	}
	group := f.smallestGroup()
	if len(k.groups) > 1 {
		f.pass.cut = true
		f.schedule.grouped = f.schedule.grouped || len(k.groups) < len(k.children)
	}
	f.pass.open = max(f.pass.open, len(k.groups))
	quality := uint64(min(len(k.groups), 1<<24-1)) << 32
	for i, m := range k.children {
		if m.group != group || f.tables.isKnown(m.hash) {
			continue
		}
		m.score = quality | hashing.Of(m.hash^f.pass.seed)>>32
		f.admit(m.candidate, k.states.state(i))
	}
	k.clear()
}

// smallestGroup lists the groups of the children and names the smallest, of several
// the same one in all states of a pass as far as possible.
func (f *Search) smallestGroup() uint64 {
	k := &f.brood
	k.groups = k.groups[:0]
children:
	for _, m := range k.children {
		for i := range k.groups {
			if k.groups[i].name == m.group {
				k.groups[i].size++
				continue children
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
