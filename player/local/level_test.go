package local_test

import (
	"testing"
	"time"

	"semisplit/player/local"
)

func TestLevels(t *testing.T) {
	last := local.Level{Mistakes: 1}
	for n := 1; n < local.MostLevel-1; n++ {
		level, err := local.LevelOf(n)
		if err != nil || level.Iterations <= last.Iterations || level.Mistakes > last.Mistakes {
			t.Errorf("level %d is %+v after %+v: %v", n, level, last, err)
		}
		last = level
	}
	if free, err := local.LevelOf(local.MostLevel - 1); err != nil || free != (local.Level{}) {
		t.Errorf("the level below the strongest is %+v: %v", free, err)
	}
	if best, err := local.LevelOf(local.MostLevel); err != nil || best != (local.Level{}) || best.Budget(time.Second).Time != time.Second {
		t.Errorf("the strongest level is %+v: %v", best, err)
	}
	for _, n := range []int{0, local.MostLevel + 1} {
		if _, err := local.LevelOf(n); err == nil {
			t.Errorf("there is a level %d", n)
		}
	}
}
