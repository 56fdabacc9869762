// Package tournament lets players meet over games, and tells how strong they are: who
// meets whom, the matches, the database that keeps them, standings and ratings.
package tournament

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"semisplit/internal/strictjson"
	"semisplit/player/arena"
)

// Spec is the content of a tournament's file.
type Spec struct {
	Name        string             `json:"name"`
	Description string             `json:"description,omitempty"`
	Players     []arena.AgentEntry `json:"players"`
	Games       []arena.GameEntry  `json:"games"`
	Format      string             `json:"format,omitempty"` // RoundRobin, Swiss or Telling; "": RoundRobin
	Rounds      int                `json:"rounds"`
	Setting     arena.Setting      `json:"setting"`        // how long agents think; timed where a player of others takes part
	Seed        uint64             `json:"seed,omitempty"` // of everything random
	Opening     Opening            `json:"opening,omitzero"`
	Adjudicate  Adjudicate         `json:"adjudicate,omitzero"`
	Turns       int                `json:"turns,omitempty"` // a longer match has failed; 0: arena.DefaultTurns
	// Faults are the turns of a match in which a player may be at fault; with more it
	// forfeits the match. nil: arena.DefaultPeerFaults.
	Faults *int `json:"faults,omitempty"`
	// Precision ends a tournament of the format Telling when every interval of a rating
	// reaches at most so many points to either side. 0: all rounds are played.
	Precision float64 `json:"precision,omitempty"`
	// Clocks says who plays matches with clocks where there are workers of several
	// speeds: "alike" or "scaled", see package jobs. "": alike.
	Clocks string `json:"clocks,omitempty"`
}

// Formats of tournaments.
const (
	RoundRobin = "round robin" // everybody meets everybody in every round
	Swiss      = "swiss"       // in each round those meet who stand next to each other
	Telling    = "rating"      // in each round those meet whose match tells most about the ratings
)

// Clocks of a Spec.
const (
	ClocksAlike  = "alike"
	ClocksScaled = "scaled"
)

// Opening says how matches begin. All matches of the same players in a round and game
// begin alike.
type Opening struct {
	Plies int               `json:"plies,omitempty"` // random joint moves
	Books map[string]string `json:"books,omitempty"` // files of lines by the label of the game: see ReadBook
}

// Adjudicate says which matches end before their rules end them.
type Adjudicate struct {
	Proof  bool `json:"proof,omitempty"`  // with the goals that the search of an agent has proven
	Length int  `json:"length,omitempty"` // level after so many joint moves; 0: never
}

// Limits of a spec.
const (
	maxSpecBytes = 1 << 20
	maxPlayers   = 1000
	maxGames     = 1000
	maxRounds    = 100_000
	maxTurns     = 1_000_000
	maxPlies     = 1000
)

// LoadSpec reads a spec from a file. dir is the folder that its paths are relative to.
func LoadSpec(path string) (spec Spec, dir string, err error) {
	spec, err = strictjson.ReadFile(path, "tournament", ReadSpec)
	return spec, filepath.Dir(path), err
}

// ReadSpec reads a spec from JSON and checks it, as far as that is possible without the
// games and players that it names.
func ReadSpec(r io.Reader) (Spec, error) {
	var s Spec
	if err := strictjson.Read(r, maxSpecBytes, "tournament", &s); err != nil {
		return Spec{}, err
	}
	return s, s.Check()
}

// Check checks a spec, and puts defaults in.
func (s *Spec) Check() error {
	if s.Name == "" || strings.ContainsAny(s.Name, "/\\\x00\n") || strings.HasPrefix(s.Name, ".") {
		return fmt.Errorf("name: %q is no name for the files of a tournament", s.Name)
	}
	if s.Format == "" {
		s.Format = RoundRobin
	}
	if s.Clocks == "" {
		s.Clocks = ClocksAlike
	}
	if s.Turns == 0 {
		s.Turns = arena.DefaultTurns
	}
	if s.Faults == nil {
		s.Faults = new(int)
		*s.Faults = arena.DefaultPeerFaults
	}
	for _, text := range []struct {
		key, value string
		known      []string
	}{{"format", s.Format, []string{RoundRobin, Swiss, Telling}}, {"clocks", s.Clocks, []string{ClocksAlike, ClocksScaled}}} {
		if !slices.Contains(text.known, text.value) {
			return fmt.Errorf("%s: %q is none of %s", text.key, text.value, strings.Join(text.known, ", "))
		}
	}
	for _, number := range []struct {
		key            string
		n, least, most int
	}{
		{"players", len(s.Players), 1, maxPlayers}, {"games", len(s.Games), 1, maxGames}, {"rounds", s.Rounds, 1, maxRounds},
		{"turns", s.Turns, 1, maxTurns}, {"opening.plies", s.Opening.Plies, 0, maxPlies}, {"adjudicate.length", s.Adjudicate.Length, 0, maxTurns},
		{"faults", *s.Faults, 0, maxTurns},
	} {
		if number.n < number.least || number.n > number.most {
			return fmt.Errorf("%s: %d is not between %d and %d", number.key, number.n, number.least, number.most)
		}
	}
	if !(s.Precision >= 0 && s.Precision < 1e4) || s.Precision > 0 && s.Format != Telling {
		return fmt.Errorf("precision: points of Elo, for the format %q alone", Telling)
	}
	for _, p := range s.Players {
		if err := p.Check(); err != nil {
			return err
		}
	}
	return s.checkSetting()
}

func (s *Spec) checkSetting() error {
	if err := s.Setting.Check(); err != nil {
		return fmt.Errorf("setting: %w", err)
	}
	if s.Setting.Kind == arena.Fixed && s.Setting.States == 0 {
		return errors.New(`setting: a tournament has no baseline whose speed could be measured: say "states"`)
	}
	if !slices.ContainsFunc(s.Players, func(a arena.AgentEntry) bool { return a.Name != "" }) {
		return nil
	}
	if s.Setting.Kind != arena.Timed || s.Setting.Start == 0 {
		return errors.New(`setting: players of others have clocks: kind "timed", "seconds" for each move and "start" for the first`)
	}
	if s.Setting.Seconds != math.Trunc(s.Setting.Seconds) || s.Setting.Start != math.Trunc(s.Setting.Start) {
		return errors.New("setting: most players of others read clocks in whole seconds")
	}
	return nil
}
