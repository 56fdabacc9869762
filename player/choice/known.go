package choice

import (
	"slices"
	"time"

	"semisplit/player/evaluation"
)

// Known is what was found out about a game before.
type Known struct {
	Evaluations map[evaluation.Source]*evaluation.Evaluation // for the machine that Recall was given
	Trials      []Trial
}

// Trial is how two candidates, by their names, did against each other.
type Trial struct {
	A      string  `json:"a"`
	B      string  `json:"b"`
	Plays  int     `json:"plays"`
	Points float64 `json:"points"` // of A
}

// mostKnown is how many plays earlier trials of a pair weigh at most: their moves had
// another length, and what was learned since may have changed who is better.
const mostKnown = 48

// recalled are earlier trials of candidates that are there now.
func (c *chooser) recalled() (results []pairing) {
	index := func(name string) int {
		return slices.IndexFunc(c.Candidates, func(k *Candidate) bool { return k.Name == name })
	}
	for _, t := range c.known.Trials {
		a, b := index(t.A), index(t.B)
		if a < 0 || b < 0 || a == b || t.Plays <= 0 {
			continue
		}
		plays := min(t.Plays, mostKnown)
		results = append(results, pairing{a, b, plays, t.Points * float64(plays) / float64(t.Plays)})
	}
	return results
}

// rate sets the scores by all trials, earlier ones included.
func (c *chooser) rate() {
	rate(c.Candidates, slices.Concat(c.before, c.results), time.Duration(c.move.Load()), c.Options.Play)
}

// Trials are those that were played for this choice.
func (c *Choice) Trials() []Trial { return c.played }

// IsNew tells whether an evaluation was learned for this choice.
func (c *Choice) IsNew(source evaluation.Source) bool { return c.fresh[source] }

// named are the trials of this choice by the names of the candidates.
func (c *chooser) named() (trials []Trial) {
	for _, r := range c.results {
		trials = append(trials, Trial{c.Candidates[r.a].Name, c.Candidates[r.b].Name, r.plays, r.points})
	}
	return trials
}
