// Package forced searches games in which roles take turns for wins and losses that are
// forced: lines that hold whatever the others play. It asks one role's questions,
// against all others together, by proof numbers (L. V. Allis, Searching for Solutions in
// Games and Artificial Intelligence, 1994), and expands many nodes in one Step of an
// engine in lanes. It knows nothing of trees of playouts.
package forced

import (
	"errors"
	"slices"
	"sync/atomic"

	"semisplit/search/engine"
)

// Search asks of a root, of the states after its moves, and of others on lines from
// there, whether our role is sure to win, and whether it is sure not to lose all.
//
// Nodes are states, however they are reached. What is proven of a node comes from the
// ends of finite lines alone, so states that repeat prove nothing wrong. States are told
// apart by 64 bits of hash: of ten million, two are confused with a probability of 3 in a
// million. Memory is bounded: the nodes that least was done below are given up first,
// and what is proven of the others stays.
//
// It belongs to one goroutine at a time.
type Search struct {
	graph    *graph
	expander *expander
	memory   int64
	chosen   bool // our role is chosen

	root    uint32
	chooser int // the role that chooses there
	tasks   []task
	current []flight // what is being expanded
	paths   []uint32 // their ways from the states of their tasks
	path    []uint32
	breadth float64 // mean number of moves

	aims      []Aim     // states to be asked about as well
	low, high []float64 // scratch
}

// task is a question that is asked of a state.
type task struct {
	node   uint32
	layer  int
	weight float64
	spent  float64
	moves  [][]uint32 // joint moves from the root
	closed bool       // answered, or there is no answer
}

// flight is the way to a node that is being expanded.
type flight struct{ from, to int }

// ErrNoQuestion: there is nothing to ask, for several roles choose in the root or nobody
// does, or because all others move at random.
var ErrNoQuestion = errors.New("forced: not one player chooses in the root, against others")

// New makes a search in the lanes of an engine with such levels of moves, by role;
// chance says which roles move at random. Memory is in bytes.
func New(e engine.Engine, levels []int, moveAtRandom []bool, memory int64) *Search {
	x := newExpander(e, levels, moveAtRandom)
	return &Search{graph: x.graph, expander: x, memory: memory, breadth: 8, low: make([]float64, len(levels)), high: make([]float64, len(levels))}
}

// GiveUp lets expansions that come to many states end when they are late, which is asked
// between Steps; nil: they never are. Where one was given up there is nothing to ask before
// the next Begin, and then nothing of states with as many moves.
func (s *Search) GiveUp(late func() bool) { s.expander.late = late }

// gaveUp tells whether an expansion was given up, and forgets what is known then: states may
// be questions no more.
func (s *Search) gaveUp(err error) bool {
	if !errors.Is(err, errWide) {
		return false
	}
	s.expander.tooWide()
	s.tasks, s.root, s.chosen = s.tasks[:0], 0, false
	return true
}

// States counts the joint moves played, ever.
func (s *Search) States() int { return s.expander.states }

// Role is the one whose questions are asked.
func (s *Search) Role() int { return s.expander.lister.us }

// Begin goes on from a state, with what is known of it. ErrNoQuestion, if there
// is nothing to ask.
func (s *Search) Begin(root []uint64, stop *atomic.Bool) error {
	defer s.rest()
	s.tasks, s.aims, s.root = s.tasks[:0], nil, 0
	s.expander.begun = s.expander.states
	s.expander.lister.engine.Load(0, root, nil)
	over, err := s.expander.step(1, stop)
	if err != nil {
		return err
	}
	if over[0]&1 != 0 {
		return ErrNoQuestion
	}
	clear(s.expander.mask)
	s.expander.mask[0] = 1
	s.expander.lister.list(s.expander.mask)
	c := &s.expander.lister.lanes[0]
	if c.kind != ours && c.kind != theirs || c.count() == 1 || s.players() < 2 {
		return ErrNoQuestion
	}
	s.chooser = s.roleAt(c.offset)
	if !s.chosen || s.chooser != s.Role() && s.expander.them < 0 {
		s.choose(s.chooser, len(root))
	}
	if s.root, err = s.plant(root, stop); err != nil {
		s.root = 0
		return s.unlessWide(err)
	}
	if s.graph.full(s.room()) {
		s.sweep()
	}
	return s.unlessWide(s.begin(stop))
}

// unlessWide is an error; ErrNoQuestion in place of an expansion that was given up.
func (s *Search) unlessWide(err error) error {
	if s.gaveUp(err) {
		return ErrNoQuestion
	}
	return err
}

// players is the number of roles that do not move at random.
func (s *Search) players() (n int) {
	for _, random := range s.expander.lister.chance {
		if !random {
			n++
		}
	}
	return n
}

// roleAt is the role whose semimoves begin at a place of the joint move.
func (s *Search) roleAt(at int) int {
	for role, levels := range s.expander.lister.levels {
		if at < levels {
			return role
		}
		at -= levels
	}
	return -1
}

// choose makes a role ours, and forgets what was known.
func (s *Search) choose(role, words int) {
	s.expander.lister.us, s.expander.them, s.chosen = role, -1, true
	for r, random := range s.expander.lister.chance {
		if !random && r != role && s.players() == 2 {
			s.expander.them = r
		}
	}
	s.expander.opposed, s.graph.history = opposition{}, history{}
	s.graph.clear(words, s.memory)
}

// plant makes the node of a state.
func (s *Search) plant(state []uint64, stop *atomic.Bool) (uint32, error) {
	if n := s.graph.find(state); n != 0 {
		return n, nil
	}
	before := s.graph.mark()
	s.expander.lister.engine.Load(0, state, nil)
	if _, err := s.expander.step(1, stop); err != nil {
		return 0, err
	}
	n, _ := s.graph.meet(state)
	clear(s.expander.mask)
	s.expander.mask[0] = 1
	s.expander.fresh = append(s.expander.fresh[:0], sprout{node: n, rest: bounds{whole, whole}})
	s.expander.moves = s.expander.moves[:0]
	if err := s.expander.evaluate(stop); err != nil {
		s.graph.rewind(before)
		return 0, err
	}
	return n, nil
}

// begin expands the root and asks of it and of the states after its moves.
func (s *Search) begin(stop *atomic.Bool) error {
	if n := s.graph.at(s.root); n.count == 0 {
		s.breadth = max(s.breadth, float64(s.expander.lister.lanes[0].count()))
		s.expander.leaves = append(s.expander.leaves[:0], leaf{node: s.root})
		if err := s.expander.expand(stop); err != nil {
			return err
		}
	}
	s.graph.update(s.root)
	s.ask(s.root, rootWeight, nil)
	n := s.graph.at(s.root)
	for i, child := range s.graph.edgesOf(n) {
		s.ask(child, 1/float64(n.count), [][]uint32{slices.Clone(s.graph.jointAt(n.first + uint32(i)))})
	}
	return nil
}

// rootWeight is the part of the work on the question of the root, where all those of
// the states after its moves have 1 together.
const rootWeight = 0.5

// ask adds the question that a node raises: where we choose, whether we win; where
// others do, whether we lose.
func (s *Search) ask(n uint32, weight float64, moves [][]uint32) {
	if len(s.expander.lister.levels) == 1 || s.graph.at(n).kind == ended || s.graph.at(n).kind == unknown {
		return
	}
	layer := toWin
	if s.graph.at(n).kind != ours {
		layer = notToLose
	}
	t := task{node: n, layer: layer, weight: weight, moves: moves}
	if first := s.next(); first != nil {
		t.spent = first.spent // it has no claim to what others had before
	}
	s.tasks = append(s.tasks, t)
}

// Aim is a state below the root that deserves more work than others.
type Aim struct {
	Moves  [][]uint32 // joint moves that lead there from the root
	State  []uint64
	Weight float64 // the part of the work, as others have it
}

// AimAt says what to look at next. States after one joint move are asked about anyway;
// these are what their parts are. Slices are kept.
func (s *Search) AimAt(aims []Aim) { s.aims = aims }

// mostTasks bounds the questions beside those after the moves of the root.
const mostTasks = 64

// aim asks about the states that were aimed at.
func (s *Search) aim(stop *atomic.Bool) error {
	for len(s.aims) > 0 {
		a := s.aims[0]
		at := slices.IndexFunc(s.tasks, func(t task) bool {
			return slices.EqualFunc(t.moves, a.Moves, func(a, b []uint32) bool { return slices.Equal(a, b) })
		})
		switch {
		case len(a.Moves) == 0:
		case at >= 0:
			s.tasks[at].weight = max(a.Weight, leastWeight)
		case len(a.Moves) > 1 && len(s.tasks) < int(s.graph.at(s.root).count)+mostTasks:
			n, err := s.plant(a.State, stop)
			if err != nil {
				return err
			}
			s.ask(n, max(a.Weight, leastWeight), a.Moves)
		}
		s.aims = s.aims[1:]
	}
	return nil
}

// leastWeight is that of a question which nothing speaks for.
const leastWeight = 1e-3

// Busy says whether Run would do anything.
func (s *Search) Busy() bool {
	return s.root != 0 && slices.ContainsFunc(s.tasks, func(t task) bool { return !t.closed })
}

// Run goes on until over says so, which is asked between Steps, until all questions
// are answered, or until the engine fails. The lanes are empty then.
func (s *Search) Run(stop *atomic.Bool, over func() bool) error {
	defer s.rest()
	if s.root == 0 {
		return nil
	}
	s.expander.begun = s.expander.states
	if err := s.aim(stop); err != nil {
		return heard(s.unlessWide(err), stop)
	}
	for !over() {
		if s.graph.full(s.room()) {
			s.sweep()
		}
		if !s.collect() {
			return nil
		}
		err := s.expander.expand(stop)
		s.land(err == nil)
		if err != nil {
			return heard(s.unlessWide(err), stop)
		}
	}
	return nil
}

// heard is no error if an engine was stopped, which says so with one.
func heard(err error, stop *atomic.Bool) error {
	if stop.Load() {
		return nil
	}
	return err
}

// sweep makes memory free.
func (s *Search) sweep() {
	held := []*uint32{&s.root}
	for i := range s.tasks {
		held = append(held, &s.tasks[i].node)
	}
	s.graph.sweep(held)
}

// rest empties the lanes.
func (s *Search) rest() {
	for lane := range s.expander.lister.engine.Lanes() {
		s.expander.lister.engine.Unload(lane)
	}
	s.expander.loaded = 0
}

// room is how many nodes and edges a turn may need.
func (s *Search) room() int { return 2*s.expander.lister.engine.Lanes() + mostMoves }
