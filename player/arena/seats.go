package arena

import (
	"strings"

	"semisplit/player"
)

// side is who sits on a seat.
type side int

const (
	chance       side = player.Chance
	agentSide    side = player.FirstSide
	baselineSide side = player.SecondSide
)

// match is one game from its start to its end, with a side for each role.
type match []side

// seatings are the plays of a set, so that both sides sit on each seat equally
// often: with an even number of players half of them are the agent, next to
// each other, and move round the table; with an odd number there are a
// majority and a minority, and both sides are either. A play is one match, but
// where there is one player it is two, in which each side plays alone.
func seatings(roles []string) [][]match {
	players := playersOf(roles)
	n := len(players)
	seat := func(first, count int, inside, outside side) match {
		m := make(match, len(roles))
		for i := range m {
			m[i] = chance
		}
		for i, role := range players {
			m[role] = outside
			if (i-first+n)%n < count {
				m[role] = inside
			}
		}
		return m
	}
	if n == 1 {
		return [][]match{{seat(0, 1, agentSide, baselineSide), seat(0, 1, baselineSide, agentSide)}}
	}
	var plays [][]match
	for first := range n {
		plays = append(plays, []match{seat(first, n/2, agentSide, baselineSide)})
		if n%2 == 1 {
			plays = append(plays, []match{seat(first, n/2, baselineSide, agentSide)})
		}
	}
	return plays
}

// playersOf are the roles, by index, that do not move at random.
func playersOf(roles []string) (players []int) {
	for i, role := range roles {
		if !strings.EqualFold(role, "random") {
			players = append(players, i)
		}
	}
	return players
}

// String spells a match: A for the agent, B for the baseline, - for chance.
func (m match) String() string {
	text := make([]byte, len(m))
	for i, s := range m {
		text[i] = "-AB"[s+1]
	}
	return string(text)
}

// share is the agent's score, in [0, 1]: of all pairs of a seat of the agent
// and a seat of the baseline, the part in which the agent's goal is higher,
// with one half for equal goals. With two players that is 1 for a win, 0.5
// for a draw and 0 for a loss. With more, and in puzzles, 0.5 means equal
// strength as well, whatever the sum of the goals.
func share(agent, baseline []int) float64 {
	sum := 0.0
	for _, a := range agent {
		for _, b := range baseline {
			switch {
			case a > b:
				sum++
			case a == b:
				sum += 0.5
			}
		}
	}
	return sum / float64(len(agent)*len(baseline))
}
