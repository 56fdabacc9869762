package prover

import (
	"fmt"
	"slices"
)

// steering is how an engine chooses semimoves, and what it played last.
type steering struct {
	policies [][]policy // by role and level; nil: all uniform

	tracing bool
	choices []uint64 // the joint move that was played last

	numbersOf []uint32 // scratch: of the semimoves to choose from
	offers    []uint64
	prefix    []uint64
	into      [1]int32
	lane      [1]uint64
}

// policy is how a role chooses at a level: by places in an order, but
// uniformly with probability epsilon; or as somebody else says. The zero policy
// is uniform.
type policy struct {
	ordered bool
	place   []int32 // by number of a semimove: its place in the order plus one; 0 if it has none
	epsilon float64
	chooser func(lanes, offers []uint64, words int, prefix []uint64, into []int32)
}

// A number takes half a word of a trace.
const (
	fieldBits     = 32
	fieldsPerWord = 2
)

// levelsOf is the number of semimoves in a move of a role.
func (e *Engine) levelsOf(role int) int {
	if lay := e.code.layout; lay != nil {
		return len(lay.roles[role])
	}
	return 1
}

// placeOf is the place of a semimove in a joint move.
func (e *Engine) placeOf(role, level int) int {
	for r := range role {
		level += e.levelsOf(r)
	}
	return level
}

// Trace says whether Choices will be asked for; at first it will not. What was
// played before is not known then.
func (e *Engine) Trace(on bool) {
	e.tracing = on
	if e.choices == nil {
		e.choices = make([]uint64, e.TraceWords())
	}
}

// TraceWords is the number of words in which a joint move is packed.
func (e *Engine) TraceWords() int {
	return (e.placeOf(len(e.roles), 0) + fieldsPerWord - 1) / fieldsPerWord
}

// TraceField is where the number of a role's semimove at a level is found in a
// joint move that is packed: in a word the bits from shift on.
func (e *Engine) TraceField(role, level int) (word int, shift, bits uint) {
	at := e.placeOf(role, level)
	return at / fieldsPerWord, uint(at % fieldsPerWord * fieldBits), fieldBits
}

// Choices is the joint move, random or given, by which the lane came to its
// present state. After Load without a joint move it means nothing until the
// lane has moved. Without Trace it means nothing at all. It is valid until the
// next Step.
func (e *Engine) Choices() []uint64 { return e.choices }

// setField packs a number.
func setField(words []uint64, at int, number uint32) {
	w, shift := at/fieldsPerWord, at%fieldsPerWord*fieldBits
	words[w] = words[w]&^((1<<fieldBits-1)<<shift) | uint64(number)<<shift
}

// recordGiven notes the joint move that was given as played.
func (e *Engine) recordGiven(joint []uint32) {
	if e.tracing {
		for at, n := range joint {
			setField(e.choices, at, n)
		}
	}
}

// recordChosen notes the random joint move as played.
func (e *Engine) recordChosen() {
	if !e.tracing {
		return
	}
	if e.code.layout == nil {
		for r, t := range e.does {
			setField(e.choices, r, e.sharedMove(t))
		}
		return
	}
	at := 0
	for r := range e.chosen {
		for _, s := range e.chosen[r] {
			setField(e.choices, at, e.sharedSemimove(s.choice, s.row))
			at++
		}
	}
}

func (e *Engine) policyOf(role, level int) *policy {
	if e.policies == nil {
		for r := range e.roles {
			e.policies = append(e.policies, make([]policy, e.levelsOf(r)))
		}
	}
	return &e.policies[role][level]
}

// SetPolicy says how a role chooses at a level: the first offer in the given
// order of semimoves (those left out come last, rising), but with probability
// epsilon a uniformly random one. A nil order is uniform choice throughout, as
// before the first call. The order is copied.
//
// It counts for choices that are still to be made. Where moves are split, those
// for the next joint move were made in the last Step.
func (e *Engine) SetPolicy(role, level int, order []int32, epsilon float64) {
	pol := e.policyOf(role, level)
	pol.ordered, pol.epsilon = order != nil, epsilon
	clear(pol.place)
	for i := len(order) - 1; i >= 0; i-- {
		if n := int(order[i]) + 1; n > len(pol.place) {
			pol.place = append(pol.place, make([]int32, n-len(pol.place))...)
		}
		pol.place[order[i]] = int32(i) + 1
	}
}

// SetChooser lets a function choose for a role at a level, in place of its
// policy; nil gives that back. It is called where there are at least two
// offers. lanes is 1; offers is the set of semimoves, of so many words,
// without those that were found dead there. prefix is nil at the first level;
// else the fields of the role's levels before this one are filled in (see
// TraceField). The function puts one of the offers into into; anything else
// makes the Step fail.
//
// The function may call Choices, which tells by which joint move the lane came
// to the state in which it chooses. It must not change offers, keep anything,
// or call other methods. Where moves are split, it is asked as soon as a state
// is reached, where the rules ask whether a role can move also in one that
// turns out terminal.
func (e *Engine) SetChooser(role, level int, choose func(lanes, offers []uint64, words int, prefix []uint64, into []int32)) {
	e.policyOf(role, level).chooser = choose
}

// steered is the policy of a level, nil if it chooses uniformly.
func (e *Engine) steered(role, level int) *policy {
	if e.policies == nil {
		return nil
	}
	if pol := &e.policies[role][level]; pol.ordered || pol.chooser != nil {
		return pol
	}
	return nil
}

// pickMove picks one of a role's legal moves.
func (e *Engine) pickMove(role int) int {
	moves := e.legal[role]
	pol := e.steered(role, 0)
	if pol == nil || len(moves) == 1 {
		return int(e.rng.Uint64N(uint64(len(moves))))
	}
	e.numbersOf = e.numbersOf[:0]
	for _, t := range moves {
		e.numbersOf = append(e.numbersOf, e.sharedMove(t))
	}
	return e.pickBy(pol, role, 0)
}

// pickOption picks one of the options of a level.
func (e *Engine) pickOption(role, level int) int {
	options := e.options[level]
	pol := e.steered(role, level)
	if pol == nil || len(options) == 1 {
		return int(e.rng.Uint64N(uint64(len(options))))
	}
	e.numbersOf = e.numbersOf[:0]
	for _, o := range options {
		e.numbersOf = append(e.numbersOf, e.sharedSemimove(o.choice, e.rowOf(o)))
	}
	return e.pickBy(pol, role, level)
}

// pickBy picks one of e.numbersOf by a policy.
func (e *Engine) pickBy(pol *policy, role, level int) int {
	switch {
	case pol.chooser != nil:
		return e.consult(pol, role, level)
	case e.rng.Float64() < pol.epsilon:
		return e.rng.IntN(len(e.numbersOf))
	}
	best := 0
	for i, n := range e.numbersOf {
		if pol.before(n, e.numbersOf[best]) {
			best = i
		}
	}
	return best
}

// before tells whether a semimove comes before another.
func (pol *policy) before(a, b uint32) bool {
	pa, pb := pol.placeOf(a), pol.placeOf(b)
	if pa == pb { // neither has one
		return a < b
	}
	return pb == 0 || pa != 0 && pa < pb
}

func (pol *policy) placeOf(n uint32) int32 {
	if int(n) < len(pol.place) {
		return pol.place[n]
	}
	return 0
}

// consult lets a chooser pick one of e.numbersOf.
func (e *Engine) consult(pol *policy, role, level int) int {
	words := int(slices.Max(e.numbersOf))/64 + 1
	e.offers = slices.Grow(e.offers[:0], words)[:words]
	clear(e.offers)
	for _, n := range e.numbersOf {
		e.offers[n/64] |= 1 << (n % 64)
	}
	var prefix []uint64
	if level > 0 {
		if e.prefix == nil {
			e.prefix = make([]uint64, e.TraceWords())
		}
		prefix = e.prefix
		first := e.placeOf(role, 0)
		for l, s := range e.chosen[role][:level] {
			setField(prefix, first+l, e.sharedSemimove(s.choice, s.row))
		}
	}
	e.into[0] = -1
	e.lane[0] = 1
	pol.chooser(e.lane[:], e.offers, words, prefix, e.into[:])
	at := slices.Index(e.numbersOf, uint32(e.into[0]))
	if at < 0 {
		panic(unwind{fmt.Errorf("prover: the chooser of role %d, level %d took semimove %d, which is not offered", role, level, e.into[0])})
	}
	return at
}
