package tournament

import (
	"encoding/json"
	"fmt"
	"slices"

	"semisplit/player/arena"
)

// Report is what a database shows.
type Report struct {
	Name, Description string
	Format            string
	Setting           arena.Setting
	Seed              uint64
	Opening           int      // random joint moves at the start, where there is no book
	Books             []string // games whose matches begin with lines of a book
	Adjudicate        Adjudicate
	Games             []string
	Players           []Entrant
	Standings         *Standings
	Progress          []Stage
	Matches           []Played
}

// Entrant is a player of a Report.
type Entrant struct {
	Label string
	Agent json.RawMessage // its file; nil for a player of others
	Peer  *arena.Peer
}

// Stage is the ratings after some of the matches.
type Stage struct {
	Matches int
	Elo     []float64 // by player
}

// stages are how often ratings are fitted on the way.
const stages = 20

// Summarize reads a database.
func Summarize(s *Store) (*Report, error) {
	text, err := s.meta("identity")
	if err != nil {
		return nil, err
	}
	var id identity
	if err := json.Unmarshal([]byte(text), &id); err != nil {
		return nil, fmt.Errorf("the tournament in the database: %w", err)
	}
	r := &Report{Name: id.Name, Format: id.Format, Setting: id.Setting, Seed: id.Seed, Opening: id.Plies, Adjudicate: id.Adjudicate}
	if r.Description, err = s.meta("description"); err != nil {
		return nil, err
	}
	for _, g := range id.Games {
		r.Games = append(r.Games, g.Label)
		if len(g.Book) > 0 {
			r.Books = append(r.Books, g.Label)
		}
	}
	var labels []string
	for _, p := range id.Players {
		r.Players = append(r.Players, Entrant(p))
		labels = append(labels, p.Label)
	}
	if r.Matches, err = s.Matches(); err != nil {
		return nil, err
	}
	for _, m := range r.Matches {
		if m.Error == "" && (len(m.Goals) != len(m.Seats) || len(m.Table) < 2) {
			return nil, fmt.Errorf("the match %s in the database has %d goals for %d seats, of a table of %d", m.ID, len(m.Goals), len(m.Seats), len(m.Table))
		}
		for _, who := range slices.Concat(m.Table, m.Seats, m.Forfeited) {
			if who >= len(labels) || who < Chance {
				return nil, fmt.Errorf("the match %s in the database has a player %d", m.ID, who)
			}
		}
	}
	r.Standings = standings(labels, r.Matches)
	for stage := 1; stage <= stages; stage++ {
		n := len(r.Matches) * stage / stages
		if n == 0 || len(r.Progress) > 0 && r.Progress[len(r.Progress)-1].Matches == n {
			continue
		}
		lines, _ := lines(len(labels), contests(r.Matches[:n]), nil)
		elo := make([]float64, len(lines))
		for i, l := range lines {
			elo[i] = l.Rating.Elo
		}
		r.Progress = append(r.Progress, Stage{n, elo})
	}
	return r, nil
}
