package tournament

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"semisplit/internal/printable"
)

// Place is the line of a player in the standings, for programs. A rating is absent
// where there is none.
type Place struct {
	Place    int      `json:"place"`
	Player   string   `json:"player"`
	Elo      *float64 `json:"elo"`
	Low      *float64 `json:"low"` // of the 95% interval
	High     *float64 `json:"high"`
	Points   float64  `json:"points"`
	Contests int      `json:"contests"`
	Wins     int      `json:"wins"`
	Draws    int      `json:"draws"`
	Losses   int      `json:"losses"`
	Forfeits int      `json:"forfeits"`
	Buchholz float64  `json:"buchholz"`
	Late     int      `json:"late"` // turns, as the next two
	Lost     int      `json:"lost"`
	Illegal  int      `json:"illegal"`
	Absent   int      `json:"absent"` // seats
	Moves    int      `json:"moves"`
	Seconds  float64  `json:"seconds"` // of these moves together
}

// Places are the standings, the first place first.
func (r *Report) Places() []Place {
	s := r.Standings
	places := []Place{}
	for place, who := range s.Order {
		l := s.Lines[who]
		places = append(places, Place{
			Place: place + 1, Player: s.Labels[who], Elo: finite(l.Rating.Elo), Low: finite(l.Rating.Low), High: finite(l.Rating.High),
			Points: l.Points, Contests: l.Contests, Wins: l.Wins, Draws: l.Draws, Losses: l.Losses, Forfeits: l.Forfeits, Buchholz: l.Buchholz,
			Late: l.Faults.Late, Lost: l.Faults.Lost, Illegal: l.Faults.Illegal, Absent: l.Absent,
			Moves: l.Effort.Moves, Seconds: l.Effort.Time.Seconds(),
		})
	}
	return places
}

// Table is the standings and what they are of, for programs.
type Table struct {
	Name        string  `json:"name"`
	Description string  `json:"description,omitempty"`
	Matches     int     `json:"matches"`
	Standings   []Place `json:"standings"`
}

// Table is that of the report.
func (r *Report) Table() Table { return Table{r.Name, r.Description, len(r.Matches), r.Places()} }

// StandingsCSV writes a line for each player.
func (r *Report) StandingsCSV(w io.Writer) error {
	rows := [][]string{{"place", "player", "elo", "low", "high", "points", "contests", "wins", "draws", "losses", "forfeits", "buchholz", "late", "lost", "illegal", "absent", "moves", "seconds"}}
	for _, p := range r.Places() {
		rows = append(rows, []string{
			strconv.Itoa(p.Place), plainField(p.Player), optional(p.Elo), optional(p.Low), optional(p.High),
			number(p.Points), strconv.Itoa(p.Contests), strconv.Itoa(p.Wins), strconv.Itoa(p.Draws), strconv.Itoa(p.Losses), strconv.Itoa(p.Forfeits), number(p.Buchholz),
			strconv.Itoa(p.Late), strconv.Itoa(p.Lost), strconv.Itoa(p.Illegal), strconv.Itoa(p.Absent),
			strconv.Itoa(p.Moves), number(p.Seconds),
		})
	}
	return writeCSV(w, rows)
}

// MatchesCSV writes a line for each match.
func (r *Report) MatchesCSV(w io.Writer) error {
	rows := [][]string{{"id", "round", "game", "seats", "goals", "ended", "steps", "opening", "faults", "forfeited", "worker", "seconds", "error"}}
	for _, m := range r.Matches {
		var seats, goals, faults, forfeited []string
		for _, who := range m.Seats {
			seats = append(seats, r.seat(who))
		}
		for _, goal := range m.Goals {
			goals = append(goals, strconv.Itoa(goal))
		}
		for _, side := range m.Faults {
			faults = append(faults, strconv.Itoa(side.Turns()))
		}
		for _, who := range m.Forfeited {
			forfeited = append(forfeited, r.seat(who))
		}
		rows = append(rows, []string{
			plainField(m.ID), strconv.Itoa(m.Round), plainField(m.Game), plainField(strings.Join(seats, "; ")), strings.Join(goals, "; "), plainField(m.Ended),
			strconv.Itoa(m.Steps), strconv.Itoa(m.Opening), strings.Join(faults, "; "), plainField(strings.Join(forfeited, "; ")),
			plainField(m.Worker), number(m.Elapsed.Seconds()), plainField(m.Error),
		})
	}
	return writeCSV(w, rows)
}

// seat names who sits on one.
func (r *Report) seat(who int) string {
	if who == Chance {
		return "-"
	}
	return r.Players[who].Label
}

func writeCSV(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	if err := c.WriteAll(rows); err != nil {
		return err
	}
	return c.Error()
}

// maxField bounds a text of others in a field, in bytes.
const maxField = 500

// plainField is a text of others: without what steers a terminal, and so that no
// spreadsheet takes it for a formula.
func plainField(text string) string {
	text = printable.Text(text, maxField)
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) && text != "-" {
		return "'" + text
	}
	return text
}

func number(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.3f", x), ".000") }

func optional(x *float64) string {
	if x == nil {
		return ""
	}
	return number(*x)
}

// finite is nil for what is no number.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
