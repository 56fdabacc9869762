package main

import (
	"fmt"

	"semisplit/player/agent"
)

// level is how strong an opponent of a person is.
type level struct {
	iterations int64   // of the search for a move; 0: as many as the clock allows
	mistakes   float64 // part of the moves that are random ones
}

// levels are those of --level, from 1. The last one is the player itself.
var levels = []level{
	{10, 0.5}, {30, 0.4}, {100, 0.3}, {200, 0.2}, {500, 0.12}, {1000, 0.06}, {3000, 0.03}, {10000, 0}, {0, 0}, {0, 0},
}

// opponentOf is who plays at a level; 0: the usual one.
func opponentOf(n int) who {
	switch {
	case n == 0:
		return who{kind: whoAgent, agent: agent.Default()}
	case n == len(levels):
		return who{kind: whoAgent, agent: agent.Automatic()}
	}
	w := who{kind: whoAgent, agent: agent.Default(), mistakes: levels[n-1].mistakes}
	w.agent.Name = fmt.Sprint("level ", n)
	if most := levels[n-1].iterations; most > 0 {
		w.agent.Algorithm.Parameters.Iterations = most
		w.agent.General.SimulateDuringOppTurn = false
	}
	return w
}
