package arena

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"semisplit/player/agent"
	"semisplit/player/choice"
)

// ElectedAgent is what an automatic agent was found to play a game with, in a
// setting. All its plays are played so.
type ElectedAgent struct {
	Game, Setting, Label string
	Agent                agent.Agent // with its plan and lanes; the description names the choice
	Why                  string
}

// elect puts the choice in place of an automatic agent, and makes it if it has
// not been made by an earlier run or for another series.
func (r *runner) elect(ctx context.Context, s *series, c *Contender) error {
	if !c.Agent.Automatic() {
		return nil
	}
	key := seriesKey{s.key.Game, s.key.Setting, "", c.Label}
	if known, ok := r.elected[key]; ok {
		c.Agent = known
		return nil
	}
	choice, err := choice.Choose(ctx, s.game.Program, c.Agent, r.options.Limits, r.choiceOptions(s, c))
	if err != nil {
		return fmt.Errorf("automatic choice: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.Agent = choice.Fixed()
	s.game.machines.Teach(choice.Evaluations)
	r.elected[key] = c.Agent
	return stored(r.store.addElected(ElectedAgent{key.Game, key.Setting, key.Agent, c.Agent, choice.Why}))
}

// choiceOptions is what a choice may cost. Nothing runs beside it, so it has the threads of
// all matches; a move has those of one.
func (r *runner) choiceOptions(s *series, c *Contender) choice.Options {
	clock := s.setting.Choose
	if clock == 0 {
		clock = DefaultChoose
	}
	return choice.Options{
		Time: duration(clock), Play: duration(s.setting.Seconds), Threads: r.parallel, Moves: max(1, c.Agent.General.Threads), Ready: true,
		Seed: SeedOf(r.plan.Spec.Seed, "choose", s.key.Game, s.key.Setting, c.Label),
	}
}

func (s *Store) addElected(e ElectedAgent) error {
	text, err := json.Marshal(e.Agent)
	if err != nil {
		return err
	}
	_, err = s.db.Exec("INSERT INTO choices VALUES (?, ?, ?, ?, ?)", e.Game, e.Setting, e.Label, string(text), e.Why)
	return err
}

func (s *Store) elections() (list []ElectedAgent, err error) {
	err = s.db.Each("SELECT game, setting, label, agent, why FROM choices ORDER BY game, setting, label", func(row *sql.Rows) error {
		var e ElectedAgent
		var text string
		if err := row.Scan(&e.Game, &e.Setting, &e.Label, &text, &e.Why); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(text), &e.Agent); err != nil {
			return fmt.Errorf("a choice in the database: %w", err)
		}
		list = append(list, e)
		return nil
	})
	return list, err
}
