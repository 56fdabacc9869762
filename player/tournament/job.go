package tournament

import (
	"encoding/json"

	"semisplit/kif"
	"semisplit/player/arena"
	"semisplit/reasoner"
)

// Kinds of jobs, see package jobs.
const (
	KindMatch  = "match"
	KindSettle = "settle"
)

// MatchJob is a match to be played, whole: rules, agents and what agents have learned
// are in files, named by their hashes.
type MatchJob struct {
	Tournament string
	Match      Match
	Rules      string // hash
	Seats      []SeatJob
	Setting    arena.Setting
	Seed       uint64
	Plies      int    // random joint moves at the start
	Opening    uint64 // seed that draws them
	Line       string // of a book, in place of these; "": none
	Adjudicate Adjudicate
	Turns      int
	Faults     int
}

// SeatJob says who plays a role; the zero value is chance.
type SeatJob struct {
	Label string
	agentFiles
	Peer bool `json:",omitempty"` // a player of others, known by its label to the process that asks
}

// agentFiles are the hashes of what makes an agent.
type agentFiles struct {
	Agent      string            `json:",omitempty"` // the agent file
	Evaluation string            `json:",omitempty"` // the file that it names as its evaluation
	Learned    map[string]string `json:",omitempty"` // what was learned, by source
	Variant    reasoner.Variant  `json:",omitzero"`  // that it plays on; zero: not settled yet
}

// SettleJob asks what an agent plays a game with: machine, choice, evaluation.
type SettleJob struct {
	Rules string // hash
	agentFiles
	Setting arena.Setting
	Seed    uint64
}

// Settled is an agent that leaves nothing open, so that it plays alike everywhere.
type Settled struct {
	Agent   json.RawMessage
	Variant reasoner.Variant           // that it plays on
	Why     string                     `json:",omitempty"` // of an automatic choice
	Learned map[string]json.RawMessage `json:",omitempty"` // evaluations by source
	Error   string                     `json:",omitempty"` // why it cannot play the game
}

// matchOutcome is what comes of a MatchJob.
type matchOutcome struct {
	Played   Played
	Record   json.RawMessage `json:",omitempty"`
	Thoughts [][]Thought     `json:",omitempty"` // by step
}

// spellLine is a line of joint moves as one text.
func spellLine(line [][]kif.Term) string {
	var joint []kif.Term
	for _, moves := range line {
		joint = append(joint, kif.List(moves...))
	}
	return kif.List(joint...).String()
}
