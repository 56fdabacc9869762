// Package page shows a tournament to people in a browser: as data, and as one HTML
// file that needs nothing else.
package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"semisplit/ggp/board"
	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/player/tournament"
	"semisplit/protocol"
)

// Page is a tournament as a page shows it. All texts of others are fit to be shown.
type Page struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	About       string   `json:"about"` // format and setting
	Rows        []Row    `json:"rows"`  // the best first
	Games       []string `json:"games"`
	Matches     []Match  `json:"matches"`
	LeftOut     int      `json:"leftOut"` // matches whose moves did not fit
	Held        bool     `json:"held"`    // some ratings rest on more than results
}

// Row is a player in the standings.
type Row struct {
	Player   int      `json:"player"`
	Label    string   `json:"label"`
	Elo      string   `json:"elo"`
	Points   float64  `json:"points"`
	Contests int      `json:"contests"`
	Wins     int      `json:"wins"`
	Draws    int      `json:"draws"`
	Losses   int      `json:"losses"`
	Faults   string   `json:"faults"`
	Games    []string `json:"games"` // the part of the points, in the order of the page's games
	Cross    []string `json:"cross"` // against the players in the order of the rows; "": they have not met
}

// Match is a match of the tournament.
type Match struct {
	ID      string   `json:"id"`
	Round   int      `json:"round"`
	Game    string   `json:"game"`
	Players []int    `json:"players"` // who met
	Seats   []string `json:"seats"`   // by role
	Goals   []int    `json:"goals"`
	Ended   string   `json:"ended"`
	Steps   int      `json:"steps"`
	Error   string   `json:"error,omitempty"`
	Moves   string   `json:"moves,omitempty"` // Steps as JSON, compressed by gzip, in base64
}

// Step is a state of a match and how it was reached.
type Step struct {
	Moves []string `json:"moves"` // by role; none in the initial state
	Board string   `json:"board"`
	Notes []string `json:"notes,omitempty"` // what was thought, and what went wrong
}

// Source is where a page has a match from.
type Source interface {
	Record(id string) (record, thoughts []byte, err error)
}

const (
	// maxMoves bounds the moves of all matches of a page, in bytes of base64.
	maxMoves = 24 << 20
	shown    = 200 // bytes of a text
)

// Of makes the page of a report. drawing says how a game wants to be drawn; it may be
// nil, and so may what it gives.
func Of(r *tournament.Report, source Source, drawing func(game string) *board.Drawing) (*Page, error) {
	s := r.Standings
	p := &Page{
		Name: printable.Text(r.Name, shown), Description: printable.Text(r.Description, 10*shown), Held: s.Held,
		About: fmt.Sprintf("%s, %s a move, %d matches (%d failed, %d by forfeit, %d ended by proof, %d by length)", r.Format, r.Setting.Label(), s.Matches, s.Failed, s.Forfeits, s.ByProof, s.ByLength),
	}
	for _, g := range s.Games {
		p.Games = append(p.Games, printable.Text(g.Game, shown))
	}
	for _, who := range s.Order {
		p.Rows = append(p.Rows, row(s, who))
	}
	size := 0
	for _, m := range r.Matches {
		v := Match{ID: m.ID, Round: m.Round, Game: printable.Text(m.Game, shown), Players: m.Table, Goals: m.Goals, Ended: m.Ended, Steps: m.Steps}
		line, _, _ := strings.Cut(m.Error, "\n")
		v.Error = printable.Text(line, shown)
		for _, who := range m.Seats {
			label := "chance"
			if who >= 0 {
				label = s.Labels[who]
			}
			v.Seats = append(v.Seats, printable.Text(label, shown))
		}
		if size < maxMoves {
			steps, err := stepsOf(m.ID, source, drawing, m.Game)
			if err != nil {
				return nil, err
			}
			if v.Moves, err = packed(steps); err != nil {
				return nil, err
			}
			size += len(v.Moves)
		} else {
			p.LeftOut++
		}
		p.Matches = append(p.Matches, v)
	}
	return p, nil
}

func row(s *tournament.Standings, who int) Row {
	l := s.Lines[who]
	r := Row{
		Player: who, Label: printable.Text(s.Labels[who], shown), Elo: tournament.Elo(l.Rating), Points: l.Points, Contests: l.Contests,
		Wins: l.Wins, Draws: l.Draws, Losses: l.Losses, Faults: tournament.Faults(l),
	}
	for _, g := range s.Games {
		text := ""
		if own := g.Lines[who]; own.Contests > 0 {
			text = fmt.Sprintf("%.0f%%", 100*own.Share())
		}
		r.Games = append(r.Games, text)
	}
	for _, other := range s.Order {
		text := ""
		if c := s.Cross[who][other]; c.Contests > 0 {
			text = fmt.Sprintf("%.1f/%d", c.Points, c.Contests)
		}
		r.Cross = append(r.Cross, text)
	}
	return r
}

// stepsOf draws the states of a match; none where it has no record.
func stepsOf(id string, source Source, drawing func(string) *board.Drawing, game string) ([]Step, error) {
	text, thoughts, err := source.Record(id)
	if err != nil || text == nil {
		return nil, err
	}
	record, err := protocol.ParseRecord(text)
	if err != nil {
		return nil, fmt.Errorf("match %s: %w", id, err)
	}
	var thought [][]tournament.Thought
	if thoughts != nil {
		if err := json.Unmarshal(thoughts, &thought); err != nil {
			return nil, fmt.Errorf("match %s: %w", id, err)
		}
	}
	options := board.Options{Symbols: true}
	if drawing != nil {
		options.Drawing = drawing(game)
	}
	var steps []Step
	for i := range record.States {
		state, err := kif.ParseTerm(record.States[i])
		if err != nil || !state.IsList() {
			return nil, fmt.Errorf("match %s: the state after %d steps cannot be read: %v", id, i, err)
		}
		if i == 0 {
			options.Frame = state.Items
		}
		var drawn bytes.Buffer
		board.Draw(&drawn, state.Items, options)
		step := Step{Board: printable.Lines(drawn.String())}
		if i > 0 {
			for _, move := range record.Moves[i-1] {
				step.Moves = append(step.Moves, printable.Text(move, shown))
			}
			if i-1 < len(thought) {
				for _, t := range thought[i-1] {
					step.Notes = append(step.Notes, note(record, t))
				}
			}
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// note is a thought in a line.
func note(record *protocol.Record, t tournament.Thought) string {
	role := fmt.Sprint("role ", t.Role)
	if t.Role >= 0 && t.Role < len(record.GameRoleNames) {
		role = record.GameRoleNames[t.Role]
	}
	parts := []string{role + ":"}
	if t.Fault != "" {
		parts = append(parts, "FAULT "+t.Fault+", a random move was played")
	}
	if t.Iterations > 0 {
		parts = append(parts, fmt.Sprintf("%d iterations,", t.Iterations))
	}
	if t.Fault == "" {
		parts = append(parts, (time.Duration(t.Millis) * time.Millisecond).String())
	}
	if t.Role >= 0 && t.Role < len(t.Values) {
		parts = append(parts, fmt.Sprintf(", expects %.0f", 100*t.Values[t.Role]))
	}
	if t.Role >= 0 && t.Role < len(t.Low) && t.Role < len(t.High) {
		parts = append(parts, fmt.Sprintf("within %.0f to %.0f", 100*t.Low[t.Role], 100*t.High[t.Role]))
	}
	if len(t.Line) > 0 {
		parts = append(parts, "by "+strings.Join(t.Line, " "))
	}
	return printable.Text(strings.ReplaceAll(strings.Join(parts, " "), " ,", ","), 3*shown)
}

// packed is a value as JSON, compressed, in base64.
func packed(steps []Step) (string, error) {
	if steps == nil {
		return "", nil
	}
	text, err := json.Marshal(steps)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
