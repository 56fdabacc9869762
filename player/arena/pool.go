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
// the rest. The plays are those of one agent against one baseline.
func (p *Plan) Pool(plays []Play, test SPRT) (sum Pooled) {
	type set struct {
		game   string
		number int
	}
	scores := map[set][]float64{}
	var order []set
	perSet := map[string]int{}
	for _, g := range p.Games {
		perSet[g.Label] = len(g.plays)
	}
	for _, play := range plays {
		switch {
		case play.LeftOut:
			sum.LeftOut++
			continue
		case play.Error != "":
			sum.Failed++
			continue
		}
		sum.Plays++
		sum.Points += play.Score
		key := set{play.Game, play.Number / perSet[play.Game]}
		if scores[key] = append(scores[key], play.Score); len(scores[key]) == perSet[play.Game] {
			order = append(order, key)
		}
	}
	var means []float64
	for _, key := range order {
		// Sums must not depend on the order in which plays end.
		slices.Sort(scores[key])
		total := 0.0
		for _, score := range scores[key] {
			total += score
		}
		means = append(means, total/float64(perSet[key.game]))
	}
	sum.Estimate, sum.Ratio = MeanOf(means), test.Ratio(means)
	sum.Verdict = test.Decide(sum.Ratio)
	return sum
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
