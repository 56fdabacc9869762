package local

import (
	"fmt"
	"time"

	"semisplit/search"
)

// Level is how strong a player is that people play against: how much it thinks about a
// move, and how often it does not.
type Level struct {
	Iterations int     // about a move at most; 0: as many as its time allows
	Mistakes   float64 // part of its moves that are random, in [0, 1]
}

// MostLevel is the strongest level: no bound, no mistakes, and the way to play is chosen
// for the game. The one below it plays in the usual way.
const MostLevel = 10

// levels are those from 1 on.
var levels = [MostLevel]Level{
	{10, 0.5}, {30, 0.4}, {100, 0.3}, {200, 0.2}, {500, 0.12}, {1000, 0.06}, {3000, 0.03}, {10000, 0}, {0, 0}, {0, 0},
}

// LevelOf is a level by its number, 1 to MostLevel.
func LevelOf(n int) (Level, error) {
	if n < 1 || n > MostLevel {
		return Level{}, fmt.Errorf("level %d: levels are from 1 to %d", n, MostLevel)
	}
	return levels[n-1], nil
}

// Budget is that of a move for which there is so much time.
func (l Level) Budget(within time.Duration) search.Budget {
	return search.Budget{Iterations: l.Iterations, Time: within}
}
