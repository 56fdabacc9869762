package protocol

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"semisplit/kif"
)

// Faults as they stand in the errors of a Record; none is the empty text.
const (
	FaultTimeout    = "TO"
	FaultConnection = "CE"
)

// FaultIllegal is the fault of a reply that is no legal move: "IL reply", of
// which the first 200 bytes are kept.
func FaultIllegal(reply string) string {
	if len(reply) > 200 {
		reply = strings.ToValidUTF8(reply[:200], "")
	}
	return strings.TrimSpace("IL " + oneLine(reply))
}

// FaultOf is the fault that an error of a Client is recorded as.
func FaultOf(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrTimeout):
		return FaultTimeout
	case errors.Is(err, ErrReply):
		return FaultIllegal("")
	}
	return FaultConnection
}

// A Record is a match as spectator sites read it. The builder methods let it
// only grow, except for Back: what was recorded stays. The fields are there for
// reading, and for setting what is known before the first state.
//
// Of T turns played there are T+1 States and StateTimes, T rows of Moves and
// of Errors, each row in role order.
type Record struct {
	MatchID         string     `json:"matchId"`
	RandomToken     string     `json:"randomToken"`
	StartTime       int64      `json:"startTime"` // Unix milliseconds
	GameMetaURL     string     `json:"gameMetaURL"`
	GameName        string     `json:"gameName"`
	GameRoleNames   []string   `json:"gameRoleNames"`
	IsCompleted     bool       `json:"isCompleted"`
	IsAborted       bool       `json:"isAborted"`
	States          []string   `json:"states"` // each a list of facts, "((cell 1 1 b) ...)"
	Moves           [][]string `json:"moves"`
	StateTimes      []int64    `json:"stateTimes"` // Unix milliseconds
	Errors          [][]string `json:"errors"`     // "", "TO", "CE" or "IL reply"
	GoalValues      []int      `json:"goalValues,omitempty"`
	PreviewClock    int        `json:"previewClock"` // seconds, -1 for none
	StartClock      int        `json:"startClock"`   // seconds
	PlayClock       int        `json:"playClock"`    // seconds
	PlayerNames     []string   `json:"playerNamesFromHost"`
	IsPlayerHuman   []bool     `json:"isPlayerHuman"`
	Tournament      string     `json:"tournamentNameFromHost,omitempty"`
	Scrambled       bool       `json:"scrambled"`
	Weight          float64    `json:"weight"`
	AnalysisClock   int        `json:"analysisClock"` // seconds, -1 for none
	MatchHostPK     string     `json:"matchHostPK,omitempty"`
	MatchHostSigned string     `json:"matchHostSignature,omitempty"`
	// Comments are what is said of the moves, as rows of Moves; there may be fewer.
	// They are no part of the schema, and left out where there are none.
	Comments [][]string `json:"comments,omitempty"`
}

// ErrRecord is wrapped by the errors of Record and ParseRecord.
var ErrRecord = errors.New("bad match record")

// NewRecord begins the record of a match that starts now. Clocks are rounded
// up to seconds; players are the names of the seats, in role order.
func NewRecord(match, game string, roles, players []string, startClock, playClock time.Duration, now time.Time) *Record {
	return &Record{
		MatchID:       match,
		RandomToken:   strings.ToLower(rand.Text()),
		StartTime:     now.UnixMilli(),
		GameName:      game,
		GameRoleNames: append([]string{}, roles...),
		PreviewClock:  -1,
		StartClock:    ceilSeconds(startClock),
		PlayClock:     ceilSeconds(playClock),
		PlayerNames:   append([]string{}, players...),
		IsPlayerHuman: make([]bool, len(roles)),
		Weight:        1,
		AnalysisClock: -1,
	}
}

func ceilSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Begin records the initial state.
func (r *Record) Begin(state []kif.Term, at time.Time) error {
	if len(r.States) > 0 {
		return recordError("the initial state is there already")
	}
	r.addState(state, at)
	return nil
}

// Turn records a joint move, the faults of the players ("" for none; nil for
// none at all), and the state that the move led to.
func (r *Record) Turn(moves []kif.Term, faults []string, state []kif.Term, at time.Time) error {
	n := len(r.GameRoleNames)
	switch {
	case r.IsCompleted || r.IsAborted:
		return recordError("the match is over")
	case len(r.States) == 0:
		return recordError("a turn before the initial state")
	case len(moves) != n:
		return recordError("%d moves for %d roles", len(moves), n)
	case faults != nil && len(faults) != n:
		return recordError("%d faults for %d roles", len(faults), n)
	}
	row := make([]string, n)
	for i, m := range moves {
		row[i] = m.String()
	}
	r.Moves = append(r.Moves, row)
	r.Errors = append(r.Errors, append(make([]string, 0, n), faults...))
	if faults == nil {
		r.Errors[len(r.Errors)-1] = make([]string, n)
	}
	r.addState(state, at)
	return nil
}

// Comment says something of the moves of the last turn, in role order.
func (r *Record) Comment(row []string) {
	if len(r.Moves) == 0 || len(row) != len(r.GameRoleNames) || len(r.Comments) >= len(r.Moves) || strings.Join(row, "") == "" {
		return
	}
	for len(r.Comments) < len(r.Moves)-1 {
		r.Comments = append(r.Comments, make([]string, len(row)))
	}
	r.Comments = append(r.Comments, row)
}

// Back takes the last turns of a match that goes on away again. Copies of the
// record keep them.
func (r *Record) Back(turns int) {
	n := max(0, len(r.Moves)-turns)
	r.Moves, r.Errors = r.Moves[:n:n], r.Errors[:n:n]
	if len(r.Comments) > n {
		r.Comments = r.Comments[:n:n]
	}
	r.States, r.StateTimes = r.States[:n+1:n+1], r.StateTimes[:n+1:n+1]
}

// addState adds a state. Times do not run backwards, even where the clock of the
// computer was set back meanwhile.
func (r *Record) addState(state []kif.Term, at time.Time) {
	before := r.StartTime
	if n := len(r.StateTimes); n > 0 {
		before = r.StateTimes[n-1]
	}
	r.States = append(r.States, kif.List(state...).String())
	r.StateTimes = append(r.StateTimes, max(before, at.UnixMilli()))
}

// Complete records the goals, 0..100 in role order, of the last state.
func (r *Record) Complete(goals []int) error {
	switch {
	case r.IsCompleted || r.IsAborted:
		return recordError("the match is over")
	case len(r.States) == 0:
		return recordError("goals before the initial state")
	case len(goals) != len(r.GameRoleNames):
		return recordError("%d goals for %d roles", len(goals), len(r.GameRoleNames))
	}
	r.IsCompleted = true
	r.GoalValues = append([]int{}, goals...)
	return nil
}

// Abort records that the match is not going to be finished.
func (r *Record) Abort() error {
	if r.IsCompleted {
		return recordError("the match is over")
	}
	r.IsAborted = true
	return nil
}

// MarshalJSON writes the record with the keys of the schema, and comments if there are some:
// no null and no other key; goals only when completed, and no empty signature.
func (r *Record) MarshalJSON() ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	type plain Record // without this method
	p := plain(*r)
	p.GameRoleNames = present(p.GameRoleNames)
	p.States = present(p.States)
	p.Moves = present(p.Moves)
	p.StateTimes = present(p.StateTimes)
	p.Errors = present(p.Errors)
	p.PlayerNames = present(p.PlayerNames)
	p.IsPlayerHuman = present(p.IsPlayerHuman)
	return json.Marshal(p)
}

// present makes an empty slice of nil, which would be written as null.
func present[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Validate checks that the parts of a record fit together.
func (r *Record) Validate() error {
	n, turns := len(r.GameRoleNames), len(r.Moves)
	switch {
	case r.MatchID == "":
		return recordError("no matchId")
	case turns > 0 && len(r.States) != turns+1:
		return recordError("%d states for %d turns", len(r.States), turns)
	case len(r.States) > turns+1:
		return recordError("%d states for %d turns", len(r.States), turns)
	case len(r.StateTimes) != len(r.States):
		return recordError("%d stateTimes for %d states", len(r.StateTimes), len(r.States))
	case len(r.Comments) > turns:
		return recordError("%d rows of comments for %d turns", len(r.Comments), turns)
	case len(r.Errors) != turns:
		return recordError("%d rows of errors for %d turns", len(r.Errors), turns)
	case r.IsCompleted && r.IsAborted:
		return recordError("both completed and aborted")
	case r.IsCompleted != (len(r.GoalValues) > 0):
		return recordError("goalValues belong to a completed match, and to no other")
	case r.IsCompleted && len(r.GoalValues) != n:
		return recordError("%d goalValues for %d roles", len(r.GoalValues), n)
	case len(r.PlayerNames) != 0 && len(r.PlayerNames) != n:
		return recordError("%d player names for %d roles", len(r.PlayerNames), n)
	case len(r.IsPlayerHuman) != 0 && len(r.IsPlayerHuman) != n:
		return recordError("%d isPlayerHuman for %d roles", len(r.IsPlayerHuman), n)
	}
	for i := range r.Moves {
		if len(r.Moves[i]) != n || len(r.Errors[i]) != n {
			return recordError("turn %d has %d moves and %d errors for %d roles", i+1, len(r.Moves[i]), len(r.Errors[i]), n)
		}
	}
	for _, g := range r.GoalValues {
		if g < 0 || g > 100 {
			return recordError("the goal %d is not within 0..100", g)
		}
	}
	return nil
}

func recordError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrRecord}, args...)...)
}
