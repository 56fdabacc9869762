package minimax

import (
	"math"
	"math/bits"
	"sync/atomic"

	"semisplit/search/engine"
)

// field is an engine's lanes: what is to be played stands side by side in them from the
// first one on, all of it is played in one Step, and then it is read lane by lane.
type field struct {
	engine  engine.Engine
	lister  engine.Lister  // nil: the engine is none
	sampler engine.Sampler // nil: the engine is none
	seer    engine.Seer    // nil: the engine is none, or sees nothing
	levels  []int          // by role
	width   int            // semimoves of a joint move
	chance  []bool         // by role
	o       Options
	near    engine.Near // nil: the evaluation has none
	rolls   *rollouts   // nil: there are none

	filled int      // lanes that were loaded for the next Step
	held   int      // that the engine may hold from the last one
	ended  []uint64 // of the last Step
	stalls engine.Staller
	waits  []uint64 // lanes that have not come to the end of it; nil: none
	states int      // joint moves played, ever

	wins   [][]uint64   // by role: lanes in which it wins at once; nil: nothing is seen, or wins are shared
	rivals int          // wins met that were the other's loss, while no other was
	uneven bool         // goals were seen whose sum is not that of a win and a loss
	listed [][][]uint32 // by role and lane: legal moves, one after the other
	cut    [][]uint64   // by role: lanes in which more moves may be legal; nil: in none
	mask   []uint64     // of lanes whose moves are to be listed
	state  []uint64     // scratch
	path   []uint32     // scratch
	values []float64    // scratch
}

// turn is what can be played in a state: all moves of one role, each beside the only
// ones of the others.
type turn struct {
	mover  int      // -1: none of the following, see reason
	offset int      // of the mover's semimoves in joint
	joint  []uint32 // with any move of the mover
	moves  []uint32 // of the mover, one after the other
	n      int      // moves
	part   bool     // there are more
	value  score    // of the state, to the first of two roles, if it is estimated
	stuck  bool     // a role has none: the game ends here
	fault  error    // why the state is not searched, if it is not
}

func newField(e engine.Engine, levels []int, o Options) *field {
	o = o.bounded()
	f := &field{engine: e, levels: levels, o: o, chance: make([]bool, len(levels))}
	copy(f.chance, o.Chance)
	f.lister, _ = e.(engine.Lister)
	f.sampler, _ = e.(engine.Sampler)
	f.stalls, _ = e.(engine.Staller)
	if x, ok := e.(engine.Seer); ok && x.Sees() {
		f.seer, f.wins = x, make([][]uint64, len(levels))
	}
	for _, n := range levels {
		f.width += n
	}
	f.judgeBy(o.Evaluate)
	roles := len(levels)
	f.listed, f.cut = make([][][]uint32, roles), make([][]uint64, roles)
	for role := range f.listed {
		f.listed[role] = make([][]uint32, e.Lanes())
	}
	f.mask, f.values = make([]uint64, (e.Lanes()+63)/64), make([]float64, roles)
	if o.Playouts > 0 {
		f.rolls = newRollouts(roles, o.Playouts)
	}
	f.held = e.Lanes()
	return f
}

// judgeBy has states be worth what an evaluation says.
func (f *field) judgeBy(e engine.Evaluator) {
	f.o.Evaluate, f.near = e, nil
	if m, ok := e.(engine.NearEvaluator); ok {
		f.near = m.Near()
	}
}

func (f *field) roles() int { return len(f.levels) }

// room is the number of lanes that can still be loaded.
func (f *field) room() int { return f.engine.Lanes() - f.filled }

// load puts a state and a joint move, or nil, into the next lane.
func (f *field) load(state []uint64, joint []uint32) (lane int) {
	f.loadInto(f.filled, state, joint)
	f.filled++
	return f.filled - 1
}

// loadInto puts a state and a joint move, or nil, into a lane.
func (f *field) loadInto(lane int, state []uint64, joint []uint32) {
	f.engine.Load(lane, state, joint)
	if joint != nil {
		f.states++
	}
}

// step plays what was loaded. After an error the lanes are empty.
func (f *field) step(stop *atomic.Bool) (err error) {
	for ; f.held > f.filled; f.held-- {
		f.engine.Unload(f.held - 1)
	}
	f.held, f.filled = f.filled, 0
	return f.play(stop)
}

// play makes the Step. Lanes that were loaded for an earlier one play a random joint move.
func (f *field) play(stop *atomic.Bool) (err error) {
	if f.ended, err = f.engine.Step(stop); err != nil {
		return err
	}
	if f.stalls != nil {
		f.waits = f.stalls.Stalled()
	}
	for role, wins := range f.wins {
		if f.wins[role] = f.seer.Winners(role, wins[:0]); f.chance[role] {
			clear(f.wins[role]) // it moves at random
		}
	}
	return nil
}

// listFirsts lists the semimoves that a role may begin with, in the lanes of f.mask.
func (f *field) listFirsts(role int) {
	listed := f.listed[role]
	for w, word := range f.mask {
		for ; word != 0; word &= word - 1 {
			lane := w*64 + bits.TrailingZeros64(word)
			if listed[lane] = listed[lane][:0]; f.lister == nil {
				listed[lane] = f.engine.Offers(lane, role, nil, listed[lane])
			}
		}
	}
	if f.lister != nil {
		f.lister.Firsts(f.mask, role, listed)
	}
}

// enoughRivals are the wins after which all are taken for the other's loss. What is seen is
// not played, so it never shows that a win is shared.
const enoughRivals = 64

// winner is the role that wins at once in the state in a lane, as far as the engine
// sees; -1: none. It is asked for only where a win is the other's loss.
func (f *field) winner(lane int) int {
	if f.rivals < enoughRivals {
		return -1
	}
	for role, wins := range f.wins {
		if wins[lane/64]>>(lane%64)&1 != 0 {
			return role
		}
	}
	return -1
}

// enter makes a state the root of a search: what can be played in it, or that it is over.
func (f *field) enter(state []uint64, first *turn) (over bool, err error) {
	f.clear()
	f.load(state, nil)
	if err := f.step(new(atomic.Bool)); err != nil || f.isEnded(0) {
		return err == nil, err
	}
	f.listAlone(0)
	f.turn(0, first)
	return first.stuck, first.fault
}

// rootState is a copy of a state that is not nil where the state has no words: in the prover
// that is the one in which nothing holds.
func rootState(state []uint64) []uint64 { return append([]uint64{}, state...) }

// clear empties the lanes.
func (f *field) clear() {
	f.filled = 0
	for lane := range f.engine.Lanes() {
		f.engine.Unload(lane)
	}
	f.held = 0
}

// isEnded tells whether the state in a lane is terminal.
func (f *field) isEnded(lane int) bool { return f.ended[lane/64]>>(lane%64)&1 != 0 }

// isWaiting tells whether nothing can be said of a lane yet: it goes on in the next Step.
func (f *field) isWaiting(lane int) bool {
	return f.waits != nil && f.waits[lane/64]>>(lane%64)&1 != 0 && !f.isEnded(lane)
}

// goals puts those of the state in a lane into values, by role.
func (f *field) goals(lane int, values []float32) {
	f.engine.Goals(lane, f.values)
	if len(f.values) == 2 && math.Abs(f.values[0]+f.values[1]-top) > 1e-6 {
		f.uneven = true
	}
	if len(f.values) == 2 && max(f.values[0], f.values[1]) == top {
		if f.rivals++; f.values[0]+f.values[1] != top {
			f.rivals, f.wins = 0, nil
		}
	}
	for r, v := range f.values {
		values[r] = float32(v)
	}
}

// judge puts what the evaluation says of the state in a lane into values, by role. It was
// reached by a move from another state.
func (f *field) judge(lane int, from, state []uint64, values []float32) {
	switch {
	case f.o.Evaluate == nil:
		return
	case f.near != nil:
		f.near.From(from)
		f.near.Values(state, f.values)
	default:
		f.o.Evaluate.Values(state, f.values)
	}
	for r, v := range f.values {
		values[r] = estimate(v)
	}
}

// list finds the legal moves in the lanes of f.mask, none of which has ended.
func (f *field) list() {
	for role, levels := range f.levels {
		if levels == 1 {
			f.listFirsts(role)
		} else {
			f.listWhole(role)
		}
	}
}

// listWhole is list for a role whose moves have several semimoves.
func (f *field) listWhole(role int) {
	listed := f.listed[role]
	for w, word := range f.mask {
		for ; word != 0; word &= word - 1 {
			lane := w*64 + bits.TrailingZeros64(word)
			if listed[lane] = listed[lane][:0]; f.lister == nil {
				f.path = f.path[:0]
				listed[lane] = f.walk(lane, role, listed[lane])
			}
		}
	}
	if f.lister != nil {
		cut := f.lister.Paths(f.mask, role, mostMoves+1, func(lane int, path []uint32) {
			listed[lane] = append(listed[lane], path...)
		})
		f.cut[role] = append(f.cut[role][:0], cut...)
	}
}

// walk appends the moves of a role in a lane that begin with f.path, to one more than
// are searched.
func (f *field) walk(lane, role int, into []uint32) []uint32 {
	levels := f.levels[role]
	if len(f.path) == levels {
		return append(into, f.path...)
	}
	for _, x := range f.engine.Offers(lane, role, f.path, nil) {
		if len(into) > mostMoves*levels {
			break
		}
		f.path = append(f.path, x)
		into = f.walk(lane, role, into)
		f.path = f.path[:len(f.path)-1]
	}
	return into
}

// listAlone is list of one lane.
func (f *field) listAlone(lane int) {
	clear(f.mask)
	f.mask[lane/64] |= 1 << (lane % 64)
	f.list()
}

// turn puts what can be played in a lane, whose moves were listed, into t.
func (f *field) turn(lane int, t *turn) {
	t.mover, t.offset, t.n, t.joint = -1, 0, 0, t.joint[:0]
	t.part, t.stuck, t.fault, t.value = false, false, nil, 0
	var moves []uint32
	for role, levels := range f.levels {
		paths := f.listed[role][lane]
		n := len(paths) / levels
		switch cut := f.cut[role]; {
		case len(cut) > 0 && cut[lane/64]>>(lane%64)&1 != 0: // perhaps without a single one
			t.fault = ErrMany
			continue
		case n == 0 && f.sampler != nil && f.sampler.Partial(role): // they could not be found
			t.fault = ErrMany
			continue
		case n == 0:
			t.stuck, t.fault = true, nil
			return
		case n > mostMoves:
			t.fault = ErrMany
		case n > 1 && f.chance[role]:
			t.fault = ErrChance
		case n > 1 && t.n > 1:
			t.fault = ErrTogether
		}
		if n > 1 || t.n == 0 {
			t.mover, t.offset, t.n, moves = role, len(t.joint), n, paths
		}
		t.part = t.part || f.sampler != nil && f.sampler.Partial(role)
		t.joint = append(t.joint, paths[:levels]...)
	}
	t.moves = append(t.moves[:0], moves...)
}

// with is the joint move with a move of the mover.
func (t *turn) with(move int, levels []int) []uint32 {
	n := levels[t.mover]
	copy(t.joint[t.offset:t.offset+n], t.moves[move*n:(move+1)*n])
	return t.joint
}
