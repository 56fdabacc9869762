package main

import (
	"errors"
	"fmt"
	"slices"

	"semisplit/ggp/internal/console"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/player/referee"
)

// jsonFlag says for whom the result of a match is.
type jsonFlag struct {
	JSON bool `name:"json" help:"Print the result only, as one JSON object."`
}

// matchResult is how a match ended, for programs.
type matchResult struct {
	Game      string         `json:"game"`
	Match     string         `json:"match"`
	Steps     int            `json:"steps"`
	Completed bool           `json:"completed"`        // it came to its end by the rules
	Reason    string         `json:"reason,omitempty"` // why it did not
	Roles     []playerResult `json:"roles"`
}

// playerResult is how it ended for a role. The goal, from 0 to 100, is that of the
// last state.
type playerResult struct {
	Role    string  `json:"role"`
	Player  string  `json:"player"`
	Goal    int     `json:"goal"`
	Faults  int     `json:"faults"`
	Slowest float64 `json:"slowest_seconds"`
	Failed  string  `json:"failed,omitempty"`
}

// tellResult prints how a match ended; err is why it did not come to its end.
func tellResult(s *console.Session, flags jsonFlag, game string, roles []string, r referee.Result, err error) error {
	if flags.JSON {
		return jsonResult(s, game, roles, r, err)
	}
	if err != nil || r.Aborted {
		return nil
	}
	fmt.Fprintf(s.Out, "ended after %s:", words.Count(r.Steps, "step", "steps"))
	faults := 0
	for i, role := range roles {
		fmt.Fprintf(s.Out, " %s %d", printable.Text(role, printable.LogLimit), r.Goals[i])
		faults += r.FaultCount(i)
	}
	fmt.Fprintf(s.Out, " (%s, slowest reply %.2f s)\n", words.Count(faults, "fault", "faults"), slices.Max(r.Slowest).Seconds())
	return nil
}

func jsonResult(s *console.Session, game string, roles []string, r referee.Result, err error) error {
	if errors.Is(err, referee.ErrStart) || r.Record == nil {
		return nil // there was no match
	}
	told := matchResult{Game: game, Match: r.Record.MatchID, Steps: r.Steps, Completed: !r.Aborted, Reason: r.Reason}
	for i, role := range roles {
		one := playerResult{Role: role, Player: r.Record.PlayerNames[i], Goal: r.Goals[i], Faults: r.FaultCount(i), Slowest: r.Slowest[i].Seconds()}
		if r.Failed[i] != nil {
			one.Failed = r.Failed[i].Error()
		}
		told.Roles = append(told.Roles, one)
	}
	return s.JSON(told)
}
