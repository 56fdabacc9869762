package tournament

import (
	"time"

	"semisplit/player/local"
)

// Chance sits on a seat that no player has.
const Chance = local.Chance

// Encounter is a meeting of players at a table over a game: as many matches, all with
// the same opening, as it takes for each of them to have sat on each seat. In a game
// for one, each of them plays alone.
type Encounter struct {
	Round int // from 1 on
	Game  int // of the plan
	Table []int
}

// Match is one of an encounter.
type Match struct {
	ID        string // unique in the tournament
	Round     int
	Game      string // label
	Encounter string // that it belongs to, unique
	Table     []int  // players who meet
	Seats     []int  // for each role a player, or Chance
}

// Ways in which a match ends.
const (
	ByRules   = "rules"
	ByProof   = "proof"
	ByLength  = "length"
	ByForfeit = "forfeit"
)

// Played is a match that was played, as it is kept.
type Played struct {
	Match
	Error string `json:",omitempty"` // why it failed; it counts for nobody then

	Ended     string
	Goals     []int  // by role, 0 to 100
	Forfeited []int  `json:",omitempty"` // players who were at fault too often
	Steps     int    // joint moves, those of the opening included
	Opening   int    // of these
	Faults    []Side // by role
	Efforts   []local.Effort
	Worker    string `json:",omitempty"` // who played it, where that was not this process
	Elapsed   time.Duration
}

// Side is what went wrong on a seat, in turns.
type Side struct {
	Absent  bool `json:",omitempty"` // no answer to START in time
	Late    int  `json:",omitempty"` // no reply in time
	Lost    int  `json:",omitempty"` // no connection, or the player crashed
	Illegal int  `json:",omitempty"` // a reply that is no legal move
}

// Turns are those in which the player was at fault.
func (s Side) Turns() int { return s.Late + s.Lost + s.Illegal }

func (s *Side) join(o Side) {
	s.Absent = s.Absent || o.Absent
	s.Late += o.Late
	s.Lost += o.Lost
	s.Illegal += o.Illegal
}

// Thought is what a player thought in a turn.
type Thought struct {
	Role       int
	Iterations int       `json:",omitempty"`
	States     int       `json:",omitempty"`
	Millis     int64     // until the reply
	Values     []float64 `json:",omitempty"` // by role: the mean goal, in [0, 1]
	Low, High  []float64 `json:",omitempty"` // by role: proven bounds
	Line       []string  `json:",omitempty"` // joint moves that it expects, the first ones
	Fault      string    `json:",omitempty"` // in place of a move of its own
}

// longestLine bounds the line of a thought, in joint moves.
const longestLine = 8
