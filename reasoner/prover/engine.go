package prover

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"semisplit/reasoner/gdl"
)

// pollMask: stop and the limits are looked at every 4096 operations, which
// take well under a millisecond.
const pollMask = 1<<12 - 1

// Engine plays one position at a time. It belongs to one goroutine.
//
// Inside, terms have the numbers of the engine's own store; the machine's
// numbers appear only in State, Offers and Load.
type Engine struct {
	m      *Machine
	limits Limits
	code   *code
	store  *gdl.Store
	base   int // length of the store when it was fresh
	roles  []gdl.TermID
	rng    *rand.Rand

	// the position
	fluents []gdl.TermID
	stamps  []uint32 // by term: stamp if it is a true fluent
	stamp   uint32
	home    []int32 // by term: 1 + its fluent table, -1 for none, 0 not known yet
	tables  []rows  // by fluent table
	does    []gdl.TermID

	// evaluation
	spaces  []*space
	stack   []gdl.TermID
	top     int
	work    int
	budget  int // work at which the evaluation gives up; 0: never
	stop    *atomic.Bool
	stateAt int // length of the store when the position was entered

	// the lane
	phase    phase
	given    []uint64 // state given with Load
	joint    []uint32 // joint move given with Load
	hasJoint bool
	terminal bool
	stuck    bool           // not terminal, but some role has no legal move
	legal    [][]gdl.TermID // by role, of a state that is not terminal
	ended    [1]uint64
	stalled  [1]uint64

	// translation, by number of the one and of the other; 0: not known yet
	toShared   []uint32 // fluents, by term
	fromShared []gdl.TermID
	toMove     []uint32 // moves plus one, by term
	fromMove   []gdl.TermID
	spare      []gdl.TermID
	numbers    []uint32

	selection // of a split game
	steering
}

type phase uint8

const (
	empty   phase = iota
	loaded        // given and joint are to be looked at
	arrived       // the position is entered
)

// unwind is thrown to leave an evaluation.
type unwind struct{ err error }

func (m *Machine) newEngine(c *code, store *gdl.Store, seed uint64) *Engine {
	e := &Engine{
		m: m, limits: m.limits, code: c, rng: rand.New(rand.NewPCG(seed, 0x5eed)),
		roles: m.roles,
		does:  make([]gdl.TermID, len(m.roles)),
		legal: make([][]gdl.TermID, len(m.roles)),
		stack: make([]gdl.TermID, 1024),
	}
	e.begin(store)
	return e
}

// begin makes the engine use a store, of which it knows nothing yet.
func (e *Engine) begin(store *gdl.Store) {
	e.store, e.base = store, store.Len()
	e.spaces = make([]*space, e.code.spaces)
	for i := range e.spaces {
		e.spaces[i] = newSpace()
	}
	e.tables = make([]rows, len(e.code.fluents))
	for i, f := range e.code.fluents {
		e.tables[i].width = f.name.arity
		for _, cols := range f.indexes {
			e.tables[i].indexOn(cols)
		}
	}
	e.stamps, e.home, e.stamp = nil, nil, 0
	e.toShared, e.fromShared, e.toMove, e.fromMove = nil, nil, nil, nil
	e.forgetSemimoves()
}

// guard runs an evaluation and returns why it was left, nil if it was not.
func (e *Engine) guard(stop *atomic.Bool, run func()) (err error) {
	e.stop, e.top = stop, 0
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unwind)
			if !ok {
				panic(r)
			}
			// tables may be half done: forget all of them
			for i := range e.spaces {
				e.spaces[i] = newSpace()
			}
			err = u.err
		}
	}()
	run()
	return nil
}

func (e *Engine) poll() {
	if e.stop != nil && e.stop.Load() {
		panic(unwind{ErrStopped})
	}
	if e.budget > 0 && e.work > e.budget {
		panic(unwind{fmt.Errorf("%w: work", ErrLimit)})
	}
	size := 0
	for _, s := range e.spaces {
		size += s.size()
	}
	if size > e.limits.Facts {
		panic(unwind{fmt.Errorf("%w: %d words of facts", ErrLimit, size)})
	}
}

// checkTerm holds a new term against the limits.
func (e *Engine) checkTerm(t gdl.TermID) {
	if n := e.store.Len() - e.stateAt; n > e.limits.Terms {
		panic(unwind{fmt.Errorf("%w: %d new terms", ErrLimit, n)})
	}
	if d := e.store.Depth(t); d > e.limits.Depth {
		panic(unwind{fmt.Errorf("%w: a term nested %d deep", ErrLimit, d)})
	}
}

func (e *Engine) isTrue(t gdl.TermID) bool {
	return int(t) < len(e.stamps) && e.stamps[t] == e.stamp
}

// enter makes the fluents the position. Duplicates are fine.
func (e *Engine) enter(fluents []gdl.TermID) {
	e.spaces[perState].reset()
	e.forgetMoves()
	e.stateAt = e.store.Len()
	for i := range e.tables {
		e.tables[i].clear()
	}
	e.openSelection()
	e.stamp++
	if e.stamp == 0 {
		clear(e.stamps)
		e.stamp = 1
	}
	if n := e.store.Len() + 1; len(e.stamps) < n {
		e.stamps = append(e.stamps, make([]uint32, n+n/2-len(e.stamps))...)
		e.home = append(e.home, make([]int32, len(e.stamps)-len(e.home))...)
	}
	e.fluents = e.fluents[:0]
	for _, t := range fluents {
		if e.stamps[t] == e.stamp {
			continue
		}
		e.stamps[t] = e.stamp
		e.fluents = append(e.fluents, t)
		if e.home[t] == 0 {
			e.home[t] = -1
			if id, ok := e.code.byName[fluentName{e.store.Functor(t), len(e.store.Args(t))}]; ok {
				e.home[t] = id + 1
			}
		}
		if h := e.home[t]; h > 0 {
			e.tables[h-1].add(e.store.Args(t))
		}
	}
}

func (e *Engine) forgetMoves() {
	for _, s := range e.spaces[perMove:] {
		if len(s.tables) > 0 {
			s.reset()
		}
	}
	clear(e.does)
}

// column appends the answers of a table with one column.
func (e *Engine) column(p *pattern, t int32, dst []gdl.TermID) []gdl.TermID {
	s := e.spaces[p.space]
	for at := s.tables[t].first; at != 0; at = int32(s.rows[at]) {
		dst = append(dst, s.rows[at+1])
	}
	return dst
}

// ask evaluates one of the engine's questions; a relation without rules has
// no answers.
func (e *Engine) ask(p *pattern, key []gdl.TermID, dst []gdl.TermID) []gdl.TermID {
	if p == nil {
		return dst
	}
	return e.column(p, e.call(p, key), dst)
}

// look computes what is asked of every position: whether it is terminal,
// and if not, the legal moves.
func (e *Engine) look() {
	e.terminal, e.stuck = false, false
	e.decideMovable()
	if p := e.code.terminal; p != nil {
		t := e.call(p, nil)
		e.terminal = e.spaces[p.space].tables[t].n > 0
	}
	if e.terminal {
		for r := range e.legal {
			e.legal[r] = e.legal[r][:0]
		}
		e.goals()
		return
	}
	if e.code.layout != nil {
		e.stuck = !e.choosePaths()
		return
	}
	for r, role := range e.roles {
		e.legal[r] = e.ask(e.code.legal, []gdl.TermID{role}, e.legal[r][:0])
		e.stuck = e.stuck || len(e.legal[r]) == 0
	}
}

// goals evaluates the goals of all roles, which stay in their tables.
func (e *Engine) goals() {
	if e.code.goal == nil {
		return
	}
	for _, role := range e.roles {
		e.call(e.code.goal, []gdl.TermID{role})
	}
}

// goalValues are the values of the role's goals, rising, each once.
func (e *Engine) goalValues(role int) []int {
	var out []int
	for _, t := range e.ask(e.code.goal, e.roles[role:role+1], nil) {
		if e.store.Args(t) != nil {
			continue
		}
		if v, ok := e.m.program.Symbols.Number(e.store.Functor(t)); ok {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// play plays the joint move in e.does.
func (e *Engine) play() {
	next := e.ask(e.code.next, nil, e.spare[:0])
	e.spare = next
	if e.crowded() {
		next = e.recycle(next)
	}
	e.enter(next)
}

// crowded says that what past states left behind is too much to keep.
func (e *Engine) crowded() bool {
	return e.store.Len()-e.base > e.limits.Terms/2 || e.spaces[forever].size() > e.limits.Facts/4
}

// recycle gives up the terms of past states and returns the fluents anew.
func (e *Engine) recycle(fluents []gdl.TermID) []gdl.TermID {
	old := e.store
	e.begin(e.m.base.Clone())
	e.fluents = nil
	out := make([]gdl.TermID, len(fluents))
	for i, t := range fluents {
		out[i] = copyTerm(e.store, old, t)
	}
	return out
}

// copyTerm interns a term of one store in another. Both know the same symbols.
func copyTerm(dst, src *gdl.Store, t gdl.TermID) gdl.TermID {
	args := src.Args(t)
	if len(args) == 0 {
		return dst.Const(src.Functor(t))
	}
	copied := make([]gdl.TermID, len(args))
	for i, a := range args {
		copied[i] = copyTerm(dst, src, a)
	}
	return dst.Compound(src.Functor(t), copied)
}
