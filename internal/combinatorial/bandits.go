package main

import (
	"fmt"
	"math"

	"semisplit/search"
	"semisplit/search/combinatorial"
	"semisplit/search/combinatorial/cmab"
	"semisplit/search/engine"
)

// greedy is an exploration constant near what the thesis has in effect: there values of
// thousands stand beside a constant of 0.7, here they are parts of the best one.
const greedy = 0.01

// methods are those of section 5.2 of the thesis, and dimensional expansion as it is there:
// with partial moves that do not share what they learn.
var methods = []struct {
	name    string
	options combinatorial.Options
}{
	{"MCTS", combinatorial.Options{Method: combinatorial.Whole}},
	{"HE", combinatorial.Options{Method: combinatorial.Hierarchical}},
	{"HE, greedy", combinatorial.Options{Method: combinatorial.Hierarchical, Exploration: greedy}},
	{"HE, RAVE", combinatorial.Options{Method: combinatorial.Hierarchical, Completion: combinatorial.CompleteRAVE}},
	{"DE", combinatorial.Options{Method: combinatorial.Dimensional}},
	{"DE, greedy", combinatorial.Options{Method: combinatorial.Dimensional, Exploration: greedy}},
	{"DE, RAVE", combinatorial.Options{Method: combinatorial.Dimensional, Completion: combinatorial.CompleteRAVE}},
	{"DE, apart", combinatorial.Options{Method: combinatorial.Dimensional, Apart: true}},
	{"NMC", combinatorial.Options{Method: combinatorial.Naive}},
	{"LSI", combinatorial.Options{Method: combinatorial.Linear}},
}

// number is the counterpart of figure 5.1: four arms, by the number of bandits.
func (r run) number() {
	var rows []cmab.Options
	var labels []string
	for _, n := range []int{2, 4, 6, 8, 10, 12, 16, 24} {
		rows, labels = append(rows, cmab.Published(n, 4)), append(labels, fmt.Sprint(n))
	}
	r.bandits("Figure 5.1: number of bandits, of 4 arms", "bandits", rows, labels)
}

// arms is the counterpart of figure 5.2.
func (r run) arms() {
	var rows []cmab.Options
	var labels []string
	for _, arms := range []int{8, 16, 32, 64} {
		for _, n := range []int{8, 16, 32, 48} {
			rows, labels = append(rows, cmab.Published(n, arms)), append(labels, fmt.Sprintf("%d x %d", n, arms))
		}
	}
	r.bandits("Figure 5.2: bandits x arms", "bandits x arms", rows, labels)
}

// nonLinearity is the counterpart of figure 5.4: 32 bandits of 32 arms, by the part of them
// that multiply.
func (r run) nonLinearity() {
	var rows []cmab.Options
	var labels []string
	for _, part := range []float64{0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1} {
		o := cmab.Published(32, 32)
		o.NonLinear = part
		rows, labels = append(rows, o), append(labels, fmt.Sprintf("%g%%", 100*part))
	}
	r.bandits("Figure 5.4: bandits that multiply, of 32 bandits of 32 arms", "multiply", rows, labels)
}

// bandits prints what the recommended moves are worth, in percent of the best move: all
// methods play the same games.
func (r run) bandits(title, head string, rows []cmab.Options, labels []string) {
	values := make([][][]float64, len(rows))
	for i := range rows {
		values[i] = make([][]float64, len(methods))
		for k := range methods {
			values[i][k] = make([]float64, r.games)
		}
	}
	each(len(rows)*len(methods)*r.games, func(n int) {
		game, k, i := n%r.games, n/r.games%len(methods), n/r.games/len(methods)
		values[i][k][game] = r.play(rows[i], k, uint64(game))
	})
	r.table(title, head, labels, func(i, k int) string { return interval(values[i][k]) })
}

// play is what the move of a method is worth in a game.
func (r run) play(o cmab.Options, method int, game uint64) float64 {
	m := cmab.New(o, game)
	e := cmab.NewEngine(m, game)
	options := methods[method].options
	options.Seed = game
	s := combinatorial.New([]engine.Engine{e}, e.Levels(), options)
	if err := s.SetRoot(cmab.Initial()); err != nil {
		panic("BUG: " + err.Error())
	}
	if _, err := s.Search(nil, search.Budget{Iterations: r.iterations}); err != nil {
		panic("BUG: " + err.Error())
	}
	move, _ := s.Best(0)
	return m.Value(move)
}

// interval writes a mean of parts in percent, with its interval of 95%.
func interval(values []float64) string {
	n, sum, squares := float64(len(values)), 0.0, 0.0
	for _, v := range values {
		sum += v
		squares += v * v
	}
	mean := sum / n
	half := 1.96 * math.Sqrt(max(0, squares/n-mean*mean)/(n-1))
	return fmt.Sprintf("%.1f (%.1f to %.1f)", 100*mean, 100*max(0, mean-half), 100*min(1, mean+half))
}
