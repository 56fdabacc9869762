package mcts

import (
	"reflect"

	"semisplit/search/engine"
	"semisplit/search/internal/toys"
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
func toyTree(g toy, lanes, threads int, o Options) *searcher {
	return stallingTree(g, lanes, threads, 0, o)
}

// stallingTree is a toyTree whose engines stall once in so many moves.
func stallingTree(g toy, lanes, threads, stall int, o Options) *searcher {
	var engines []engine.Engine
	for i := range threads {
		e := newToyEngine(g, lanes, o.Seed*100+uint64(i))
		if e.Stall = stall; stall > 0 {
			engines = append(engines, stallingEngine{Engine: e})
		} else {
			engines = append(engines, e)
		}
	}
	t := newSearcher(engines, g.Levels(), usual(o))
	if err := t.SetRoot(g.Initial()); err != nil {
		panic(err)
	}
	return t
}

// seeingTree is a toyTree whose engine sees wins.
func seeingTree(g toy, lanes int, o Options) *searcher {
	t := newSearcher([]engine.Engine{toys.NewSeeing(g, lanes, o.Seed*100)}, g.Levels(), usual(o))
	if err := t.SetRoot(g.Initial()); err != nil {
		panic(err)
	}
	return t
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
