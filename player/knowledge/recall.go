package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"semisplit/player/choice"
	"semisplit/player/evaluation"
	"semisplit/reasoner"
	"semisplit/reasoner/canonical"
	"semisplit/reasoner/gdl"
)

// Memory is what is known of one description.
type Memory struct {
	store *Store
	form  *canonical.Form
	game  *Game
	title string
}

// Recall looks a description up. Knowledge that cannot be read is as good as none; the
// error says why. It is a matter of milliseconds, of a second for hostile rules.
func (s *Store) Recall(ctx context.Context, p *gdl.Program, title string) (*Memory, error) {
	form, err := canonical.Of(ctx, p)
	if err != nil {
		return nil, err
	}
	m := &Memory{store: s, form: form, title: title}
	m.game, err = s.Read(form.Key)
	if err != nil {
		m.game = &Game{Key: form.Key, Title: title}
		if errors.Is(err, ErrUnknown) {
			err = nil
		}
	}
	return m, err
}

// Key is that of the description's form.
func (m *Memory) Key() string { return m.form.Key }

// Try fails if nothing can be kept.
func (m *Memory) Try() error { return m.store.change(m.form.Key, func() error { return nil }) }

// Known is what a choice can go by, for a machine of the game.
func (m *Memory) Known(machine reasoner.Machine) choice.Known {
	known := choice.Known{Trials: m.game.Trials, Evaluations: map[evaluation.Source]*evaluation.Evaluation{}}
	for _, stored := range m.game.Evaluations {
		if e, err := stored.Evaluation(machine, m.form.Abstract); err == nil {
			known.Evaluations[e.Source] = e
		}
	}
	return known
}

// Add keeps what a choice has found beside what was known, and what it took. What
// several learned is mixed, by the number of positions.
func (m *Memory) Add(c *choice.Choice, took time.Duration) error {
	return m.store.change(m.form.Key, func() error {
		if err := m.reread(); err != nil {
			return err
		}
		m.take(c, took)
		return m.store.write(m.game)
	})
}

// take takes in what a choice has found.
func (m *Memory) take(c *choice.Choice, took time.Duration) {
	m.game.Seconds += took.Seconds()
	m.game.Title = cmp.Or(m.game.Title, m.title)
	for _, source := range slices.Sorted(maps.Keys(c.Evaluations)) {
		if e := c.Evaluations[source]; e != nil && c.IsNew(source) {
			m.mix(e, c.Machine)
		}
	}
	m.addTrials(c.Trials())
}

// Merge keeps what was learned elsewhere beside what was known, as Add does, for a
// machine of the game. Evaluations that do not fit the machine are left out.
func (m *Memory) Merge(learned *Game, machine reasoner.Machine) error {
	if learned.Key != m.form.Key {
		return fmt.Errorf("knowledge: of another game, %.8s instead of %.8s", learned.Key, m.form.Key)
	}
	return m.store.change(m.form.Key, func() error {
		if err := m.reread(); err != nil {
			return err
		}
		m.game.Seconds += learned.Seconds
		m.game.Title = cmp.Or(m.game.Title, m.title, learned.Title)
		for _, stored := range learned.Evaluations {
			if e, err := stored.Evaluation(machine, m.form.Abstract); err == nil {
				m.mix(e, machine)
			}
		}
		m.addTrials(learned.Trials)
		return m.store.write(m.game)
	})
}

// reread looks for what somebody else has added, or forgotten. What cannot be read, as that of
// a later program, is not to be replaced.
func (m *Memory) reread() error {
	game, err := m.store.Read(m.form.Key)
	if errors.Is(err, ErrUnknown) {
		game, err = &Game{Key: m.form.Key, Title: m.title}, nil
	}
	if err != nil {
		return err
	}
	m.game = game
	return nil
}

// mix takes an evaluation in: beside one from the same source by the number of samples.
func (m *Memory) mix(e *evaluation.Evaluation, machine reasoner.Machine) {
	known := m.Known(machine).Evaluations[e.Source]
	if all := e.Samples; known != nil && all+known.Samples > 0 {
		e = e.On(machine)
		all += known.Samples
		e.Mix(known, float64(known.Samples)/float64(all))
		e.Samples, e.Matches = all, e.Matches+known.Matches
	}
	if stored := e.Store(machine, m.form.Abstract); stored != nil {
		m.game.Evaluations = slices.DeleteFunc(m.game.Evaluations, func(s *evaluation.Stored) bool { return s.Source == e.Source })
		m.game.Evaluations = append(m.game.Evaluations, stored)
	}
}

// addTrials adds up how ways to play did against each other.
func (m *Memory) addTrials(trials []choice.Trial) {
	for _, trial := range trials {
		i := slices.IndexFunc(m.game.Trials, func(t choice.Trial) bool { return t.A == trial.A && t.B == trial.B })
		if i < 0 {
			m.game.Trials = append(m.game.Trials, trial)
			continue
		}
		m.game.Trials[i].Plays += trial.Plays
		m.game.Trials[i].Points += trial.Points
	}
}
