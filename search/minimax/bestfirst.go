package minimax

import (
	"slices"
	"sync/atomic"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
)

// BestFirst is best-first minimax without a bound on the depth (R. Korf, D. Chickering,
// Best-First Minimax Search, 1996). A descent takes the best move in each state, down to
// a move after which nothing was played yet. All moves there are played at once, the
// states that they lead to are evaluated, and what they are worth goes up. What is solved
// leaves the descents, and the move that is recommended is the one that was taken most
// often (completion and safe decision: Q. Cohen-Solal, Learning to Play Two-Player
// Perfect-Information Games without Knowledge, 2020).
//
// Each role maximises what it gets itself, so there may be any number of roles (max^n: C.
// Luckhardt, K. Irani, 1986). Several descents are under way at a time, so that their
// moves fill the lanes: a move counts for less the more of them have taken it.
//
// It is a search.Algorithm.
type BestFirst struct {
	field   *field
	tree    *tree
	first   turn     // moves of the root, as long as it has no node
	initial []uint64 // the root's state; nil: there is no root
	ply     uint32   // of the root
	over    bool     // the root is terminal

	growths []*growth // under way
	idle    []*growth
	plays   []play // moves that wait to be played
	reached []*growth
	played  []play
	branch  float64 // mean number of moves of the states met, for how many go down at once
	leaves  int     // evaluated, ever
}

var _ search.Algorithm = (*BestFirst)(nil)

// spread is how much less a move is worth for each descent that is on its way through it.
const spread = 0.01

// growth is a descent and what becomes of its end.
type growth struct {
	path   []step
	joint  []uint32 // of the last step
	node   uint32   // that it is played in
	state  []uint64 // that it leads to
	turn   turn
	hash   uint64
	worths []float32 // of the state after each move, by role
	ended  []bool    // by move
	left   int       // moves that were not played yet
}

// step is an edge that a descent took.
type step struct{ node, edge uint32 }

// play is a move to be played.
type play struct {
	growth *growth
	move   int
	roll   int // number of its state among those with playouts; -1: none
}

// NewBestFirst makes a search without a root, on the first engine. levels are those of the
// machine, by role.
func NewBestFirst(engines []engine.Engine, levels []int, o Options) *BestFirst {
	f := newField(engines[0], levels, o)
	return &BestFirst{field: f, tree: newTree(levels, f.chance), branch: 8}
}

// SetRoot is search.Algorithm.SetRoot. It refuses a state in which chance moves, or
// several roles choose, with the reason.
func (b *BestFirst) SetRoot(state []uint64) error {
	b.tree.reset()
	b.initial, b.ply = nil, 0
	over, err := b.field.enter(state, &b.first)
	if err != nil {
		return err
	}
	if !over && b.tree.isTooLarge(&b.first, state) {
		return ErrMany
	}
	b.over, b.initial = over, rootState(b.field.engine.State(0, nil))
	return nil
}

// Advance is search.Algorithm.Advance.
func (b *BestFirst) Advance(joint []uint32) (kept bool) {
	if b.tree.root == 0 {
		b.initial = nil
		return false
	}
	n := b.tree.node(b.tree.root)
	for i := range b.tree.edgesOf(n) {
		e := &b.tree.edgesOf(n)[i]
		if e.child != 0 && slices.Equal(b.tree.jointOf(n, e), joint) {
			b.tree.root = e.child
			b.tree.narrow(0)
			root := b.tree.node(b.tree.root)
			b.initial, b.ply = rootState(b.tree.stateOf(root)), root.ply
			return true
		}
	}
	b.tree.reset()
	b.initial = nil
	return false
}

// limits are how a search ends.
type limits struct {
	stop     *atomic.Bool
	deadline time.Time // zero: none
	states   int       // of the field; 0: none
	leaves   int       // 0: none
}

func newLimits(stop *atomic.Bool, b search.Budget, start time.Time, states, leaves int) limits {
	l := limits{stop: stop, deadline: b.Until(start)}
	if stop == nil {
		l.stop = new(atomic.Bool)
	}
	if b.States > 0 {
		l.states = states + b.States
	}
	if b.Iterations > 0 {
		l.leaves = leaves + b.Iterations
	}
	return l
}

// reached tells whether the search must end.
func (l *limits) reached(states, leaves int) bool {
	return l.stop.Load() || l.states > 0 && states >= l.states || l.leaves > 0 && leaves >= l.leaves ||
		!l.deadline.IsZero() && !time.Now().Before(l.deadline)
}

// Search is search.Algorithm.Search. Iterations are states that were evaluated. On an
// error and on a panic of the engine what was on its way is forgotten; the tree is whole.
func (b *BestFirst) Search(stop *atomic.Bool, budget search.Budget) (r search.Report, err error) {
	if b.initial == nil {
		return r, search.ErrNoRoot
	}
	start, states, leaves, made := time.Now(), b.field.states, b.leaves, b.tree.made
	l := newLimits(stop, budget, start, states, leaves)
	if b.tree.root != 0 {
		r.KeptVisits = int(b.tree.node(b.tree.root).visits)
	}
	b.field.clear() // a panic of the engine may have left anything in it
	defer b.abandon()
	for err == nil && !b.isSolved() && !l.reached(b.field.states, b.leaves) {
		var busy bool
		if busy, err = b.turn(l.stop); !busy {
			break
		}
	}
	if l.stop.Load() {
		err = nil
	}
	r.Elapsed, r.Iterations, r.States = time.Since(start), b.leaves-leaves, b.field.states-states
	r.Nodes, r.Bytes, r.Created = int(b.tree.made), b.tree.bytes(), max(0, int(b.tree.made)-int(made))
	b.fillReport(&r)
	return r, err
}

// isSolved tells whether there is nothing left to find from the root on.
func (b *BestFirst) isSolved() bool {
	if b.over || b.tree.root == 0 {
		return b.over
	}
	return b.tree.node(b.tree.root).distance > 0
}

// turn is one Step: states that descents have reached, and moves in those that were
// reached before. False: there is nothing left to do.
func (b *BestFirst) turn(stop *atomic.Bool) (busy bool, err error) {
	b.reached, b.played = b.reached[:0], b.played[:0]
	f := b.field
	n := min(len(b.plays), f.room())
	for _, p := range b.plays[:n] {
		f.load(p.growth.state, p.growth.turn.with(p.move, f.levels))
	}
	b.played = append(b.played, b.plays[:n]...)
	b.plays = b.plays[:copy(b.plays, b.plays[n:])]
	b.descend()
	if f.filled == 0 {
		return false, nil
	}
	if err := f.step(stop); err != nil {
		return false, err
	}
	b.look(n)
	if err := b.judge(stop); err != nil {
		return false, err
	}
	return true, nil
}

// descend lets descents begin as long as their moves are likely to fit into the lanes.
func (b *BestFirst) descend() {
	if b.tree.usedBytes() >= b.field.o.Memory {
		if len(b.growths) == 0 {
			b.tree.narrow(b.tree.threshold())
		}
		if b.tree.usedBytes() >= b.field.o.Memory {
			return
		}
	}
	lanes := float64(b.field.engine.Lanes())
	for expected := float64(len(b.plays)); b.field.room() > 0 && (expected < lanes || len(b.growths) == 0); expected += b.branch {
		g := b.newGrowth()
		if !b.goDown(g) {
			b.idle = append(b.idle, g)
			return
		}
		b.growths, b.reached = append(b.growths, g), append(b.reached, g)
		if len(g.path) == 0 {
			b.field.load(b.initial, nil)
			return
		}
		b.field.load(b.tree.stateOf(b.tree.node(g.node)), g.joint)
	}
}

func (b *BestFirst) newGrowth() *growth {
	if n := len(b.idle); n > 0 {
		g := b.idle[n-1]
		b.idle = b.idle[:n-1]
		g.path = g.path[:0]
		return g
	}
	return new(growth)
}

// goDown goes from the root to a move after which nothing was played yet. False: there
// is none now.
func (b *BestFirst) goDown(g *growth) bool {
	t := b.tree
	if t.root == 0 {
		return len(b.growths) == 0
	}
	for n := t.root; ; {
		at := t.node(n)
		i := -1
		if at.distance == 0 {
			i = t.choose(at)
		}
		if i < 0 && n == t.root {
			return false
		}
		if i < 0 { // solved by another line of play that leads here
			b.goUp(g, n)
			g.path, n = g.path[:0], t.root
			continue
		}
		e := &t.edgesOf(at)[i]
		if e.child == 0 && e.flying > 0 {
			b.comeBack(g)
			return false
		}
		e.flying++
		g.path = append(g.path, step{n, uint32(i)})
		if e.child == 0 {
			g.node, g.joint = n, append(g.joint[:0], t.jointOf(at, e)...)
			return true
		}
		n = e.child
	}
}

// comeBack takes the edges of a descent out of those under way.
func (b *BestFirst) comeBack(g *growth) {
	for _, s := range g.path {
		if e := &b.tree.edgesOf(b.tree.node(s.node))[s.edge]; e.flying != shut {
			e.flying--
		}
	}
	g.path = g.path[:0]
}

// choose is the edge that a descent takes; -1: there is nothing to be found.
func (t *tree) choose(n *node) int {
	edges, worths := t.edgesOf(n), t.worthsOf(n)
	best, most := -1, float32(0)
	for i := range edges {
		e := &edges[i]
		if e.distance != 0 || e.flying >= mostFlying {
			continue
		}
		v := worths[i*t.roles+int(n.mover)] - spread*float32(e.flying)
		if best < 0 || v > most || v == most && e.visits < edges[best].visits {
			best, most = i, v
		}
	}
	return best
}

// look reads the lanes: the first ones are those of moves, the others those of states
// that were reached.
func (b *BestFirst) look(first int) {
	f := b.field
	for lane := range b.played {
		p := &b.played[lane]
		p.roll = -1
		g := p.growth
		worths := g.worths[p.move*f.roles() : (p.move+1)*f.roles()]
		if g.ended[p.move] = f.isEnded(lane); g.ended[p.move] {
			f.goals(lane, worths)
			continue
		}
		f.state = f.engine.State(lane, f.state[:0])
		f.judge(lane, g.state, f.state, worths)
		if f.rolls != nil {
			p.roll = f.rolls.add(f.state)
		}
	}
	b.leaves += len(b.played)
	clear(f.mask)
	for i := range b.reached {
		if lane := first + i; !f.isEnded(lane) {
			f.mask[lane/64] |= 1 << (lane % 64)
		}
	}
	f.list()
	for i, g := range b.reached {
		g.state = f.engine.State(first+i, g.state[:0])
		f.turn(first+i, &g.turn)
	}
	for i, g := range b.reached {
		b.arrive(first+i, g)
	}
}

// arrive is what becomes of a descent whose state was reached.
func (b *BestFirst) arrive(lane int, g *growth) {
	t, f := b.tree, b.field
	ply := b.ply + uint32(len(g.path))
	g.hash = hashOf(g.state, ply)
	switch known := t.find(g.hash, g.state); {
	case known != 0:
		b.finish(g, known)
	case g.turn.stuck:
		worths := t.worthsOf(t.node(g.node))[int(g.path[len(g.path)-1].edge)*t.roles:][:t.roles]
		f.goals(lane, worths)
		t.edgesOf(t.node(g.node))[g.path[len(g.path)-1].edge].distance = 1
		b.finish(g, 0)
	case g.turn.fault != nil || t.isTooLarge(&g.turn, g.state):
		t.edgesOf(t.node(g.node))[g.path[len(g.path)-1].edge].flying = shut
		b.finish(g, 0)
	default:
		g.left = g.turn.n
		g.worths = slices.Grow(g.worths[:0], g.left*t.roles)[:g.left*t.roles]
		g.ended = slices.Grow(g.ended[:0], g.left)[:g.left]
		for move := range g.left {
			b.plays = append(b.plays, play{growth: g, move: move})
		}
		b.branch += (float64(g.left) - b.branch) / 64
	}
}

// judge finishes the descents all of whose moves were played.
func (b *BestFirst) judge(stop *atomic.Bool) error {
	f := b.field
	if f.rolls != nil {
		defer f.rolls.clear()
		if err := f.roll(stop); err != nil {
			return err
		}
	}
	for i := range b.played {
		p := &b.played[i]
		g := p.growth
		if p.roll >= 0 {
			f.rolled(p.roll, g.worths[p.move*f.roles():(p.move+1)*f.roles()])
		}
		if g.left--; g.left > 0 {
			continue
		}
		n := b.tree.find(g.hash, g.state)
		if n == 0 {
			n = b.tree.make(g.state, g.hash, b.ply+uint32(len(g.path)), &g.turn)
			at := b.tree.node(n)
			copy(b.tree.worthsOf(at), g.worths)
			for move, ended := range g.ended {
				if ended {
					b.tree.edgesOf(at)[move].distance = 1
				}
			}
		}
		b.finish(g, n)
	}
	return nil
}

// finish takes what a descent has found, the node below its last edge or nothing (0),
// upwards.
func (b *BestFirst) finish(g *growth, n uint32) {
	if len(g.path) == 0 {
		b.tree.root = n
	}
	b.goUp(g, n)
	if i := slices.Index(b.growths, g); i >= 0 {
		b.growths = slices.Delete(b.growths, i, i+1)
	}
	b.idle = append(b.idle, g)
}

// goUp brings the nodes of a path up to date, from what is below its last edge up.
func (b *BestFirst) goUp(g *growth, n uint32) {
	t := b.tree
	if n != 0 {
		t.node(n).visits++
		t.settle(t.node(n))
	}
	for i := len(g.path) - 1; i >= 0; i-- {
		s := g.path[i]
		at := t.node(s.node)
		e := &t.edgesOf(at)[s.edge]
		at.visits++
		e.visits++
		if e.flying != shut {
			e.flying--
		}
		if n != 0 {
			e.child = n
			t.mirror(e, t.worthsOf(at)[int(s.edge)*t.roles:][:t.roles], t.node(n))
		}
		t.settle(at)
		n = s.node
	}
}

// settle notes whether a node is solved.
func (t *tree) settle(n *node) {
	if n.distance == 0 {
		_, n.distance = t.solve(n)
	}
}

// mirror brings an edge, and what it is worth, up to date with its node.
func (t *tree) mirror(e *edge, worth []float32, child *node) {
	by := t.decided(child)
	if child.distance == 0 && t.choose(child) < 0 {
		e.flying = shut
	}
	e.distance = child.distance
	copy(worth, t.worthsOf(child)[by*t.roles:][:t.roles])
}

// decided is the edge that says what a node is worth.
func (t *tree) decided(n *node) int {
	if n.distance > 0 {
		by, _ := t.solve(n)
		return by
	}
	return t.best(n)
}

// abandon forgets what is under way.
func (b *BestFirst) abandon() {
	for _, g := range b.growths {
		b.comeBack(g)
	}
	b.idle = append(b.idle, b.growths...)
	b.growths, b.plays = b.growths[:0], b.plays[:0]
	if b.field.rolls != nil {
		b.field.rolls.clear()
	}
	b.field.filled = 0
}

// Best is search.Algorithm.Best: a proven win by the shortest way; else the move that
// was taken most often, or one that is proven to bring as much.
func (b *BestFirst) Best(role int) (path []uint32, ok bool) {
	t := b.tree
	if b.initial == nil || b.over || t.root == 0 {
		return nil, false
	}
	n := t.node(t.root)
	if role != int(n.mover) {
		return pathOf(t.joints.run(n.joint, t.width), t.levels, role), true
	}
	return t.appendPath(nil, n, &t.edgesOf(n)[t.decide(n)]), true
}

// pathOf is what a role plays in a joint move.
func pathOf(joint []uint32, levels []int, role int) []uint32 {
	for _, n := range levels[:role] {
		joint = joint[n:]
	}
	return slices.Clone(joint[:levels[role]])
}

// decide is the edge of the move that is recommended.
func (t *tree) decide(n *node) int {
	edges, worths := t.edgesOf(n), t.worthsOf(n)
	by, distance := t.solve(n)
	if distance > 0 {
		return by
	}
	safe := -1
	worth := func(i int) float32 { return worths[i*t.roles+int(n.mover)] }
	for i := range edges {
		if edges[i].distance > 0 {
			continue
		}
		if safe < 0 || edges[i].visits > edges[safe].visits || edges[i].visits == edges[safe].visits && worth(i) > worth(safe) {
			safe = i
		}
	}
	if safe < 0 || by >= 0 && worth(by) >= worth(safe) {
		return by
	}
	return safe
}

// RootEdges is search.Algorithm.RootEdges.
func (b *BestFirst) RootEdges(role int) (all []search.EdgeStats) {
	t := b.tree
	if b.initial == nil || t.root == 0 || int(t.node(t.root).mover) != role {
		return nil
	}
	n := t.node(t.root)
	for i := range t.edgesOf(n) {
		e := &t.edgesOf(n)[i]
		all = append(all, search.EdgeStats{Path: t.appendPath(nil, n, e), Visits: int(e.visits), Value: float64(t.worthsOf(n)[i*t.roles+role])})
	}
	return all
}

// mostLine bounds the principal line, in joint moves.
const mostLine = 64

// fillReport says what is known of the root.
func (b *BestFirst) fillReport(r *search.Report) {
	t := b.tree
	if t.root == 0 {
		return
	}
	n := t.node(t.root)
	r.RootVisits = int(n.visits)
	for _, v := range t.worthsOf(n)[t.decided(n)*t.roles:][:t.roles] {
		r.Value = append(r.Value, float64(v))
		low, high := 0.0, 1.0
		// Where goals have no fixed sum, what one role does not care for is much to the other.
		if n.distance > 0 && !b.field.uneven {
			low, high = float64(v), float64(v)
		}
		r.Low, r.High = append(r.Low, low), append(r.High, high)
	}
	for at := t.root; at != 0 && len(r.Line) < mostLine; {
		n := t.node(at)
		e := &t.edgesOf(n)[t.decide(n)]
		r.Line = append(r.Line, slices.Clone(t.jointOf(n, e)))
		at = e.child
	}
}
