package mcts

import (
	"reflect"
	"sync/atomic"

	"semisplit/search"
	"semisplit/search/backup"
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
	"semisplit/search/tree"
)

type (
	toy            = toys.Game
	toyEngine      = toys.Engine
	stallingEngine = toys.Stalling
	steeredEngine  = toys.Steered
)

var (
	newToyEngine = toys.NewEngine
	newSteered   = toys.NewSteered
)

// toyTree is a tree at the initial state.
func toyTree(g toy, lanes int, o Options) *searcher { return stallingTree(g, lanes, 0, o) }

// stallingTree is a toyTree whose engine stalls once in so many moves.
func stallingTree(g toy, lanes, stall int, o Options) *searcher {
	toyEngine := newToyEngine(g, lanes, o.Seed*100)
	var e engine.Engine = toyEngine
	if toyEngine.Stall = stall; stall > 0 {
		e = stallingEngine{Engine: toyEngine}
	}
	t := newSearcher(e, g.Levels(), usual(o), 0)
	if err := t.SetRoot(g.Initial()); err != nil {
		panic(err)
	}
	return t
}

// seeingTree is a toyTree whose engine sees wins.
func seeingTree(g toy, lanes int, o Options) *searcher {
	t := newSearcher(toys.NewSeeing(g, lanes, o.Seed*100), g.Levels(), usual(o), 0)
	if err := t.SetRoot(g.Initial()); err != nil {
		panic(err)
	}
	return t
}

// Search is that of a tree alone.
func (t *searcher) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	return (&Forest{trees: []*searcher{t}}).Search(stop, b)
}

// usual has what is usual in place of each zero.
func usual(o Options) Options {
	fill(reflect.ValueOf(&o).Elem(), reflect.ValueOf(DefaultOptions()))
	return o
}

func fill(v, usual reflect.Value) {
	for i := range v.NumField() {
		switch field := v.Field(i); {
		case field.Kind() == reflect.Struct:
			fill(field, usual.Field(i))
		case field.IsZero():
			field.Set(usual.Field(i))
		}
	}
}

// rolledUp are the backups of a tree that is rolled up.
var rolledUp = backup.Options{RollUp: true}

// bonusOf is what UCT-PN adds to the score of an edge, where there are ranks.
func bonusOf(t *searcher, id uint32) float64 {
	return t.options.PN.Constant * float64(t.tree.Edges.BonusesOf(id >> tree.PlaceBits)[id&tree.PlaceMask])
}
