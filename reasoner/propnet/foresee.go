package propnet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Foresight bounds the work of Foresee.
type Foresight struct {
	Growth   int // gates of the result, as a multiple of those of the net
	Gates    int // of the result, unless it is no more than a quarter larger than the net
	Operands int // of gates before they are optimized, for each that the result may have
	Paths    int // legal moves that are looked at, over all roles
	Work     int // operands of gates that are looked at
}

// DefaultForesight lets a step take a few times as long: playouts that see are
// worth that, but no more. Where the wires of the result do not fit into the caches of a
// processor, a step takes many times as long: 37 times in Atari Go on 7x7, with 8 times
// the gates (docs/performance.md). The work takes about a second.
var DefaultForesight = Foresight{Growth: 8, Gates: 100_000, Operands: 16, Paths: 20_000, Work: 20_000_000}

// leastGates is the size that a net may always grow to, however small it was.
const leastGates = 12_000

// ErrBlind is wrapped by Foresee where a game's wins cannot be seen: the reason
// comes before it.
var ErrBlind = errors.New("immediate wins cannot be seen")

// Foresee adds to a net which semimoves to prefer: Level.Prefer and Preferring,
// and Role.Winning. A move wins that ends the game with goal 100 for who makes
// it. Where the role whose turn it is has such moves, these are preferred. With
// replies, where it has none, moves are preferred after which no other role has
// one, in the next state. Chance prefers nothing.
//
// It evaluates the rules symbolically, for each move in turn: the next state
// with this move selected, then terminal and goal of that, or what wins there.
// Most of it folds away, as a move changes few fluents and what they do not
// reach is as before: not terminal. See newly.
//
// It needs one-hot fluents that tell whose turn it is. It fails, with ErrBlind,
// where there are none, where rules are recursive or ask for legal moves, and
// where the result would be too large.
func Foresee(ctx context.Context, n *Net, replies bool, bound Foresight) (*Net, error) {
	if len(n.Cycles) > 0 {
		return nil, fmt.Errorf("rules are recursive: %w", ErrBlind)
	}
	for _, r := range n.Roles {
		if r.HasLegalMove != False {
			return nil, fmt.Errorf("rules ask whether a role has a legal move: %w", ErrBlind)
		}
	}
	gates := n.Stats().Gates()
	most := min(max(leastGates, bound.Growth*gates), max(bound.Gates, gates+gates/4))
	out, err := foresee(ctx, n, bound, most, (*foreseer).seeWins)
	if err == nil && replies {
		out, err = foresee(ctx, out, bound, most, (*foreseer).seeReplies)
	}
	if err == nil {
		err = ctx.Err() // what it ended half way is larger than it need be
	}
	if err != nil {
		return nil, err
	}
	if grown := out.Stats().Gates(); grown > most {
		return nil, fmt.Errorf("%d gates instead of %d: %w", grown, gates, ErrBlind)
	}
	return out, nil
}

// foresee looks at all moves of all roles for one thing.
func foresee(ctx context.Context, n *Net, bound Foresight, most int, see func(*foreseer)) (*Net, error) {
	f := newForeseer(ctx, n, bound)
	f.most = f.b.Len() + rawFactor*most
	cases, err := f.turns()
	if err != nil {
		return nil, err
	}
	for i := range cases {
		for _, r := range cases[i].movers {
			if n.isChance(r) {
				continue
			}
			f.begin(&cases[i], r)
			if see(f); f.then == nil {
				continue
			}
			if err := f.walk(); err != nil {
				return nil, err
			}
		}
	}
	raw := f.finish()
	operands := 0
	for i := range raw.Ops {
		operands += len(raw.operands(Node(i)))
	}
	if operands > bound.Operands*most { // to find that out by optimizing takes seconds
		return nil, fmt.Errorf("gates of %d operands: %w", operands, ErrBlind)
	}
	return Optimize(ctx, raw, "fixed"), nil // there are no fixed fluents left
}

// isChance tells whether a role moves at random: what it would get by a move, which is 100
// by any in most games, does not make it prefer one.
func (n *Net) isChance(role int) bool {
	return n.Terms != nil && strings.EqualFold(n.Terms.KIF(n.Roles[role].Name).Name, "random")
}

// rawFactor is how many gates are made for one that is left in the end.
const rawFactor = 4

// foreseer is the work of one Foresee.
type foreseer struct {
	ctx   context.Context
	bound Foresight
	net   *Net
	b     *Builder
	fans  fans
	sets  [][][]Node // by role, level and semimove: the builder's input of the selection
	of    [][]Node   // by node of the net: the fluents whose next it is

	whole  *overlay // of the net as it is
	never  bitset   // nodes that do not hold unless terminal does
	always bitset   // nodes that hold unless terminal does

	when [][][][]Node // by role, level and semimove: what makes it preferred
	most int          // nodes of the builder

	// Of the role and case at hand.
	now, then *overlay    // the state and the moves; what comes of them
	see       func() Node // when the move at hand is preferred
	role      int
	turn      Node // the case holds
	movers    int
	path      []int
	offers    []Node
	paths     int
	newlies   map[Node]Node // memo of newly
	stills    map[Node]Node // memo of still
}

// turnCase is a case of whose turn it is.
type turnCase struct {
	fluents []literal
	turn    Node  // of the builder: the case holds
	movers  []int // the role that may have a choice, or all roles where none has
	forced  [][]int
}

// literal is a fluent and its value.
type literal struct {
	node  Node
	value Node // True or False
}

func newForeseer(ctx context.Context, n *Net, bound Foresight) *foreseer {
	f := &foreseer{ctx: ctx, bound: bound, net: n, of: make([][]Node, len(n.Ops)), fans: newFans(newDraft(n))}
	f.b = NewBuilder(len(n.Fluents) + n.Moves())
	input := make([]Node, len(n.Ops))
	for i := range n.Fluents {
		input[2+i] = f.b.Input(i)
		f.of[n.Next[i]] = append(f.of[n.Next[i]], Node(2+i))
	}
	next := len(n.Fluents)
	for _, role := range n.Roles {
		sets, when := [][]Node{}, [][][]Node{}
		for _, level := range role.Levels {
			var own []Node
			for _, s := range level.Select {
				own = append(own, f.b.Input(next))
				if s != False {
					input[s] = f.b.Input(next)
				}
				next++
			}
			sets, when = append(sets, own), append(when, make([][]Node, len(own)))
		}
		f.sets, f.when = append(f.sets, sets), append(f.when, when)
	}
	f.whole = newOverlay(n, f.b, &f.fans, f.roots(), func(i Node) Node { return input[i] })
	f.settleTruth()
	return f
}

func (f *foreseer) roots() (roots []Node) {
	f.net.roots(func(r *Node) { roots = append(roots, *r) })
	return roots
}

// settleTruth finds what is known of the nodes in states that are not terminal.
func (f *foreseer) settleTruth() {
	n := f.net
	f.never, f.always = newBitset(len(n.Ops)), newBitset(len(n.Ops))
	f.never.add(n.Terminal)
	for i := len(n.Ops) - 1; i >= 2; i-- {
		x := Node(i)
		for _, a := range n.operands(x) {
			switch op := n.Ops[i]; {
			case op == Or && f.never.has(x), op == Not && f.always.has(x):
				f.never.add(a)
			case op == And && f.always.has(x), op == Not && f.never.has(x):
				f.always.add(a)
			}
		}
	}
	for i := range n.Ops {
		x, args := Node(i), n.operands(Node(i))
		never, always := 0, 0
		for _, a := range args {
			if f.never.has(a) {
				never++
			}
			if f.always.has(a) {
				always++
			}
		}
		switch n.Ops[i] {
		case And:
			f.note(x, never > 0, always == len(args))
		case Or:
			f.note(x, never == len(args), always > 0)
		case Not:
			f.note(x, always > 0, never > 0)
		}
	}
}

func (f *foreseer) note(x Node, never, always bool) {
	if never {
		f.never.add(x)
	}
	if always {
		f.always.add(x)
	}
}

// turns finds fluents that tell whose turn it is: in each of their cases all
// roles but one have exactly one legal move.
func (f *foreseer) turns() ([]turnCase, error) {
	var offers []Node
	for _, role := range f.net.Roles {
		for _, level := range role.Levels {
			offers = append(offers, level.Offer...)
		}
	}
	o := newOverlay(f.net, f.b, &f.fans, offers, f.unselected)
	if all, ok := f.split(o, nil, false); ok {
		return all, nil
	}
	groups := slices.Clone(f.net.OneHot)
	slices.SortStableFunc(groups, func(a, b Group) int { return len(a.Members) - len(b.Members) })
	for _, g := range groups {
		if err := f.ctx.Err(); err != nil {
			return nil, err
		}
		if all, ok := f.split(o, g.Members, !g.Exactly); ok {
			return all, nil
		}
	}
	return nil, fmt.Errorf("no group of fluents tells whose turn it is: %w", ErrBlind)
}

// mostCases bounds the cases of whose turn it is.
const mostCases = 16

// split looks at the cases of a one-hot group; false where in one of them several
// roles may have a choice.
func (f *foreseer) split(o *overlay, group []Node, none bool) (all []turnCase, ok bool) {
	if len(group) > mostCases {
		return nil, false
	}
	for i := range max(1, len(group)) {
		c := turnCase{turn: True}
		for k, m := range group {
			v := literal{m, False}
			if k == i {
				v.value, c.turn = True, f.whole.value[m]
			}
			c.fluents = append(c.fluents, v)
		}
		if !f.settleCase(o, &c) {
			return nil, false
		}
		all = append(all, c)
	}
	if none && len(group) > 0 {
		c := turnCase{}
		for _, m := range group {
			c.fluents = append(c.fluents, literal{m, False})
			c.turn = f.b.Or(c.turn, f.whole.value[m])
		}
		c.turn = f.b.Not(c.turn)
		if !f.settleCase(o, &c) {
			return nil, false
		}
		all = append(all, c)
	}
	return all, true
}

// settleCase finds who has a choice in a case; false if several roles may have.
func (f *foreseer) settleCase(o *overlay, c *turnCase) bool {
	mark := o.mark()
	defer o.back(mark)
	c.assume(o)
	for r := range f.net.Roles {
		path, ok := f.onlyMove(o, r)
		c.forced = append(c.forced, path)
		switch {
		case ok:
		case len(c.movers) > 0:
			return false
		default:
			c.movers = append(c.movers, r)
		}
	}
	if len(c.movers) == 0 {
		for r := range f.net.Roles {
			c.movers = append(c.movers, r)
		}
	}
	return true
}

func (c *turnCase) assume(o *overlay) {
	for _, l := range c.fluents {
		o.set(l.node, l.value)
	}
	o.settle(2)
}

// onlyMove is the only legal move of a role, where there is but one.
func (f *foreseer) onlyMove(o *overlay, role int) (path []int, ok bool) {
	mark := o.mark()
	defer o.back(mark)
	for _, level := range f.net.Roles[role].Levels {
		at := -1
		for k, offer := range level.Offer {
			switch v := o.value[offer]; {
			case v == False:
			case v == True && at < 0:
				at = k
			default:
				return nil, false
			}
		}
		if at < 0 {
			return nil, false
		}
		path = append(path, at)
		if s := level.Select[at]; s != False {
			o.set(s, True)
			o.settle(2)
		}
	}
	return path, true
}

// unselected is the value of an input if nothing is selected.
func (f *foreseer) unselected(i Node) Node {
	if int(i) < 2+len(f.net.Fluents) {
		return i // the builder has the fluents in the same places
	}
	return False
}

// certain is the goal that a win brings.
const certain = 100

// begin goes to a case, with a role whose turn it is.
func (f *foreseer) begin(c *turnCase, role int) {
	f.role, f.turn, f.movers, f.then = role, c.turn, len(c.movers), nil
	f.now = newOverlay(f.net, f.b, &f.fans, f.roots(), f.unselected)
	c.assume(f.now)
	for r, path := range c.forced {
		for l, k := range path {
			if s := f.net.Roles[r].Levels[l].Select[k]; r != role && s != False {
				f.now.set(s, True)
			}
		}
	}
	f.now.settle(2)
	f.now.undo = f.now.undo[:0] // this is where the case begins
}

// lookAt has some nodes evaluated in the next state.
func (f *foreseer) lookAt(roots ...Node) {
	f.then = newOverlay(f.net, f.b, &f.fans, roots, func(i Node) Node { return f.now.value[f.net.Next[i-2]] })
}

// seeWins looks for moves that win at once.
func (f *foreseer) seeWins() {
	goals := f.net.Roles[f.role].Goals
	if len(goals) == 0 || goals[0].Value != certain {
		return
	}
	goal := goals[0].Node
	f.lookAt(f.net.Terminal, goal)
	f.see = func() Node {
		if f.never.has(goal) { // then it is the end of the game as well
			return f.newly(goal)
		}
		return f.b.And(f.newly(f.net.Terminal), f.then.value[goal])
	}
}

// seeReplies looks for moves after which no other role wins at once.
func (f *foreseer) seeReplies() {
	if f.movers > 1 {
		return // there is nothing to choose from
	}
	var others []Node
	for r, role := range f.net.Roles {
		if r != f.role {
			others = append(others, role.Winning)
		}
	}
	f.lookAt(append(others, f.net.Terminal)...)
	f.see = func() Node {
		var wins []Node
		for _, w := range others {
			wins = append(wins, f.then.value[w])
		}
		return f.b.Or(f.newly(f.net.Terminal), f.b.Not(f.b.Or(wins...)))
	}
}

// walk goes through the legal moves that begin with a path.
func (f *foreseer) walk() error {
	if err := f.spent(); err != nil { // prefixes that lead to no move are not counted
		return err
	}
	level := &f.net.Roles[f.role].Levels[len(f.path)]
	last := len(f.path) == len(f.net.Roles[f.role].Levels)-1
	for k, offer := range level.Offer {
		if f.now.value[offer] == False {
			continue
		}
		mark := f.now.mark()
		f.path, f.offers = append(f.path, k), append(f.offers, f.now.value[offer])
		if s := level.Select[k]; s != False {
			f.now.set(s, True)
			f.now.settle(s)
		}
		var err error
		if last {
			err = f.leaf()
		} else {
			err = f.walk()
		}
		f.now.back(mark)
		f.path, f.offers = f.path[:len(f.path)-1], f.offers[:len(f.offers)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// spent says whether what may be spent on it is used up.
func (f *foreseer) spent() error {
	switch {
	case f.paths > f.bound.Paths:
		return fmt.Errorf("more than %d moves: %w", f.bound.Paths, ErrBlind)
	case f.now.work+f.then.work > f.bound.Work:
		return fmt.Errorf("rules are too large: %w", ErrBlind)
	case f.b.Len() > f.most:
		return fmt.Errorf("more than %d gates: %w", f.b.Len(), ErrBlind)
	}
	return f.ctx.Err()
}

// leaf notes when a move is preferred.
func (f *foreseer) leaf() error {
	f.paths++
	if err := f.spent(); err != nil {
		return err
	}
	f.assumeLegal()
	for _, c := range f.now.undo {
		for _, fluent := range f.of[c.node] {
			f.then.set(fluent, f.now.value[c.node])
		}
	}
	f.then.settle(2)
	f.newlies, f.stills = map[Node]Node{}, map[Node]Node{}
	when := f.see()
	f.then.back(0)
	if when == False {
		return nil
	}
	when = f.b.And(append([]Node{when, f.turn}, f.offers...)...)
	for l, k := range f.path {
		f.when[f.role][l][k] = append(f.when[f.role][l][k], when)
		when = f.b.And(when, f.sets[f.role][l][k])
	}
	return nil
}

// assumeLegal gives the fluents the values that the move at hand needs.
func (f *foreseer) assumeLegal() {
	assume := func(x, value Node) {
		if f.b.Op(x) == Not {
			x, value = f.b.Args(x)[0], f.b.Not(value)
		}
		if int(x) < 2+len(f.net.Fluents) {
			f.now.set(x, value)
		}
	}
	for _, o := range f.offers {
		if assume(o, True); f.b.Op(o) == And {
			for _, x := range slices.Clone(f.b.Args(o)) {
				assume(x, True)
			}
		}
	}
	f.now.settle(2)
}

// newly is when a node that does not hold now will hold after the move. What
// does not change will not hold either; of a conjunction of which one part
// changes, this is the part that did not hold.
func (f *foreseer) newly(n Node) Node {
	now, then := f.now.value[n], f.then.value[n]
	switch {
	case now == then:
		return False
	case now == False || now == True || then == False:
		return then
	}
	if v, ok := f.newlies[n]; ok {
		return v
	}
	v := then
	switch f.net.Ops[n] {
	case Or:
		var any []Node
		for _, a := range f.net.operands(n) {
			any = append(any, f.newly(a))
		}
		v = f.b.Or(any...)
	case And:
		if x, rest, ok := f.sole(n); ok {
			v = f.b.And(append(rest, f.newly(x))...)
		}
	case Not:
		v = f.b.Not(f.still(f.net.operands(n)[0]))
	}
	f.newlies[n] = v
	return v
}

// still is when a node that holds now will hold after the move.
func (f *foreseer) still(n Node) Node {
	now, then := f.now.value[n], f.then.value[n]
	switch {
	case now == then:
		return True
	case now == False || now == True || then == True:
		return then
	}
	if v, ok := f.stills[n]; ok {
		return v
	}
	v := then
	switch f.net.Ops[n] {
	case And:
		var all []Node
		for _, a := range f.net.operands(n) {
			all = append(all, f.still(a))
		}
		v = f.b.And(all...)
	case Or:
		if x, rest, ok := f.sole(n); ok {
			v = f.b.Or(append(rest, f.still(x))...)
		}
	case Not:
		v = f.b.Not(f.newly(f.net.operands(n)[0]))
	}
	f.stills[n] = v
	return v
}

// sole is the only operand of a gate that changes, where there is one, and the
// values of the others.
func (f *foreseer) sole(n Node) (x Node, rest []Node, ok bool) {
	for _, a := range f.net.operands(n) {
		if f.now.value[a] == f.then.value[a] {
			rest = append(rest, f.now.value[a])
			continue
		}
		if ok {
			return 0, nil, false
		}
		x, ok = a, true
	}
	return x, rest, ok
}

// finish is the net with what is preferred. What it preferred before comes first.
func (f *foreseer) finish() *Net {
	out := *f.net
	out.Roles, out.Next = cloneRoles(f.net.Roles), slices.Clone(f.net.Next)
	out.roots(func(n *Node) { *n = f.whole.value[*n] })
	for r := range out.Roles {
		role := &out.Roles[r]
		for l := range role.Levels {
			level := &role.Levels[l]
			level.Select = f.sets[r][l]
			before := level.Prefer
			level.Prefer = make([]Node, len(level.Select))
			for k, when := range f.when[r][l] {
				level.Prefer[k] = f.b.And(f.b.Not(level.Preferring), f.b.Or(when...))
				if before != nil {
					level.Prefer[k] = f.b.Or(before[k], level.Prefer[k])
				}
			}
			level.Preferring = f.b.Or(level.Prefer...)
			if l == 0 && before == nil {
				role.Winning = level.Preferring
			}
		}
	}
	return f.b.Finish(&out)
}
