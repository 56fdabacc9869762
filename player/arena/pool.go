package arena

import (
	"math"
	"slices"
)

// Pooled is what the plays of all games show together, as one comparison of an
// agent with a baseline.
type Pooled struct {
	Estimate        // of the mean score of a set: plays of a set belong together, and so do games
	Plays           int
	Points          float64 // of the agent: the sum of its scores
	Failed, LeftOut int
	Ratio           float64 // of the sequential test
	Verdict         Verdict
}

// Pool counts whole sets for the estimate and the test, and single plays for
// the rest. The plays are those of one agent against one baseline, in these games, of each
// of which so many were asked for.
//
// The test goes over the sets of all games in turn, as far as they are complete, and ends
// where it decides: else games whose plays are short would count first.
func Pool(games []Game, asked int, plays []Play, test SPRT) (sum Pooled) {
	sets := map[place]*set{}
	for _, play := range plays {
		game := slices.IndexFunc(games, func(g Game) bool { return g.Label == play.Game })
		if game < 0 {
			continue
		}
		at := place{play.Number / len(games[game].plays), game}
		if sets[at] == nil {
			sets[at] = &set{}
		}
		sets[at].plays++
		switch {
		case play.LeftOut:
			sum.LeftOut++
		case play.Error != "":
			sum.Failed++
		default:
			sum.Plays++
			sum.Points += play.Score
			sets[at].scores = append(sets[at].scores, play.Score)
		}
	}
	var means []float64
	course, whole := sequential{}, true // so far
	for _, at := range inTurn(len(games), sets) {
		one, perSet := sets[at], len(games[at.game].plays)
		if one == nil {
			whole = whole && at.number*perSet >= asked
			continue
		}
		if whole = whole && one.plays == perSet; len(one.scores) < perSet {
			continue
		}
		means = append(means, one.mean())
		if whole && course.verdict == Undecided {
			course.add(&test, one.mean())
		}
	}
	sum.Estimate, sum.Ratio, sum.Verdict = MeanOf(means), course.ratio, course.verdict
	return sum
}

// place is that of a set in the order in which all games are played in turn.
type place struct{ number, game int }

// set is what was played of a set.
type set struct {
	plays  int
	scores []float64 // of those that count
}

// mean is that of the scores. Sums must not depend on the order in which plays end.
func (s *set) mean() float64 {
	slices.Sort(s.scores)
	total := 0.0
	for _, score := range s.scores {
		total += score
	}
	return total / float64(len(s.scores))
}

// inTurn are the places of so many games up to the last one of which anything was played.
func inTurn(games int, sets map[place]*set) (order []place) {
	last := -1
	for at := range sets {
		last = max(last, at.number)
	}
	for number := range last + 1 {
		for game := range games {
			order = append(order, place{number, game})
		}
	}
	return order
}

// NewSPRT is a test of the win rates at two differences in Elo, with errors of
// 5%.
func NewSPRT(elo0, elo1 float64) (SPRT, error) {
	t := SPRT{Elo0: &elo0, Elo1: &elo1}
	return t, t.settle()
}

// Elo is the difference in Elo at which a score in [0, 1] is expected; infinite
// for 0 and 1.
func Elo(rate float64) float64 { return 400 * math.Log10(rate/(1-rate)) }
