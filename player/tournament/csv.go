package tournament

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"semisplit/internal/printable"
)

// StandingsCSV writes a line for each player.
func (r *Report) StandingsCSV(w io.Writer) error {
	s := r.Standings
	rows := [][]string{{"place", "player", "elo", "low", "high", "points", "contests", "wins", "draws", "losses", "forfeits", "buchholz", "late", "lost", "illegal", "absent", "moves", "seconds"}}
	for place, who := range s.Order {
		l := s.Lines[who]
		rows = append(rows, []string{
			strconv.Itoa(place + 1), plainField(s.Labels[who]), number(l.Rating.Elo), number(l.Rating.Low), number(l.Rating.High),
			number(l.Points), strconv.Itoa(l.Contests), strconv.Itoa(l.Wins), strconv.Itoa(l.Draws), strconv.Itoa(l.Losses), strconv.Itoa(l.Forfeits), number(l.Buchholz),
			strconv.Itoa(l.Faults.Late), strconv.Itoa(l.Faults.Lost), strconv.Itoa(l.Faults.Illegal), strconv.Itoa(l.Absent),
			strconv.Itoa(l.Effort.Moves), number(l.Effort.Time.Seconds()),
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
			m.ID, strconv.Itoa(m.Round), plainField(m.Game), plainField(strings.Join(seats, "; ")), strings.Join(goals, "; "), m.Ended,
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
