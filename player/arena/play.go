package arena

import (
	"time"

	"semisplit/player/local"
)

// Play is one play of a series, as it is kept in the database.
type Play struct {
	Game, Setting, Baseline, Agent string // labels
	Number                         int    // in the series, from 0
	Seats                          string // for each role A (agent), B (baseline) or - (chance); matches with a slash between
	Seed                           uint64

	Error string // why it failed; the rest is empty then

	Score      float64 // the agent's, in [0, 1]: see local.Share
	AgentGoals []int   // 0 to 100, by seat
	BaseGoals  []int
	Turns      int // joint moves, those of the opening included
	Opening    int // random ones among them
	Elapsed    time.Duration

	AgentEffort, BaseEffort local.Effort
}
