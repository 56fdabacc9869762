package search

import (
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
)

type (
	toy            = toys.Game
	toyEngine      = toys.Engine
	stallingEngine = toys.Stalling
)

var newToyEngine = toys.NewEngine

// toyTree is a tree at the initial state.
func toyTree(g toy, lanes, threads int, o Options) *Tree {
	return stallingTree(g, lanes, threads, 0, o)
}

// stallingTree is a toyTree whose engines stall once in so many moves.
func stallingTree(g toy, lanes, threads, stall int, o Options) *Tree {
	var engines []engine.Engine
	for i := range threads {
		e := newToyEngine(g, lanes, o.Seed*100+uint64(i))
		if e.Stall = stall; stall > 0 {
			engines = append(engines, stallingEngine{Engine: e})
		} else {
			engines = append(engines, e)
		}
	}
	t := New(engines, g.Levels(), o)
	if err := t.SetRoot(g.Initial()); err != nil {
		panic(err)
	}
	return t
}
