package local

import "strings"

// Seating is who sits where in a match: for each role Chance, FirstSide or
// SecondSide.
type Seating []int

// Seatings are the plays of a set, so that both sides sit on each seat equally
// often: with an even number of players half of them are the first side, next to
// each other, and move round the table; with an odd number there are a
// majority and a minority, and both sides are either. A play is one match, but
// where there is one player it is two, in which each side plays alone.
func Seatings(roles []string) [][]Seating {
	players := PlayersOf(roles)
	n := len(players)
	seat := func(first, count int, inside, outside int) Seating {
		m := make(Seating, len(roles))
		for i := range m {
			m[i] = Chance
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
		return [][]Seating{{seat(0, 1, FirstSide, SecondSide), seat(0, 1, SecondSide, FirstSide)}}
	}
	var plays [][]Seating
	for first := range n {
		plays = append(plays, []Seating{seat(first, n/2, FirstSide, SecondSide)})
		if n%2 == 1 {
			plays = append(plays, []Seating{seat(first, n/2, SecondSide, FirstSide)})
		}
	}
	return plays
}

// PlayersOf are the roles, by index, that do not move at random.
func PlayersOf(roles []string) (players []int) {
	for i, role := range roles {
		if !strings.EqualFold(role, "random") {
			players = append(players, i)
		}
	}
	return players
}

// String spells a match: A for the agent, B for the baseline, - for Chance.
func (m Seating) String() string {
	text := make([]byte, len(m))
	for i, s := range m {
		text[i] = "-AB"[s+1]
	}
	return string(text)
}

// Share is the score of a side in [0, 1] from the goals on its seats and on the
// other's: of all pairs of a seat of each, the part in which its own goal is
// higher, with one half for equal goals. With two players that is 1 for a win, 0.5
// for a draw and 0 for a loss. With more, and in puzzles, 0.5 means equal
// strength as well, whatever the sum of the goals.
func Share(agent, baseline []int) float64 {
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
