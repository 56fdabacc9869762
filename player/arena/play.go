package arena

import (
	"time"

	"semisplit/player/local"
	"semisplit/protocol"
)

// Play is one play of a series, as it is kept in the database.
type Play struct {
	Game, Setting, Baseline, Agent string // labels
	Number                         int    // in the series, from 0
	Seats                          string // for each role A (agent), B (baseline) or - (chance); matches with a slash between
	Seed                           uint64

	Error   string // why it failed; but for Faults, the rest is empty then
	LeftOut bool   `json:",omitempty"` // it failed by faults of a player of others, and is left out

	Score      float64 // the agent's, in [0, 1]: see local.Share
	AgentGoals []int   // 0 to 100, by seat
	BaseGoals  []int
	Turns      int // joint moves, those of the opening included
	Opening    int // random ones among them
	Elapsed    time.Duration

	AgentEffort, BaseEffort local.Effort
	Faults                  [2]Faults // of the agent and the baseline, over HTTP
}

// Faults are the turns in which a side had no legal move of its own in time, and
// a random one took its place; of all its seats together.
type Faults struct {
	Start   int `json:",omitempty"` // no answer to START in time: these are no turns
	Late    int `json:",omitempty"` // no reply in time
	Lost    int `json:",omitempty"` // no connection
	Illegal int `json:",omitempty"` // a reply that is no legal move
}

// Turns are those at fault.
func (f Faults) Turns() int { return f.Late + f.Lost + f.Illegal }

func (f *Faults) join(g Faults) {
	f.Start += g.Start
	f.Late += g.Late
	f.Lost += g.Lost
	f.Illegal += g.Illegal
}

// add takes note of the fault of a step, in the spelling of match records.
func (f *Faults) add(step int, fault string) {
	switch {
	case fault == "":
	case step == 0:
		f.Start++
	case fault == protocol.FaultTimeout:
		f.Late++
	case fault == protocol.FaultConnection:
		f.Lost++
	default:
		f.Illegal++
	}
}

// score takes the goals of a match.
func (p *Play) score(sides local.Seating, goals []int) {
	for role, who := range sides {
		switch who {
		case local.FirstSide:
			p.AgentGoals = append(p.AgentGoals, goals[role])
		case local.SecondSide:
			p.BaseGoals = append(p.BaseGoals, goals[role])
		}
	}
}
