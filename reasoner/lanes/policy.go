package lanes

import "slices"

// policy is how the lanes choose at a level: by an order of semimoves, but
// uniformly with probability epsilon. The zero policy is uniform.
type policy struct {
	order   []int32
	epsilon float64
}

// SetPolicy says how a role chooses at a level, in all lanes: the first offer
// in the given order of semimoves (those left out come last, rising), but with
// probability epsilon (to 1/65536) a uniformly random one. A nil order is
// uniform choice throughout, as before the first call.
func (e *Engine) SetPolicy(role, level int, order []int32, epsilon float64) {
	pol := &e.turns[role].policy[level]
	if order == nil {
		*pol = policy{}
		return
	}
	count := e.p.roles[role].levels[level].count
	seen := make([]bool, count)
	pol.order = slices.Grow(pol.order[:0], count)
	for _, k := range order {
		if !seen[k] {
			seen[k] = true
			pol.order = append(pol.order, k)
		}
	}
	for k, s := range seen {
		if !s {
			pol.order = append(pol.order, int32(k))
		}
	}
	pol.epsilon = epsilon
}
