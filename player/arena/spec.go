// Package arena plays many matches and tells what they show: experiments that
// compare agents with baselines over a set of games, their statistics, and the
// database that keeps the results. The matches are played in one process, or,
// where players of others take part or each side has cores of its own, between processes.
package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"semisplit/internal/strictjson"
	"semisplit/player/agent"
)

// Spec is the content of an experiment's file: agents against baselines over
// games, in one or more settings.
type Spec struct {
	Name        string       `json:"name"`
	Description string       `json:"description,omitempty"`
	Games       []GameEntry  `json:"games"`
	Agents      []AgentEntry `json:"agents"`
	Baselines   []AgentEntry `json:"baselines"`
	Settings    []Setting    `json:"settings"`
	Plays       int          `json:"plays"`              // of a game, agent, baseline and setting; a whole number of sets is played
	Seed        uint64       `json:"seed,omitempty"`     // of everything random
	Opening     int          `json:"opening,omitempty"`  // random joint moves at the start, the same in all plays of a set
	SPRT        *SPRT        `json:"sprt,omitempty"`     // ends series early
	Turns       int          `json:"turns,omitempty"`    // a longer match has failed; 0: DefaultTurns
	Parallel    int          `json:"parallel,omitempty"` // matches at once; 0: as Plan.Parallel says
	// Cores are those of each side. Plays are then matches over HTTP, with a
	// process for each seat. 0: they are not, unless a player of others takes
	// part, which means 1.
	Cores int `json:"cores,omitempty"`
	// PeerFaults are the turns in which a player of others may be at fault; a
	// play with more is left out. nil: DefaultPeerFaults.
	PeerFaults *int          `json:"peer_faults,omitempty"`
	Full       *FullSettings `json:"full,omitempty"`
	// Paper are win rates of a paper, to stand beside ours in reports.
	Paper []PaperFigure `json:"paper,omitempty"`
}

// FullSettings replace those of the Spec in a full run.
type FullSettings struct {
	Games    []GameEntry  `json:"games,omitempty"`
	Agents   []AgentEntry `json:"agents,omitempty"`
	Settings []Setting    `json:"settings,omitempty"`
	Plays    int          `json:"plays,omitempty"`
}

// GameEntry is a game of a Spec: a bundled name or a path, or an object with
// a label. Paths are relative to the spec's folder; variables of the
// environment ($NAME) are replaced.
type GameEntry struct {
	Game  string `json:"game"`
	Label string `json:"label,omitempty"` // in tables; the game's name
}

// AgentEntry is an agent of a Spec: the name of a preset or a path, or an
// object that changes it as well; or a player of others, which has a Name and
// no Agent.
type AgentEntry struct {
	Agent string         `json:"agent,omitempty"`
	Label string         `json:"label,omitempty"` // in tables; the agent's name
	Set   map[string]any `json:"set,omitempty"`   // keys of the agent file, with dots, and their values
	Vary  *Vary          `json:"vary,omitempty"`  // an agent for each value

	Name string `json:"name,omitempty"` // of a player of others, in tables too
	Peer        // how it is reached; it may be left to Spec.Give
}

// Peer is a player of others, which speaks the protocol: at an address, or
// started by a command for each match.
type Peer struct {
	URL     string   `json:"url,omitempty"`
	Command []string `json:"command,omitempty"` // the program, its arguments, and peer.Port among them

	dir string // that the command runs in
}

// Vary stands for one agent for each value of a key.
type Vary struct {
	Key    string `json:"key"`
	Values []any  `json:"values"`
}

// Setting says how long the agents think. But over HTTP, every play is on one goroutine, the
// brains one after the other; nobody thinks in another's turn.
type Setting struct {
	// Kind is "timed": Seconds of wall time for each move; "fixed": a number
	// of nodal states for each move, either States or as many as the baseline
	// plays in Seconds in the first turn; or "iterations".
	Kind    string  `json:"kind"`
	Seconds float64 `json:"seconds,omitempty"`
	// Start is for timed: seconds to think before the first move.
	Start float64 `json:"start,omitempty"`
	// Measure is for fixed: the seconds in which the baseline's speed is
	// measured, once for each game; 0: ten times Seconds, at most 10 s.
	Measure    float64 `json:"measure,omitempty"`
	States     int     `json:"states,omitempty"`
	Iterations int     `json:"iterations,omitempty"`
	// Choose is for agents that are chosen automatically: the seconds that the
	// choice may take, once for each game. 0: DefaultChoose.
	Choose float64 `json:"choose,omitempty"`
}

// DefaultChoose is the time of an automatic choice, in seconds.
const DefaultChoose = 16

// Kinds of settings.
const (
	Timed      = "timed"
	Fixed      = "fixed"
	Iterations = "iterations"
)

// Limits of a spec.
const (
	maxSpecBytes = 1 << 20
	maxEntries   = 1000 // games, agents, baselines, settings: of each
	maxPlays     = 1e6
	maxSeconds   = 3600.0
	maxCount     = 1e12 // states or iterations
	maxOpening   = 1000
	maxTurns     = 1e6
	maxParallel  = 1024
)

// DefaultTurns is the number of joint moves after which a match counts as
// failed.
const DefaultTurns = 2000

// LoadSpec reads a spec from a file. dir is the folder that its paths are
// relative to.
func LoadSpec(path string) (spec Spec, dir string, err error) {
	spec, err = strictjson.ReadFile(path, "spec", ReadSpec)
	return spec, filepath.Dir(path), err
}

// ReadSpec reads a spec from JSON and checks it, as far as that is possible
// without the games and agents that it names. A key that does not exist is an
// error which names the one that is likely meant.
func ReadSpec(r io.Reader) (Spec, error) {
	var s Spec
	if err := strictjson.Read(r, maxSpecBytes, "spec", &s); err != nil {
		return Spec{}, err
	}
	return s, s.Check()
}

// FullRun is the spec with its full settings.
func (s Spec) FullRun() (Spec, error) {
	full := s.Full
	if full == nil {
		return s, errors.New(`the spec has no "full" settings`)
	}
	if len(full.Games) > 0 {
		s.Games = full.Games
	}
	if len(full.Agents) > 0 {
		s.Agents = full.Agents
	}
	if len(full.Settings) > 0 {
		s.Settings = full.Settings
	}
	if full.Plays > 0 {
		s.Plays = full.Plays
	}
	s.Full = nil
	return s, s.Check()
}

// Check checks a spec as far as that is possible without its games and agents, and
// puts defaults in.
func (s *Spec) Check() error {
	if s.Name == "" || strings.ContainsAny(s.Name, "/\\\x00\n") || strings.HasPrefix(s.Name, ".") {
		return fmt.Errorf("name: %q is no name for the files of an experiment", s.Name)
	}
	for _, list := range []struct {
		key string
		n   int
	}{{"games", len(s.Games)}, {"agents", len(s.Agents)}, {"baselines", len(s.Baselines)}, {"settings", len(s.Settings)}} {
		if list.n == 0 || list.n > maxEntries {
			return fmt.Errorf("%s: there are %d; 1 to %d are needed", list.key, list.n, maxEntries)
		}
	}
	if s.Turns == 0 {
		s.Turns = DefaultTurns
	}
	for _, number := range []struct {
		key         string
		n           int
		least, most float64
	}{
		{"plays", s.Plays, 1, maxPlays}, {"opening", s.Opening, 0, maxOpening},
		{"turns", s.Turns, 1, maxTurns}, {"parallel", s.Parallel, 0, maxParallel}, {"cores", s.Cores, 0, agent.MostThreads},
	} {
		if n := float64(number.n); n < number.least || n > number.most {
			return fmt.Errorf("%s: %d is not between %.0f and %.0f", number.key, number.n, number.least, number.most)
		}
	}
	for i := range s.Settings {
		if err := s.Settings[i].Check(); err != nil {
			return fmt.Errorf("settings[%d]: %w", i, err)
		}
	}
	for _, a := range slices.Concat(s.Agents, s.Baselines) {
		if err := a.Check(); err != nil {
			return err
		}
	}
	if err := s.checkHTTP(); err != nil {
		return err
	}
	if s.SPRT != nil {
		test := *s.SPRT
		if err := test.settle(); err != nil {
			return err
		}
		s.SPRT = &test
	}
	if s.Full != nil && s.Full.Plays < 0 {
		return fmt.Errorf("full.plays: %d is negative", s.Full.Plays)
	}
	return nil
}

// Check checks an entry, as far as that is possible without the agent.
func (a AgentEntry) Check() error {
	if a.Vary != nil && (a.Vary.Key == "" || len(a.Vary.Values) == 0 || len(a.Vary.Values) > maxEntries) {
		return fmt.Errorf("agent %s: vary needs a key, and 1 to %d values", a.Agent, maxEntries)
	}
	switch isPeer := a.Name != ""; {
	case isPeer == (a.Agent != ""):
		return errors.New(`an entry of agents or baselines has either "agent", or the "name" of a player of others`)
	case !isPeer && (a.URL != "" || a.Command != nil):
		return fmt.Errorf(`agent %s: "url" and "command" are for players of others, which have a "name" and no "agent"`, a.Agent)
	case isPeer && (a.Label != "" || a.Set != nil || a.Vary != nil):
		return fmt.Errorf(`player %s: "label", "set" and "vary" are for agents`, a.Name)
	case a.URL != "" && a.Command != nil:
		return fmt.Errorf(`player %s has both "url" and "command"`, a.Name)
	}
	return nil
}

// Check checks a setting, and puts defaults in.
func (s *Setting) Check() error {
	for _, seconds := range []float64{s.Seconds, s.Start, s.Measure, s.Choose} {
		if !(seconds >= 0 && seconds <= maxSeconds) {
			return fmt.Errorf("%v is not between 0 and %v seconds", seconds, maxSeconds)
		}
	}
	for _, n := range []int{s.States, s.Iterations} {
		if n < 0 || float64(n) > maxCount {
			return fmt.Errorf("%d is not between 0 and %.0f", n, maxCount)
		}
	}
	timed, fixed, iterations := *s, *s, *s
	timed.Choose, fixed.Choose, iterations.Choose = 0, 0, 0
	timed.Kind, timed.Seconds, timed.Start = "", 0, 0
	fixed.Kind, fixed.Seconds, fixed.Measure, fixed.States = "", 0, 0, 0
	iterations.Kind, iterations.Iterations = "", 0
	none := Setting{}
	switch s.Kind {
	case Timed:
		if s.Seconds == 0 || timed != none {
			return errors.New(`a timed setting has "seconds" above 0 for each move, and may have "start"`)
		}
	case Fixed:
		if (s.Seconds == 0) == (s.States == 0) || fixed != none || s.States > 0 && s.Measure > 0 {
			return errors.New(`a fixed setting has either "states" for each move, or "seconds" in which the baseline plays them, and may then have "measure"`)
		}
		if s.Seconds > 0 && s.Measure == 0 {
			s.Measure = max(s.Seconds, min(10*s.Seconds, 10))
		}
	case Iterations:
		if s.Iterations == 0 || iterations != none {
			return errors.New(`a setting by iterations has "iterations" above 0 for each move`)
		}
	default:
		return fmt.Errorf("kind: %q is unknown; there are %q, %q and %q", s.Kind, Timed, Fixed, Iterations)
	}
	return nil
}

// Label names the setting in tables; different settings have different labels.
func (s Setting) Label() string {
	switch {
	case s.Kind == Iterations:
		return fmt.Sprintf("%d iterations", s.Iterations)
	case s.States > 0:
		return fmt.Sprintf("%d states", s.States)
	case s.Kind == Fixed:
		return fmt.Sprintf("states of %v s", s.Seconds)
	case s.Start > 0:
		return fmt.Sprintf("%v s, start %v s", s.Seconds, s.Start)
	}
	return fmt.Sprintf("%v s", s.Seconds)
}

// UnmarshalJSON reads a name or an object.
func (g *GameEntry) UnmarshalJSON(text []byte) error {
	type plain GameEntry
	return nameOr(text, &g.Game, (*plain)(g))
}

// UnmarshalJSON reads a name or an object.
func (a *AgentEntry) UnmarshalJSON(text []byte) error {
	type plain AgentEntry
	return nameOr(text, &a.Agent, (*plain)(a))
}

func nameOr(text []byte, name *string, object any) error {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte(`"`)) {
		return json.Unmarshal(text, name)
	}
	return json.Unmarshal(text, object)
}
