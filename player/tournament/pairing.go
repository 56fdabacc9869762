package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"semisplit/player/rating"
)

// round lists who meets in a round, from 1 on, after the matches of those before. It
// depends on nothing else, so that tournaments repeat.
func (p *Plan) round(number int, before []Played) ([]Encounter, error) {
	switch p.Spec.Format {
	case Swiss:
		return p.swiss(number, contests(before)), nil
	case Telling:
		return p.telling(number, before)
	}
	return p.roundRobin(number), nil
}

// waits tells whether a round depends on the results of those before.
func (p *Plan) waits() bool { return p.Spec.Format != RoundRobin }

// roundRobin has all tables of all games.
func (p *Plan) roundRobin(number int) (list []Encounter) {
	for game, g := range p.Games {
		for _, table := range subsets(len(p.Players), p.tableSize(g)) {
			list = append(list, Encounter{number, game, table})
		}
	}
	return list
}

// subsets are those of size k of 0 to n-1, in the order of their members.
func subsets(n, k int) (list [][]int) {
	table := make([]int, k)
	var fill func(place, first int)
	fill = func(place, first int) {
		if place == k {
			list = append(list, slices.Clone(table))
			return
		}
		for who := first; who <= n-(k-place); who++ {
			table[place] = who
			fill(place+1, who+1)
		}
	}
	fill(0, 0)
	return list
}

// swiss seats players at tables in the order of their points, so that those meet who
// have done equally well, and if possible have not met. Who finds no table sits out,
// which is the turn of the last one who has sat out least.
func (p *Plan) swiss(number int, contests []Contest) (list []Encounter) {
	known := map[int][][]int{} // tables by their size
	for game, g := range p.Games {
		size := p.tableSize(g)
		if known[size] == nil {
			known[size] = p.swissTables(size, contests)
		}
		for _, table := range known[size] {
			list = append(list, Encounter{number, game, table})
		}
	}
	return list
}

func (p *Plan) swissTables(size int, contests []Contest) (tables [][]int) {
	n := len(p.Players)
	points, played, met := make([]float64, n), make([]int, n), make([][]int, n)
	for i := range met {
		met[i] = make([]int, n)
	}
	for _, c := range contests {
		shares := c.Shares()
		for i, who := range c.Players {
			points[who] += shares[i]
			played[who]++
			for _, other := range c.Players {
				met[who][other]++
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	// By the mean: who sat out has played less.
	mean := func(who int) float64 { return points[who] / float64(max(1, played[who])) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(mean(b), mean(a)) })
	for range n % size {
		out := 0
		for i, who := range order {
			if played[who] >= played[order[out]] {
				out = i // the last of those who have played most
			}
		}
		order = slices.Delete(order, out, out+1)
	}
	for len(order) > 0 {
		table := []int{order[0]}
		order = order[1:]
		for len(table) < size {
			best, fewest := 0, -1
			for i, who := range order {
				times := 0
				for _, other := range table {
					times += met[who][other]
				}
				if fewest < 0 || times < fewest {
					best, fewest = i, times
				}
			}
			table = append(table, order[best])
			order = slices.Delete(order, best, best+1)
		}
		tables = append(tables, table)
	}
	return tables
}

// telling seats half as many tables as there are players, each where it tells most
// about the ratings, as if the tables before it had been played. Of the games a pair has the
// one in which it has met least, failed matches included: else a game that always fails would
// always be the next one.
func (p *Plan) telling(number int, before []Played) (list []Encounter, err error) {
	ratings, err := rating.Fit(len(p.Players), ranked(contests(before)))
	if err != nil {
		return nil, err
	}
	if p.Spec.Precision > 0 && number > 1 && !slices.ContainsFunc(ratings.List, func(r rating.Rating) bool {
		return r.Open || !(r.High-r.Elo <= p.Spec.Precision)
	}) {
		return nil, nil
	}
	times := map[string]int{} // that a pair has met in a game
	key := func(a, b int, game string) string { return fmt.Sprint(min(a, b), max(a, b), game) }
	met := map[string]bool{}
	for _, m := range before {
		if met[m.Encounter] {
			continue
		}
		met[m.Encounter] = true
		for i, a := range m.Table {
			for _, b := range m.Table[:i] {
				times[key(a, b, m.Game)]++
			}
		}
	}
	next := ratings.Telling()
	for range max(1, len(p.Players)/2) {
		a, b := next.Best()
		game := 0
		for i, g := range p.Games {
			if times[key(a, b, g.Label)] < times[key(a, b, p.Games[game].Label)] {
				game = i
			}
		}
		table := []int{a, b}
		for len(table) < p.tableSize(p.Games[game]) {
			table = append(table, next.With(table))
		}
		for i, a := range table {
			for _, b := range table[:i] {
				next.Played(a, b)
				times[key(a, b, p.Games[game].Label)]++
			}
		}
		list = append(list, Encounter{number, game, table})
	}
	return list, nil
}

// matches are those of an encounter, of which number is its place in the round.
func (p *Plan) matches(e Encounter, number int) (list []Match) {
	g := p.Games[e.Game]
	first := Match{
		Round: e.Round, Game: g.Label, Table: e.Table, Encounter: fmt.Sprintf("r%d-e%d", e.Round, number),
	}
	for turn := range e.Table {
		m := first
		m.ID = fmt.Sprintf("%s-m%d", first.Encounter, turn+1)
		m.Seats = make([]int, len(g.Roles))
		for role := range m.Seats {
			m.Seats[role] = Chance
		}
		for seat, role := range g.playing {
			m.Seats[role] = e.Table[(seat+turn)%len(e.Table)]
		}
		list = append(list, m)
	}
	return list
}
