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
	solo := map[string][]Played{}
	for _, m := range played {
		if m.Error != "" {
			continue
		}
		sitting := slices.DeleteFunc(slices.Clone(m.Seats), func(who int) bool { return who == Chance })
		if len(m.Table) > 1 && len(sitting) == 1 {
			solo[m.Encounter] = append(solo[m.Encounter], m)
			continue
		}
		list = append(list, contest(m.ID, []Played{m}))
	}
	for encounter, matches := range solo {
		if len(matches) == len(matches[0].Table) {
			list = append(list, contest(encounter, matches))
		}
	}
	slices.SortFunc(list, func(a, b Contest) int { return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.ID, b.ID)) })
	return list
}

func contest(id string, matches []Played) Contest {
	first := matches[0]
	c := Contest{ID: id, Round: first.Round, Game: first.Game, Players: slices.Clone(first.Table)}
	slices.Sort(c.Players)
	c.Goals = make([]float64, len(c.Players))
	seats := make([]int, len(c.Players))
	for _, m := range matches {
		c.Forfeit = c.Forfeit || len(m.Forfeited) > 0
		for role, who := range m.Seats {
			if who == Chance {
				continue
			}
			i, _ := slices.BinarySearch(c.Players, who)
			seats[i]++
			c.Goals[i] += float64(m.Goals[role])
		}
	}
	for i := range c.Goals {
		c.Goals[i] /= float64(max(1, seats[i]))
		for _, m := range matches {
			if slices.Contains(m.Forfeited, c.Players[i]) {
				c.Goals[i] = -1
			}
		}
	}
	return c
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
