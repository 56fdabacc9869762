package minimax

import (
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
)

// AlphaBeta is alpha-beta for two roles: principal variation search (T. Marsland, M.
// Campbell, Parallel Search of Strongly Ordered Game Trees, 1982), deepened by one joint
// move at a time, or one choice (forced.go), with a transposition table, and moves
// ordered by it, by the values of the states that they lead to, and by their history. The
// first move of a state is searched alone, the others beside each other as long as there
// is room in the lanes (young brothers wait: R. Feldmann et al., Distributed Game Tree
// Search, 1989): each is a task of its own, and the moves of all tasks are played in one
// Step. Each engine has a thread that searches so (threads.go).
//
// It searches for the difference of the goals of the roles: where the sum of these is
// always the same, that is what each wants. It is a search.Algorithm.
type AlphaBeta struct {
	field   *field
	table   *table
	history [2][historySize]uint32
	takes   [2]taking

	crew // threads.go

	initial []uint64 // the root's state; nil: there is no root
	first   turn     // its moves
	over    bool     // it is terminal

	tasks   []*task // all
	ready   []*task // that can go on
	idle    []*task // without a job
	asked   []*family
	waiting int // moves of those
	unborn  int // tasks that have not begun their job
	spare   []*family
	loads   []load // by lane; no family: it is free
	flying  []int  // lanes that have not come to their end
	freed   []int  // lanes that hold what was taken from them
	taken   []int  // scratch
	forced  forced
	halted  bool
	done    bool // the root's task has ended
	leaves  int  // evaluated, ever
	scratch turn
	values  []float32

	best   int   // number of the root's best move; -1: none is known
	value  score // to the first role
	depth  int   // that was searched completely
	proven bool  // value is that of rational play
}

var _ search.Algorithm = (*AlphaBeta)(nil)

// load is what a lane plays.
type load struct {
	family *family
	child  int
	line   int // forced moves that it has played on
}

const (
	historySize = 1 << 12
	mostDepth   = 200
	// A move that is neither among the first ones nor takes fluents away is tried
	// with less depth first.
	reduceFrom  = 4 // its place in the order
	reduceLater = 12
	leastFull   = 3 // depth below which nothing is reduced

	// Moves that are played in one Step, about. More of them fill lanes that cost little
	// more, but many turn out not to be wanted: with 512 a search is a third of a joint
	// move behind one with 64 in the same time.
	batch = 64
)

// NewAlphaBeta makes a search without a root. levels are those of the machine, by role.
func NewAlphaBeta(engines []engine.Engine, levels []int, o Options) *AlphaBeta {
	table := newTable(o.bounded().Memory/2, len(engines))
	all := make([]*AlphaBeta, len(engines))
	for i, e := range engines {
		all[i] = &AlphaBeta{field: newField(e, levels, o), table: table, best: -1, values: make([]float32, len(levels)), loads: make([]load, e.Lanes())}
	}
	gather(all)
	return all[0]
}

// SetRoot is search.Algorithm.SetRoot. It refuses games that are not for two roles, and a
// state in which chance moves or both roles choose, with the reason.
func (s *AlphaBeta) SetRoot(state []uint64) error {
	err := s.setRoot(state)
	if err == nil {
		s.table.each((*part).clear)
	}
	return err
}

func (s *AlphaBeta) setRoot(state []uint64) error {
	s.initial, s.best, s.depth, s.proven, s.value = nil, -1, 0, false, 0
	if s.field.roles() != 2 {
		return ErrRoles
	}
	over, err := s.field.enter(state, &s.first)
	if err != nil {
		return err
	}
	s.over, s.initial = over, rootState(s.field.engine.State(0, nil))
	return nil
}

// Advance is search.Algorithm.Advance: what is known of states is kept.
func (s *AlphaBeta) Advance(joint []uint32) (kept bool) {
	if s.initial == nil {
		return false
	}
	f := s.field
	f.clear()
	f.load(s.initial, joint)
	s.initial = nil
	if err := f.step(new(atomic.Bool)); err != nil {
		return false
	}
	s.table.each(func(p *part) { p.age++ })
	return s.setRoot(f.engine.State(0, nil)) == nil
}

// State is that of the root; nil: there is none.
func (s *AlphaBeta) State() []uint64 { return s.initial }

// Decided tells whether there is nothing to search for at the root.
func (s *AlphaBeta) Decided() bool { return s.over || s.proven }

// EvaluateBy has states be worth what another evaluation says from now on. Of what is
// known of states best moves and proven values are kept.
func (s *AlphaBeta) EvaluateBy(e engine.Evaluator) {
	s.field.judgeBy(e)
	for _, o := range s.others {
		o.field.judgeBy(e)
	}
	s.table.each((*part).forgetEstimates)
	if !s.proven {
		s.depth = 0
	}
}

// Search is search.Algorithm.Search. Iterations are states that were evaluated. A search
// that was interrupted at a depth begins again at that depth, with the help of the table.
// Budgets that count are for one thread.
func (s *AlphaBeta) Search(stop *atomic.Bool, budget search.Budget) (r search.Report, err error) {
	if s.initial == nil {
		return r, search.ErrNoRoot
	}
	start := time.Now()
	states, leaves := s.made()
	l := newLimits(stop, budget, start, s.field.states, s.leaves)
	s.busy.clear()
	switch counted := budget.Iterations > 0 || budget.States > 0; {
	case s.over || s.proven:
	case counted || len(s.others) == 0:
		err = s.run(&l)
	default:
		err = s.runTogether(&l)
	}
	if l.stop.Load() {
		err = nil
	}
	r.Elapsed = time.Since(start)
	r.States, r.Iterations = s.made()
	r.States, r.Iterations = r.States-states, r.Iterations-leaves
	s.table.each(func(p *part) { r.Nodes, r.Bytes = r.Nodes+p.used, r.Bytes+p.bytes() })
	if s.best >= 0 {
		v := s.value.value()
		r.Value, r.Low, r.High = []float64{v, 1 - v}, []float64{0, 0}, []float64{1, 1}
		// Where goals have no fixed sum, a difference tells them of wins and losses alone.
		if s.proven && (!s.field.uneven || v == 0 || v == 1) {
			r.Low, r.High = []float64{v, 1 - v}, []float64{v, 1 - v}
		}
		r.Line = [][]uint32{slices.Clone(s.first.with(s.best, s.field.levels))}
	}
	return r, err
}

var errStuck = errors.New("BUG: minimax: no task can go on")

// run lets tasks run, and plays what they ask for, until the root's has ended or the
// limits are reached.
func (s *AlphaBeta) run(l *limits) error {
	s.field.clear()
	s.halted, s.done = false, false
	defer s.halt()
	root := s.newTask()
	s.tasks, s.ready = append(s.tasks[:0], root), append(s.ready[:0], root)
	for {
		for i := 0; i < len(s.ready); i++ {
			s.ready[i].resume()
		}
		s.ready = s.ready[:0]
		switch {
		case s.done || l.reached(s.field.states, s.leaves):
			return nil
		case len(s.asked) == 0 && len(s.flying) == 0:
			return errStuck
		}
		if err := s.step(l.stop); err != nil {
			return err
		}
	}
}

// halt ends all tasks.
func (s *AlphaBeta) halt() {
	s.halted = true
	for _, t := range s.tasks {
		t.stop()
	}
	s.tasks, s.ready, s.idle, s.asked, s.spare = nil, nil, nil, nil, nil
	s.waiting, s.unborn = 0, 0
	s.flying, s.freed = s.flying[:0], s.freed[:0]
	clear(s.loads)
	if s.field.rolls != nil {
		s.field.rolls.clear()
	}
}

// step plays as many of the moves that were asked for as there are free lanes, and the next
// move of those that are forced.
func (s *AlphaBeta) step(stop *atomic.Bool) error {
	f := s.field
	f.states += len(s.flying)
	kept, free := s.asked[:0], 0
	for _, m := range s.asked {
		if !m.void && m.next == 0 && m.task.isCut() {
			m.void = true
			s.waiting -= m.left
			s.finish(m)
			continue
		}
		for ; m.next < m.turn.n; m.next++ {
			for free < len(s.loads) && s.loads[free].family != nil {
				free++
			}
			if free == len(s.loads) {
				break
			}
			f.loadInto(free, m.state, m.turn.with(m.next, f.levels))
			s.loads[free] = load{family: m, child: m.next}
			s.flying = append(s.flying, free)
		}
		if m.next < m.turn.n {
			kept = append(kept, m)
		}
	}
	s.asked = kept
	for _, lane := range s.freed {
		if s.loads[lane].family == nil {
			f.engine.Unload(lane)
		}
	}
	s.freed = s.freed[:0]
	if len(s.flying) == 0 {
		return nil
	}
	if err := f.play(stop); err != nil {
		return err
	}
	return s.read(stop)
}

// read reads the lanes that have come to their end.
func (s *AlphaBeta) read(stop *atomic.Bool) error {
	f := s.field
	s.takeChildren()
	s.leaves += len(s.freed)
	s.waiting -= len(s.freed)
	if f.rolls != nil {
		defer f.rolls.clear()
		if err := f.roll(stop); err != nil {
			return err
		}
		for _, lane := range s.freed {
			l := s.loads[lane]
			if i := l.family.rolls[l.child]; i >= 0 {
				c := &l.family.children[l.child]
				f.rolled(i, s.values)
				c.value = scoreOf(s.values, false)
			}
		}
	}
	for _, lane := range s.freed {
		if m := s.loads[lane].family; m.left == 0 {
			m.left = -1
			s.finish(m)
		}
		s.loads[lane].family = nil
	}
	return nil
}

// finish tells the task of a family that it is there.
func (s *AlphaBeta) finish(m *family) {
	if m.task.left--; m.task.left == 0 {
		s.ready = append(s.ready, m.task)
	}
}

// Best is search.Algorithm.Best.
func (s *AlphaBeta) Best(role int) (path []uint32, ok bool) {
	if s.initial == nil || s.over || s.best < 0 {
		return nil, false
	}
	return pathOf(s.first.with(s.best, s.field.levels), s.field.levels, role), true
}

// RootEdges is search.Algorithm.RootEdges: most moves are searched to be refuted, which
// says nothing of what they are worth.
func (s *AlphaBeta) RootEdges(int) []search.EdgeStats { return nil }

// searchRoot deepens the search of the root.
func (s *AlphaBeta) searchRoot(t *task) {
	defer func() { s.done = true }()
	for depth := s.depth + 1; depth <= mostDepth; depth++ {
		r := t.search(s.initial, &s.first, depth, -infinite, infinite, 0, nil)
		if !r.ok {
			return
		}
		s.depth = depth
		if s.proven = r.whole || r.value > winning || r.value < -winning; s.proven {
			return
		}
	}
}

// note keeps the best move of the root so far.
func (s *AlphaBeta) note(best int, value score) {
	s.best, s.value = best, value.seenBy(s.first.mover)
}

func (s *AlphaBeta) family() *family {
	if n := len(s.spare); n > 0 {
		m := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return m
	}
	return &family{counted: s.field.o.Counted}
}

// historyOf is the place of a move in the history.
func historyOf(path []uint32) int {
	h := uint64(0)
	for _, x := range path {
		h = hashing.Of(h + uint64(x))
	}
	return int(h % historySize)
}
