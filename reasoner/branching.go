package reasoner

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync/atomic"
)

// Branching counts what there is to choose from in random matches.
type Branching struct {
	States  int // nodal states that were looked at, none of them terminal
	Choices int // roles with more than one legal move, over these states
	Moves   int // legal moves of the roles that have a choice
	Levels  int // semimoves of a move of theirs

	// Of roles that choose whole moves: how often a move that they had and did not take was
	// looked for in their next choice of a match, how often it was still there, and how often
	// they took one that they had taken before in that match.
	Waited, Lasted, Again int

	// On the way of the random moves of these roles, what turned out to be dead
	// included:
	Prefixes int // states between semimoves, the nodal one among them
	Offers   int // semimoves that they offer
}

// Nodal is the number of legal moves of a role that has a choice.
func (b *Branching) Nodal() float64 { return mean(b.Moves, b.Choices) }

// Depth is the number of semimoves in a move of such a role.
func (b *Branching) Depth() float64 { return mean(b.Levels, b.Choices) }

// Offered is the number of semimoves that such a role chooses from at a time.
func (b *Branching) Offered() float64 { return mean(b.Offers, b.Prefixes) }

// Choosing is the number of roles that have a choice, in a nodal state.
func (b *Branching) Choosing() float64 { return mean(b.Choices, b.States) }

// Lasting is the part of the moves that are not taken which a role has in its next choice
// as well, and Repeated that of its moves which it has played before in the match; 0 where
// moves are split.
func (b *Branching) Lasting() float64  { return mean(b.Lasted, b.Waited) }
func (b *Branching) Repeated() float64 { return mean(b.Again, b.Choices) }

// mean is 0 where nothing was counted.
func mean(sum, count int) float64 {
	if count == 0 {
		return 0
	}
	return float64(sum) / float64(count)
}

// MeasureBranching plays random matches, with moves chosen level by level as
// playouts choose them, until so many nodal states were looked at or stop is set.
// On an error of the rules it returns what was counted until then as well.
func MeasureBranching(m Machine, seed uint64, states int, stop *atomic.Bool) (Branching, error) {
	w := walk{machine: m, engine: m.NewSingle(seed), random: rand.New(rand.NewPCG(seed, 11)), past: make([]past, len(m.Roles()))}
	state := m.Initial()
	var joint []uint32
	for w.States < states && !stop.Load() {
		w.engine.Load(0, state, joint)
		ended, err := w.engine.Step(stop)
		if stop.Load() {
			break
		}
		if err != nil {
			return w.Branching, fmt.Errorf("random match: %w", err)
		}
		if ended[0]&1 != 0 {
			if joint == nil {
				break // the initial state is terminal
			}
			state, joint = m.Initial(), nil
			w.match++
			continue
		}
		chosen, ok := w.choose(stop)
		if state, joint = m.Initial(), nil; ok {
			state, joint = w.engine.State(0, nil), chosen
		} else {
			w.match++
		}
	}
	return w.Branching, nil
}

// walk chooses moves of one position at random, and counts.
type walk struct {
	Branching
	machine Machine
	engine  Engine
	random  *rand.Rand
	match   int
	past    []past // by role
}

// past is what a role could choose and has chosen, where it chooses whole moves.
type past struct {
	match   int      // that this is of
	left    []uint32 // moves of its last choice that it did not take
	had     map[uint32]bool
	offered map[uint32]bool // scratch
}

// compare holds a choice of a role against its earlier ones in the match.
func (w *walk) compare(role int, chosen uint32) {
	p := &w.past[role]
	if p.had == nil || p.match != w.match {
		*p = past{match: w.match, had: map[uint32]bool{}, offered: map[uint32]bool{}}
	}
	clear(p.offered)
	for _, move := range w.engine.Offers(0, role, nil, nil) {
		p.offered[move] = true
	}
	w.Waited += len(p.left)
	for _, move := range p.left {
		if p.offered[move] {
			w.Lasted++
		}
	}
	if p.had[chosen] {
		w.Again++
	}
	p.had[chosen] = true
	delete(p.offered, chosen)
	p.left = slices.AppendSeq(p.left[:0], maps.Keys(p.offered))
}

// choose is a joint move. False: a role is stuck, which ends a playout.
func (w *walk) choose(stop *atomic.Bool) (joint []uint32, ok bool) {
	w.States++
	for role := range w.machine.Roles() {
		levels := w.machine.Levels(role)
		moves := w.count(role, nil, levels, stop)
		if moves == 0 {
			return nil, false
		}
		if moves > 1 {
			w.Choices++
			w.Moves += moves
			w.Levels += levels
		}
		path, _ := w.path(role, nil, levels, moves > 1)
		if moves > 1 && levels == 1 {
			w.compare(role, path[0])
		}
		joint = append(joint, path...)
	}
	return joint, true
}

// mostCounted is how many legal moves of a role are counted in a state.
const mostCounted = 1 << 17

// count is the number of legal moves after a prefix, as far as it goes before
// stop is set, or until there are mostCounted.
func (w *walk) count(role int, prefix []uint32, levels int, stop *atomic.Bool) (n int) {
	if len(prefix) == levels {
		return 1
	}
	for _, semimove := range w.engine.Offers(0, role, prefix, nil) {
		if n >= mostCounted || stop.Load() {
			break
		}
		n += w.count(role, append(prefix[:len(prefix):len(prefix)], semimove), levels, stop)
	}
	return min(n, mostCounted)
}

// path completes a prefix to a move, level by level; what turns out to be dead is
// taken back. False: there is none.
func (w *walk) path(role int, prefix []uint32, levels int, counted bool) ([]uint32, bool) {
	if len(prefix) == levels {
		return prefix, true
	}
	offers := w.engine.Offers(0, role, prefix, nil)
	if counted {
		w.Prefixes++
		w.Offers += len(offers)
	}
	w.random.Shuffle(len(offers), func(i, j int) { offers[i], offers[j] = offers[j], offers[i] })
	for _, semimove := range offers {
		if path, ok := w.path(role, append(prefix[:len(prefix):len(prefix)], semimove), levels, counted); ok {
			return path, true
		}
	}
	return nil, false
}
