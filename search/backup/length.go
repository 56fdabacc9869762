package backup

import "math"

// Options.LengthBonus makes a win that comes early count for more than one that
// comes late, and a late loss for more than an early one: the relative bonus of
// T. Pepels, M. Tak, M. Lanctot and M. Winands, Quality-based Rewards for
// Monte-Carlo Tree Search Simulations, 2014. What is early is measured against
// the lengths of the iterations that the same role won.

// lengths are the joint moves from the root to the end of the game, over the
// latest iterations that a role won: their mean and their variance, the newest
// weighing most.
type lengths struct{ n, mean, variance float64 }

const (
	lengthMemory = 4096 // iterations that the mean goes back
	lengthSlope  = 2    // k of the paper: how soon the bonus is near its bound, in standard deviations
)

// add takes in a length and says how early it was, from -1 for late to 1.
func (s *lengths) add(length float64) (early float64) {
	s.n = min(s.n+1, lengthMemory)
	delta := length - s.mean
	s.mean += delta / s.n
	s.variance += (delta*delta - s.variance) / s.n
	if s.variance <= 0 {
		return 0
	}
	return math.Tanh(lengthSlope / 2.0 * (s.mean - length) / math.Sqrt(s.variance))
}

// length draws the goals at an end nearer to one half the later a winner won: by the
// factor (1 + bonus * early) / (1 + bonus), so that they stay in [0, 1]. Without a winner
// there is nothing to hasten or to put off.
func length(s *Setup) pass {
	if s.LengthBonus <= 0 {
		return nil
	}
	won, values := make([]lengths, s.Tree.Roles), make([]float64, s.Tree.Roles) // by role
	return func(it *Iteration) {
		winner, sole := winnerOf(it.Values)
		if !it.Ended || !sole || len(it.Values) == 1 {
			return
		}
		joints := float64(len(it.Edges) / len(s.Tree.RoleOf))
		if it.Played {
			joints += float64(it.Now - it.Left - it.Stalls)
		}
		factor := (1 + s.LengthBonus*won[winner].add(joints)) / (1 + s.LengthBonus)
		for r, v := range it.Values {
			values[r] = 0.5 + (v-0.5)*factor
		}
		it.Values = values
	}
}

// winnerOf is the role with the highest goal, and whether no other has it.
func winnerOf(goals []float64) (winner int, sole bool) {
	best := math.Inf(-1)
	for r, v := range goals {
		if v > best {
			winner, best, sole = r, v, true
		} else if v == best {
			sole = false
		}
	}
	return winner, sole
}
