package tournament

import (
	"cmp"
	"math"
	"slices"

	"semisplit/player/local"
	"semisplit/player/rating"
)

// Standings are what matches come to.
type Standings struct {
	Labels []string // of the players
	Order  []int    // players, the best first
	Lines  []Line   // by player
	Cross  [][]Cell // by player and opponent
	Games  []GameStandings
	Held   bool // of the ratings: see rating.Ratings

	Matches, Failed, Forfeits int
	ByProof, ByLength         int
}

// Line is what a player has done, in all games or in one.
type Line struct {
	Contests            int
	Points              float64 // of as many as there are contests: see Contest.Shares
	Wins, Draws, Losses int     // contests in which it came before all, or shared a place, or neither
	Forfeits            int
	Buchholz            float64 // the points of its opponents
	Rating              rating.Rating
	Faults              Side // turns; Absent says nothing here
	Absent              int  // seats on which it was not there at the start
	Effort              local.Effort
}

// Share is the part of the points that were to be had, in [0, 1].
func (l Line) Share() float64 { return l.Points / float64(max(1, l.Contests)) }

// Cell is what a player has done against another.
type Cell struct {
	Contests            int
	Points              float64
	Wins, Draws, Losses int
}

// GameStandings are those of one game.
type GameStandings struct {
	Game  string
	Lines []Line // by player
	Held  bool
}

// standings count matches. The order is that of the part of the points, then of the
// points of opponents, then of ratings.
func standings(labels []string, played []Played) *Standings {
	s := &Standings{Labels: labels, Cross: make([][]Cell, len(labels))}
	for i := range s.Cross {
		s.Cross[i] = make([]Cell, len(labels))
	}
	all := contests(played)
	s.Lines, s.Held = lines(len(labels), all, played)
	var games []string
	for _, m := range played {
		if !slices.Contains(games, m.Game) {
			games = append(games, m.Game)
		}
		s.Matches++
		switch {
		case m.Error != "":
			s.Failed++
		case m.Ended == ByForfeit:
			s.Forfeits++
		case m.Ended == ByProof:
			s.ByProof++
		case m.Ended == ByLength:
			s.ByLength++
		}
	}
	slices.Sort(games)
	for _, game := range games {
		own := slices.DeleteFunc(slices.Clone(all), func(c Contest) bool { return c.Game != game })
		ownPlayed := slices.DeleteFunc(slices.Clone(played), func(m Played) bool { return m.Game != game })
		g := GameStandings{Game: game}
		g.Lines, g.Held = lines(len(labels), own, ownPlayed)
		s.Games = append(s.Games, g)
	}
	for _, c := range all {
		for i, a := range c.Players {
			for j, b := range c.Players {
				if i != j {
					s.Cross[a][b].add(c.share(i, j))
				}
			}
		}
	}
	for i := range labels {
		s.Order = append(s.Order, i)
	}
	slices.SortStableFunc(s.Order, func(a, b int) int {
		x, y := s.Lines[a], s.Lines[b]
		return cmp.Or(cmp.Compare(y.Share(), x.Share()), cmp.Compare(y.Buchholz, x.Buchholz), cmp.Compare(y.Rating.Elo, x.Rating.Elo))
	})
	return s
}

func (c *Cell) add(share float64) {
	c.Contests++
	c.Points += share
	switch share {
	case 1:
		c.Wins++
	case 0:
		c.Losses++
	default:
		c.Draws++
	}
}

// lines are those of the players over contests and matches.
func lines(n int, list []Contest, played []Played) (lines []Line, held bool) {
	lines = make([]Line, n)
	for _, c := range list {
		best := slices.Max(c.Goals)
		leaders := 0
		for _, goal := range c.Goals {
			if goal == best {
				leaders++
			}
		}
		for i, share := range c.Shares() {
			l := &lines[c.Players[i]]
			l.Contests++
			l.Points += share
			switch {
			case c.Goals[i] == best && leaders == 1:
				l.Wins++
			case c.Goals[i] == best:
				l.Draws++
			default:
				l.Losses++
			}
			if c.Goals[i] < 0 {
				l.Forfeits++
			}
		}
	}
	for _, c := range list {
		for _, a := range c.Players {
			for _, b := range c.Players {
				if a != b {
					lines[a].Buchholz += lines[b].Share()
				}
			}
		}
	}
	for _, m := range played {
		for role, who := range m.Seats {
			if who == Chance || role >= len(m.Faults) || role >= len(m.Efforts) {
				continue
			}
			if m.Faults[role].Absent {
				lines[who].Absent++
			}
			lines[who].Faults.join(m.Faults[role])
			lines[who].Effort.Join(m.Efforts[role])
		}
	}
	ratings, err := rating.Fit(n, ranked(list))
	if err != nil { // more players at a table than a contest ranks, which the plan refuses
		for i := range lines {
			lines[i].Rating = rating.Rating{Elo: rating.Mean, Low: math.Inf(-1), High: math.Inf(1), SE: math.Inf(1), Open: true}
		}
		return lines, true
	}
	for i := range lines {
		lines[i].Rating = ratings.List[i]
	}
	return lines, ratings.Held
}
