package main

import (
	"fmt"

	"semisplit/player/agent"
	"semisplit/player/local"
)

// opponentOf is who plays at a level that there is; 0: the usual one.
func opponentOf(n int) who {
	switch n {
	case 0:
		return who{kind: whoAgent, agent: agent.Default()}
	case local.MostLevel:
		return who{kind: whoAgent, agent: agent.Automatic()}
	}
	level, err := local.LevelOf(n)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	w := who{kind: whoAgent, agent: agent.Default(), mistakes: level.Mistakes}
	w.agent.Name = fmt.Sprint("level ", n)
	if level.Iterations > 0 {
		w.agent.Algorithm.Parameters.Iterations = int64(level.Iterations)
		w.agent.General.SimulateDuringOppTurn = false
	}
	return w
}
