package greedy

import "time"

// How a match ends is a single draw, which says little of a position long before.
// What the next positions were thought to be worth says more once the evaluation
// knows something. So where there is time for many matches, positions are taught
// the lambda-return (R. Sutton, Learning to Predict by the Methods of Temporal
// Differences, 1988): a mean of what was expected at the later ones, the next
// weighing most, and of what the match came to.
const (
	tracing    = 0.5 // lambda, with many matches; 1 with few
	fluentDues = 3   // matches for each fluent are many
	weightDues = 8   // matches for each weight are enough to learn it as they come
	replyCost  = 4   // a match with replies costs so many without, about
)

// plan decides, when the first matches have ended, how the others are played and
// learned from. Single fluents, returns and replies need many matches. With few
// it is outcomes that teach, and what broad features have in common. The first ones
// are played as if there were few: in Go they would take seconds with replies.
func (g *Matches) plan() {
	took := max(time.Since(g.begun)-g.fitting, time.Microsecond)
	all := float64(g.Done) / replyCost * (1 + float64(time.Until(g.until))/float64(took))
	g.sparse, g.lambda = all < float64(fluentDues*g.features.Known()), 1
	if !g.sparse {
		g.lambda = tracing
	}
	if weights := g.features.Known() + len(g.features.Names) - g.features.Bits; all >= float64(weightDues*weights) {
		g.plenty = true
		g.refit /= shapesPart
		g.ending.Reset(time.Until(g.until) - g.refit)
	}
}

// aim turns what was expected at the positions of a match into what they teach,
// from its goals.
func aim(match *match, goals []float32, lambda float32) {
	later := goals
	for index := len(match.thought) - len(goals); index >= 0; index -= len(goals) {
		expected := match.thought[index : index+len(goals)]
		for r, v := range expected {
			expected[r] = lambda*later[r] + (1-lambda)*v
		}
		later = expected
	}
}
