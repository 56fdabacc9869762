package minimax

import (
	"slices"

	"semisplit/search/internal/hashing"
)

// search is what a state is worth to who moves in it, if that lies between lo and hi, or
// else a bound. It looks depth joint moves ahead, at least 1. made is the state with its
// moves played, nil if they were not.
func (t *task) search(state []uint64, at *turn, depth int, lo, hi score, ply int, made *family) found {
	s := t.s
	hash := hashing.Words(state)
	best := -1
	if e, ok := s.table.find(hash); ok {
		if int(e.best) < at.n {
			best = int(e.best)
		}
		if ply > 0 && e.answers(depth, lo, hi) {
			return found{score(e.value), e.whole(), true}
		}
	}
	if v := at.value.seenBy(at.mover); made == nil && stands(v, hi, depth) {
		return found{v, false, true}
	}
	if ply == 0 {
		best = s.best
	}
	m := made
	if m == nil {
		m = s.family()
		defer func() { s.spare = append(s.spare, m) }()
		m.begin(state, at, wantsAt(depth))
		if t.ask(m); !t.await() {
			return found{}
		}
	}
	n := &frame{family: m, depth: depth, lo: lo, hi: hi, ply: ply, first: best, most: -infinite, whole: !at.part}
	s.order(n)
	if !t.searchMoves(n) {
		return found{}
	}
	if at.part && n.most < hi { // a move that is not known may be no loss
		n.most = max(n.most, -evenly)
	}
	e := entry{hash: hash, value: int16(n.most), best: uint16(n.best), depth: uint8(depth), kind: exact}
	switch {
	case n.most >= hi:
		e.kind = atLeast
	case n.most <= lo:
		e.kind = atMost
	}
	// A win is one at any depth, and so is a loss.
	whole := n.whole || n.most > winning && e.kind != atMost || n.most < -winning && e.kind != atLeast
	if whole {
		e.depth = anyDepth
	}
	s.table.put(e)
	return found{n.most, whole, true}
}

// answers tells whether an entry says enough of a search. A bound that is a win or a loss says
// all but how soon: in a wide window it would be searched anew, at a depth that does not show
// it, and an estimate would take its place.
func (e *entry) answers(depth int, lo, hi score) bool {
	deep, v := int(e.depth) >= depth, score(e.value)
	switch e.kind {
	case exact:
		return deep
	case atLeast:
		return deep && (v >= hi || e.whole() && v > winning)
	}
	return deep && (v <= lo || e.whole() && v < -winning)
}

// frame is a state that is being searched, as who moves in it sees it.
type frame struct {
	*family
	depth  int
	lo, hi score
	ply    int
	first  int // that the table recommends; -1: none
	most   score
	best   int
	whole  bool
}

// order puts the moves into the order in which they are searched.
func (s *AlphaBeta) order(n *frame) {
	m := n.family
	role := m.turn.mover
	for i := range m.children {
		c := &m.children[i]
		c.expected = 4*c.value.seenBy(role) + score(min(s.history[role][historyOf(m.pathOf(i, s.field.levels))], evenly/4))
		if i == n.first {
			c.expected = 8 * infinite
		}
		m.order[i] = int32(i)
	}
	slices.SortFunc(m.order, func(a, b int32) int {
		if x, y := m.children[a].expected, m.children[b].expected; x != y {
			return int(y - x)
		}
		return int(a - b)
	})
}

// take notes what a move is worth. True: that is enough.
func (t *task) take(n *frame, i int, r found) (enough bool) {
	n.whole = n.whole && r.whole
	if r.value > n.most {
		n.most, n.best = r.value, i
		if n.ply == 0 {
			t.s.note(i, r.value)
		}
	}
	n.lo = max(n.lo, n.most)
	if n.most < n.hi {
		return false
	}
	if r.whole {
		n.whole = true
	}
	if n.depth > 1 {
		h := &t.s.history[n.turn.mover][historyOf(n.pathOf(i, t.s.field.levels))]
		if *h += uint32(n.depth * n.depth); *h > evenly/4 {
			t.s.fade()
		}
	}
	return true
}

// fade makes the history weigh less.
func (s *AlphaBeta) fade() {
	for role := range s.history {
		for i := range s.history[role] {
			s.history[role][i] /= 2
		}
	}
}

// searchMoves searches the moves of a node. False: it was ended.
func (t *task) searchMoves(n *frame) bool {
	if n.depth == 1 {
		return t.leaf(n)
	}
	first := int(n.order[0])
	r := t.searchChild(&job{family: n.family, child: first, depth: n.depth - 1, reduced: n.depth - 1, lo: n.lo, hi: n.hi, ply: n.ply})
	switch {
	case !r.ok:
		return false
	case t.take(n, first, r) || len(n.order) == 1:
		return true
	case n.depth == 2:
		return t.searchFront(n)
	}
	return t.searchRest(n)
}

// searchFront searches all moves but the first of a node of depth 2. It plays the moves
// after some of them together: about as many as batch.
func (t *task) searchFront(n *frame) bool {
	for rest := n.order[1:]; len(rest) > 0; {
		made, left, ok := t.makeFront(n, rest)
		enough := false
		for k, m := range made {
			if ok && !enough {
				i := int(rest[k])
				r := t.searchMade(&job{family: n.family, child: i, depth: 1, reduced: 1, lo: n.lo, hi: n.hi, ply: n.ply}, m)
				ok = r.ok
				enough = ok && t.take(n, i, r)
			}
			if m != nil {
				t.s.spare = append(t.s.spare, m)
			}
		}
		if !ok || enough {
			return ok
		}
		rest = left
	}
	return true
}

// makeFront plays the moves after the first ones of rest; nil are those that need none.
// left is what remains of rest.
func (t *task) makeFront(n *frame, rest []int32) (made []*family, left []int32, ok bool) {
	s := t.s
	for moves := 0; len(rest) > 0 && moves < batch; rest = rest[1:] {
		c := &n.children[rest[0]]
		if c.ended || c.shut {
			made = append(made, nil)
			continue
		}
		of := n.turnOf(int(rest[0]), s.field.width, s.field.levels)
		hi := n.hi.down()
		if of.mover != n.turn.mover {
			hi = -n.lo.down()
		}
		if stands(of.value.seenBy(of.mover), hi, 1) {
			made = append(made, nil)
			continue
		}
		state := n.stateOf(int(rest[0]))
		if e, ok := s.table.find(hashing.Words(state)); ok && e.kind == exact {
			made = append(made, nil)
			continue
		}
		m := s.family()
		m.begin(state, &of, loudMoves)
		t.ask(m)
		made = append(made, m)
		moves += of.n
	}
	return made, rest, t.await()
}

// searchRest searches all moves but the first, beside each other as long as there is
// room.
func (t *task) searchRest(n *frame) bool {
	s := t.s
	j := &join{parent: t, outer: t.join, hi: n.hi, found: make([]found, len(n.children))}
	t.join = j
	var later []int32 // places of moves that another thread is at
	for turn := range len(n.order) - 1 {
		place := 1 + s.begins(turn, len(n.order)-1)
		hash := s.busyHash(n, place)
		if s.busy.has(hash) {
			later = append(later, int32(place))
		} else if !t.searchBrother(n, j, place, hash) {
			break
		}
	}
	for _, place := range later {
		if !t.searchBrother(n, j, int(place), s.busyHash(n, int(place))) {
			break
		}
	}
	t.join = j.outer
	for j.open > 0 && !s.halted {
		j.waited = true
		t.wait()
	}
	if s.halted || t.isCut() {
		return false
	}
	return t.takeFound(n, j) || t.searchAgain(n, j)
}

// searchBrother searches the move at a place of the order, beside others if there is room. hash
// is that of busyHash. False: there is no need to go on.
func (t *task) searchBrother(n *frame, j *join, place int, hash uint64) bool {
	s := t.s
	if j.cut || s.halted || t.isCut() {
		return false
	}
	i := int(n.order[place])
	todo := job{family: n.family, child: i, depth: n.depth - 1, reduced: s.reduced(n, place), lo: n.lo, hi: n.lo + 1, ply: n.ply, hash: hash}
	s.busy.add(hash)
	if c := &n.children[i]; !c.ended && !c.shut && s.waiting+s.unborn*n.turn.n < batch {
		t.spawn(j, todo)
		return true
	}
	r := t.searchChild(&todo)
	s.busy.remove(hash)
	if j.found[i] = r; r.ok && r.value >= n.hi {
		j.cut = true
	}
	return true
}

// reduced is the depth of the first try of a move.
func (s *AlphaBeta) reduced(n *frame, place int) int {
	depth := n.depth - 1
	if n.depth < leastFull || place < reduceFrom || n.children[n.order[place]].loud {
		return depth
	}
	if place >= reduceLater && depth > 3 {
		return depth - 2
	}
	return depth - 1
}

// takeFound takes what is certain of the results of a join: they are bounds, but for those
// that are to be searched again.
func (t *task) takeFound(n *frame, j *join) (enough bool) {
	lo := n.lo
	for _, i := range n.order[1:] {
		r := j.found[i]
		if r.ok && (r.value <= lo || r.value >= n.hi) && t.take(n, int(i), r) {
			return true
		}
	}
	return false
}

// searchAgain searches the moves of a node that are better than was known, the best of
// them first, with its whole window.
func (t *task) searchAgain(n *frame, j *join) bool {
	var again []int
	for _, i := range n.order[1:] {
		if r := j.found[i]; r.ok && r.value > n.lo {
			again = append(again, int(i))
		}
	}
	slices.SortStableFunc(again, func(a, b int) int { return int(j.found[b].value - j.found[a].value) })
	for _, i := range again {
		r := t.searchChild(&job{family: n.family, child: i, depth: n.depth - 1, reduced: n.depth - 1, lo: n.lo, hi: n.hi, ply: n.ply})
		if !r.ok {
			return false
		}
		if t.take(n, i, r) {
			return true
		}
	}
	return true
}

// searchChild is what a move is worth to who makes it.
func (t *task) searchChild(todo *job) found { return t.searchMade(todo, nil) }

// searchMade is searchChild with the child's moves, if they were played.
func (t *task) searchMade(todo *job, made *family) found {
	m := todo.family
	c, role := &m.children[todo.child], m.turn.mover
	switch {
	case c.ended:
		return found{c.value.seenBy(role).up(), true, true}
	case c.shut:
		return found{c.value.seenBy(role), false, true}
	}
	of := m.turnOf(todo.child, t.s.field.width, t.s.field.levels)
	r := t.searchSeen(todo, &of, todo.reduced, made)
	if r.ok && todo.reduced < todo.depth && r.value > todo.lo {
		r = t.searchSeen(todo, &of, todo.depth, made)
	}
	return r
}

// searchSeen searches a child as who moves in its parent sees it.
func (t *task) searchSeen(todo *job, of *turn, depth int, made *family) found {
	lo, hi := todo.lo.down(), todo.hi.down()
	same := of.mover == todo.family.turn.mover
	if !same {
		lo, hi = -hi, -lo
	}
	r := t.search(todo.family.stateOf(todo.child), of, depth, lo, hi, todo.ply+1, made)
	if !same {
		r.value = -r.value
	}
	r.value = r.value.up()
	return r
}

// stands tells whether a state of depth 1 is taken to be worth hi without a look at its
// moves: its estimate v, as who moves there sees it, is as much, and some move keeps that.
// A search that expands all moves at once would look at all of them to find one.
func stands(v, hi score, depth int) bool {
	return depth == 1 && v >= hi && hi > -evenly
}

// leaf is searchMoves of a node of depth 1: the states after its moves are evaluated. What
// a loud move is worth is seen by the replies to it, if it seems better than the others.
func (t *task) leaf(n *frame) bool {
	var loud []int
	for _, i := range n.order {
		c := &n.children[i]
		r := found{c.value.seenBy(n.turn.mover), c.ended, true}
		switch {
		case c.ended:
			r.value = r.value.up()
		case c.loud && !c.shut && c.n > 0 && int(c.mover) != n.turn.mover:
			loud = append(loud, int(i))
			continue
		}
		if t.take(n, int(i), r) {
			return true
		}
	}
	slices.SortStableFunc(loud, func(a, b int) int {
		return int(n.children[b].value.seenBy(n.turn.mover) - n.children[a].value.seenBy(n.turn.mover))
	})
	return t.takeLoud(n, loud)
}

// wantsAt says of which children moves are wanted at a depth.
func wantsAt(depth int) wants {
	if depth > 1 {
		return allMoves
	}
	return loudMoves
}
