package arena

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/games"
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

// TestFieldOverHTTP: matches over HTTP are jobs as well. Those with players of others are
// for the process that asks, also where an earlier one asked; those of our own are for
// workers alike, who serve the agents.
func TestFieldOverHTTP(t *testing.T) {
	for _, test := range []struct {
		name, baselines string
		own             bool
		place           jobs.Place
		kind            string // of the players of others
		faults          Faults
	}{
		{"players of others", `[{"name": "other"}]`, true, jobs.Home, "slips", Faults{Illegal: 1}},
		{"agents", `["random"]`, false, jobs.Alike, "", Faults{}},
	} {
		spec, err := ReadSpec(strings.NewReader(`{"name": "test", "games": ["tictactoe"], "agents": ["orthodox"], "plays": 4, "cores": 1,
			"settings": [{"kind": "timed", "seconds": 60, "start": 60}], "baselines": ` + test.baselines + `}`))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Read(spec, ".", games.Load)
		if err != nil {
			t.Fatal(err)
		}
		if test.own {
			p.Baselines[0].Peer.Command = fakeCommand(test.kind)
		}
		o := serving("plays")
		w := &Worker{Serve: o.Serve}
		var sent []jobs.Job
		here := &jobstest.Here{Handlers: w.Handlers(), Before: func(j jobs.Job) error {
			sent = append(sent, j)
			return nil
		}}
		o.Field, o.Ahead = here, 1
		if test.own {
			o.Worker = w
		}
		store := create(t, filepath.Join(t.TempDir(), "run.db"))
		mustRun(t, p, store, o)
		plays, err := store.Plays()
		if err != nil || len(plays) != 4 || len(sent) != 4 {
			t.Fatalf("%s: %d plays of %d jobs, %v", test.name, len(plays), len(sent), err)
		}
		for i, play := range plays {
			if play.Error != "" || play.Turns < 5 || play.Faults != [2]Faults{{}, test.faults} || sent[i].Place != test.place || sent[i].Kind != KindHTTP {
				t.Errorf("%s: %s, place %d: %+v", test.name, sent[i].Kind, sent[i].Place, play)
			}
		}
		if !test.own {
			continue
		}
		task := jobs.Task{Payload: bytes.Replace(sent[0].Payload, []byte(`"Cores":1`), []byte(`"Cores":4611686018427387904`), 1), Files: here, Stretch: 1}
		if _, err := w.play(t.Context(), task); err == nil || !strings.Contains(err.Error(), "cores for each side") {
			t.Errorf("more cores than there are numbers for: %v", err)
		}
		task.Payload = sent[0].Payload
		if _, err := w.play(t.Context(), task); err == nil || !strings.Contains(err.Error(), "player other: only the process that asks") {
			t.Errorf("without the run: %v", err)
		}
		r, err := newRunner(p, store, o)
		if err != nil {
			t.Fatal(err)
		}
		r.group = "again"
		end := w.serve(r)
		again := bytes.Replace(sent[0].Payload, []byte(`"Run":"`), []byte(`"Run":"again","Was":"`), 1)
		task.Payload = again
		if out, err := w.play(t.Context(), task); err != nil || !bytes.Contains(out, []byte(`"Error":""`)) {
			t.Errorf("asked for by an earlier process: %s, %v", out, err)
		}
		end()
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
