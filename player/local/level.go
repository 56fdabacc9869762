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

// MostLevel is the strongest level, without a bound and without mistakes.
const MostLevel = 10

// levels are those below MostLevel, from 1 on: each thinks about three times as long as
// the one before.
var levels = [MostLevel - 1]Level{
	{10, 0.30}, {30, 0.20}, {100, 0.12}, {300, 0.06}, {1_000, 0.03}, {3_000, 0}, {10_000, 0}, {30_000, 0}, {100_000, 0},
}

// LevelOf is a level by its number, 1 to MostLevel.
func LevelOf(n int) (Level, error) {
	switch {
	case n < 1 || n > MostLevel:
		return Level{}, fmt.Errorf("level %d: levels are from 1 to %d", n, MostLevel)
	case n == MostLevel:
		return Level{}, nil
	}
	return levels[n-1], nil
}

// Budget is that of a move for which there is so much time.
func (l Level) Budget(within time.Duration) search.Budget {
	return search.Budget{Iterations: l.Iterations, Time: within}
}
