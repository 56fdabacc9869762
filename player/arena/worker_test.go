package arena

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"

	"semisplit/player/jobs"
	"semisplit/player/jobs/jobstest"
)

// TestField: plays that are made as jobs, here or by a worker of another process, come to
// the same as those that are made at once. A run that was stopped goes on.
func TestField(t *testing.T) {
	p := planOf(t, `"nim", "tictactoe"`, hundred, `"plays": 4, "opening": 1, `)
	plain := create(t, filepath.Join(t.TempDir(), "plain.db"))
	mustRun(t, p, plain, Options{})
	want := scoresOf(t, plain)
	for name, own := range map[string]bool{"own worker": true, "worker of another process": false} {
		store := create(t, filepath.Join(t.TempDir(), "run.db"))
		var done atomic.Int32
		for runs := int32(1); ; runs++ {
			w := &Worker{}
			here := &jobstest.Here{Handlers: w.Handlers()}
			ctx, stop := context.WithCancel(t.Context())
			here.Before = func(j jobs.Job) error {
				if j.Place != jobs.Anywhere {
					t.Errorf("place %d", j.Place)
				}
				if done.Add(1) == 5*runs {
					stop()
				}
				return nil
			}
			o := Options{Field: here, Ahead: 2}
			if own {
				o.Worker = w
			}
			err := p.Run(ctx, store, o)
			stop()
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		got := scoresOf(t, store)
		if len(got) != len(want) || len(got) == 0 {
			t.Errorf("%s: %d plays, not %d", name, len(got), len(want))
		}
		for key, score := range want {
			if got[key] != score {
				t.Errorf("%s: %v brought %v, not %v", name, key, got[key], score)
			}
		}
	}
}

type outcomeOf struct {
	score float64
	turns int
	seats string
}

func scoresOf(t *testing.T, s *Store) map[asking]outcomeOf {
	t.Helper()
	plays, err := s.Plays()
	if err != nil {
		t.Fatal(err)
	}
	scores := map[asking]outcomeOf{}
	for _, p := range plays {
		if p.Error != "" {
			t.Errorf("play %d of %s: %s", p.Number, p.Game, p.Error)
		}
		scores[asking{seriesKey{p.Game, p.Setting, p.Baseline, p.Agent}, p.Number}] = outcomeOf{p.Score, p.Turns, p.Seats}
	}
	return scores
}
