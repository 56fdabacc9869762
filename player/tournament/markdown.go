package tournament

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"semisplit/internal/words"
	"semisplit/player/arena"
	"semisplit/player/rating"
)

// Markdown writes the report. charts are files beside it.
func (r *Report) Markdown(w io.Writer, charts []string) error {
	b := bufio.NewWriter(w)
	s := r.Standings
	fmt.Fprintf(b, "# %s\n\n", plain(r.Name))
	if r.Description != "" {
		fmt.Fprintf(b, "%s\n\n", plain(r.Description))
	}
	fmt.Fprintf(b, "%s. %s a move, %s. Seed %d.", plain(strings.ToUpper(r.Format[:min(1, len(r.Format))])+r.Format[min(1, len(r.Format)):]),
		plain(r.Setting.Label()), words.Count(s.Matches, "match", "matches"), r.Seed)
	which := "Matches"
	if len(r.Books) > 0 {
		fmt.Fprintf(b, " Matches of %s begin with lines of a book.", plain(strings.Join(r.Books, ", ")))
		which = "Others"
	}
	if r.Opening > 0 {
		fmt.Fprintf(b, " %s begin with %s.", which, words.Count(r.Opening, "random joint move", "random joint moves"))
	}
	fmt.Fprintf(b, " %d failed, %d by forfeit, %d ended by proof, %d by length.\n\n", s.Failed, s.Forfeits, s.ByProof, s.ByLength)

	fmt.Fprint(b, "## Standings\n\n| | player | Elo | points | of | + = - | Buchholz | at fault | s a move |\n|---:|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for place, who := range s.Order {
		l := s.Lines[who]
		fmt.Fprintf(b, "| %d | %s | %s | %.1f | %d | %d %d %d | %.1f | %s | %s |\n", place+1, plain(s.Labels[who]), Elo(l.Rating),
			l.Points, l.Contests, l.Wins, l.Draws, l.Losses, l.Buchholz, Faults(l), perMove(l))
	}
	fmt.Fprintf(b, "\nElo is that of Bradley and Terry's model with draws, by maximum likelihood, with %.0f%% intervals; the mean is %.0f.", 100*rating.Level, rating.Mean)
	fmt.Fprint(b, " Forfeits are no part of it. At fault are turns: late, lost, illegal, and seats on which the player was absent at the start.\n")
	if held := s.Held || slices.ContainsFunc(s.Games, func(g GameStandings) bool { return g.Held }); held {
		fmt.Fprint(b, "\nThe results alone leave a rating without bounds: each player was given half a win and half a loss against a mean one. Such ratings have a star.\n")
	}
	fmt.Fprint(b, "\n## Cross-table\n\n| |")
	for place := range s.Order {
		fmt.Fprintf(b, " %d |", place+1)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---:|", len(s.Order)))
	for place, who := range s.Order {
		fmt.Fprintf(b, "| %d %s |", place+1, plain(s.Labels[who]))
		for _, other := range s.Order {
			c := s.Cross[who][other]
			if c.Contests == 0 {
				fmt.Fprint(b, " |")
				continue
			}
			fmt.Fprintf(b, " %.1f/%d |", c.Points, c.Contests)
		}
		fmt.Fprintln(b)
	}
	fmt.Fprint(b, "\n## By game\n\n| player |")
	for _, g := range s.Games {
		fmt.Fprintf(b, " %s |", plain(g.Game))
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---:|", len(s.Games)))
	for _, who := range s.Order {
		fmt.Fprintf(b, "| %s |", plain(s.Labels[who]))
		for _, g := range s.Games {
			fmt.Fprintf(b, " %s, %s |", share(g.Lines[who]), Elo(g.Lines[who].Rating))
		}
		fmt.Fprintln(b)
	}
	for _, file := range charts {
		fmt.Fprintf(b, "\n![](%s)\n", arena.LinkTarget(file))
	}
	r.failures(b)
	return b.Flush()
}

// mostFailures are told of in a report.
const mostFailures = 50

func (r *Report) failures(b *bufio.Writer) {
	told := 0
	for _, m := range r.Matches {
		if m.Error == "" {
			continue
		}
		if told == 0 {
			fmt.Fprint(b, "\n## Failed matches\n\n")
		}
		if told++; told > mostFailures {
			fmt.Fprint(b, "- and others\n")
			return
		}
		line, _, _ := strings.Cut(m.Error, "\n")
		fmt.Fprintf(b, "- %s, %s: %s\n", plain(m.ID), plain(m.Game), plain(line))
	}
}

func plain(text string) string { return arena.PlainMarkdown(text) }

// Elo spells a rating with its interval.
func Elo(r rating.Rating) string {
	star := ""
	if r.Open {
		star = "*"
	}
	if math.IsInf(r.SE, 0) {
		return "unrated"
	}
	return fmt.Sprintf("%.0f%s (%.0f to %.0f)", r.Elo, star, r.Low, r.High)
}

// Faults spells what went wrong; "" for nothing.
func Faults(l Line) string {
	var parts []string
	for _, part := range []struct {
		n    int
		name string
	}{{l.Faults.Late, "late"}, {l.Faults.Lost, "lost"}, {l.Faults.Illegal, "illegal"}, {l.Absent, "absent"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.name))
		}
	}
	return strings.Join(parts, ", ")
}

func perMove(l Line) string {
	if l.Effort.Moves == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", l.Effort.Time.Seconds()/float64(l.Effort.Moves))
}

// share spells points in percent.
func share(l Line) string {
	if l.Contests == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*l.Share())
}
