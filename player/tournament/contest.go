package tournament

import (
	"cmp"
	"slices"

	"semisplit/player/rating"
)

// Contest is what came of a match, or of the matches of an encounter in a game for
// one: a ranking.
type Contest struct {
	ID      string // of the match or the encounter
	Round   int
	Game    string
	Players []int     // rising
	Goals   []float64 // of each: the mean of its seats; -1 for who forfeited
	Forfeit bool      // somebody did: it says nothing about strength
}

// Shares are the scores of the players, in [0, 1]: the part of the others that each
// came before, one half for who is level.
func (c Contest) Shares() []float64 {
	shares := make([]float64, len(c.Players))
	for i := range shares {
		for j := range shares {
			if i != j {
				shares[i] += c.share(i, j)
			}
		}
		shares[i] /= float64(len(shares) - 1)
	}
	return shares
}

// share is the score of the i-th player against the j-th.
func (c Contest) share(i, j int) float64 {
	return (1 + float64(cmp.Compare(c.Goals[i], c.Goals[j]))) / 2
}

// contests are those of matches, in the order of their rounds and names. What failed
// counts for nobody.
func contests(played []Played) (list []Contest) {
	groups := map[string][]Played{}
	for _, m := range played {
		if m.Error != "" {
			continue
		}
		id := m.ID
		sitting := slices.DeleteFunc(slices.Clone(m.Seats), func(who int) bool { return who == Chance })
		if len(m.Table) > 1 && len(sitting) == 1 {
			id = m.Encounter
		}
		groups[id] = append(groups[id], m)
	}
	for id, matches := range groups {
		if c, ok := contest(id, matches); ok {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b Contest) int { return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.ID, b.ID)) })
	return list
}

// contest is that of matches; false: not everybody at the table has played, or others
// have.
func contest(id string, matches []Played) (c Contest, ok bool) {
	first := matches[0]
	c = Contest{ID: id, Round: first.Round, Game: first.Game, Players: slices.Clone(first.Table)}
	slices.Sort(c.Players)
	c.Goals = make([]float64, len(c.Players))
	seats := make([]int, len(c.Players))
	for _, m := range matches {
		c.Forfeit = c.Forfeit || len(m.Forfeited) > 0
		for role, who := range m.Seats {
			if who == Chance {
				continue
			}
			i, sits := slices.BinarySearch(c.Players, who)
			if !sits {
				return c, false
			}
			seats[i]++
			c.Goals[i] += float64(m.Goals[role])
		}
	}
	for i := range c.Goals {
		if seats[i] == 0 {
			return c, false
		}
		c.Goals[i] /= float64(seats[i])
		for _, m := range matches {
			if slices.Contains(m.Forfeited, c.Players[i]) {
				c.Goals[i] = -1
			}
		}
	}
	return c, true
}

// ranked are the contests that ratings go by.
func ranked(list []Contest) (rankings []rating.Contest) {
	for _, c := range list {
		if !c.Forfeit {
			rankings = append(rankings, rating.Ranking(c.Players, c.Goals))
		}
	}
	return rankings
}
