package arena

import (
	"semisplit/kif"
	"semisplit/player/local"
	"semisplit/player/referee"
)

// show lets others look on at a match in this process, which stands at its initial state.
func (r *runner) show(s *series, t *local.Match, sides local.Seating) (ended func(error)) {
	c := referee.Config{Game: s.game.Label, Rules: s.game.rules, Machine: t.Judge.Machine()}
	ended = r.showConfig(s, &c, sides)
	if c.Observe == nil {
		return ended
	}
	tell := func(moves []kif.Term) {
		e := referee.Event{Step: t.Turns, Moves: moves, State: t.Judge.Fluents(), Terminal: t.Judge.Terminal()}
		if e.Terminal {
			e.Goals = t.Judge.Goals()
		}
		c.Observe(e)
	}
	tell(nil)
	t.Observe = tell
	return ended
}

// showConfig lets others look on at the match that a referee is to play.
func (r *runner) showConfig(s *series, c *referee.Config, sides local.Seating) (ended func(error)) {
	if r.options.Show == nil {
		return func(error) {}
	}
	roles, players := make([]string, len(sides)), make([]string, len(sides))
	for role, who := range sides {
		roles[role] = c.Machine.Roles()[role].String()
		if who != local.Chance {
			players[role] = s.sides()[who].Label
		}
	}
	return r.options.Show(c, s.game.Source, roles, players)
}
