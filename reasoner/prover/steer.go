package prover

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// steering is how an engine chooses semimoves.
type steering struct {
	shape    moveShape
	rng      *rand.Rand
	policies [][]policy // by role and level; nil: all uniform

	candidates []uint32 // scratch: the numbers of the semimoves to choose from
	offers     []uint64
	prefix     []uint64
	into       [1]int32
	lane       [1]uint64
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

func newSteering(shape moveShape, seed uint64) steering {
	return steering{shape: shape, rng: rand.New(rand.NewPCG(seed, 0x5eed))}
}

func (s *steering) policyOf(role, level int) *policy {
	if s.policies == nil {
		for r := range s.shape {
			s.policies = append(s.policies, make([]policy, s.shape[r]))
		}
	}
	return &s.policies[role][level]
}

// set is what Engine.SetPolicy says.
func (pol *policy) set(order []int32, epsilon float64) {
	pol.ordered, pol.epsilon = order != nil, epsilon
	clear(pol.place)
	for i := len(order) - 1; i >= 0; i-- {
		if n := int(order[i]) + 1; n > len(pol.place) {
			pol.place = append(pol.place, make([]int32, n-len(pol.place))...)
		}
		pol.place[order[i]] = int32(i) + 1
	}
}

// steered is the policy of a level, nil if it chooses uniformly.
func (s *steering) steered(role, level int) *policy {
	if s.policies == nil {
		return nil
	}
	if pol := &s.policies[role][level]; pol.ordered || pol.chooser != nil {
		return pol
	}
	return nil
}

// uniform picks one of n.
func (s *steering) uniform(n int) int { return int(s.rng.Uint64N(uint64(n))) }

// setPrefix sets the number of a semimove that was chosen before.
func (s *steering) setPrefix(role, level int, number uint32) {
	if s.prefix == nil {
		s.prefix = make([]uint64, s.shape.words())
	}
	setField(s.prefix, s.shape.placeOf(role, level), number)
}

// pick picks one of s.candidates by a policy.
func (s *steering) pick(pol *policy, role, level int) int {
	switch {
	case pol.chooser != nil:
		return s.consult(pol, role, level)
	case s.rng.Float64() < pol.epsilon:
		return s.rng.IntN(len(s.candidates))
	}
	best := 0
	for i, n := range s.candidates {
		if pol.before(n, s.candidates[best]) {
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

// consult lets a chooser pick one of s.candidates.
func (s *steering) consult(pol *policy, role, level int) int {
	words := int(slices.Max(s.candidates))/64 + 1
	s.offers = slices.Grow(s.offers[:0], words)[:words]
	clear(s.offers)
	for _, n := range s.candidates {
		s.offers[n/64] |= 1 << (n % 64)
	}
	var prefix []uint64
	if level > 0 {
		prefix = s.prefix
	}
	s.into[0] = -1
	s.lane[0] = 1
	pol.chooser(s.lane[:], s.offers, words, prefix, s.into[:])
	chosen := slices.Index(s.candidates, uint32(s.into[0]))
	if chosen < 0 {
		panic(unwind{fmt.Errorf("prover: the chooser of role %d, level %d took semimove %d, which is not offered", role, level, s.into[0])})
	}
	return chosen
}
