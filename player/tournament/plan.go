package tournament

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player/arena"
	"semisplit/player/local"
)

// Plan is a spec whose games, players and books have been read.
type Plan struct {
	Spec    Spec
	Games   []Game
	Players []Player
}

// Game is a game of a Plan.
type Game struct {
	Label string
	Text  string // the rules
	Sum   string // their hash
	Roles []string
	Book  [][][]kif.Term // lines of joint moves; empty: none

	// Source is the game as it was found, for drawings.
	Source  games.Game
	playing []int // roles that are not played by chance
}

// Player is who plays in a tournament.
type Player struct {
	Label string
	Agent json.RawMessage // an agent file; nil for a player of others
	Peer  *arena.Peer     // a player of others; nil: an agent
}

// Read loads the games and players of a spec, whose paths are relative to dir. load
// finds games by their names.
func Read(spec Spec, dir string, load func(name string) (games.Game, error)) (*Plan, error) {
	p := &Plan{Spec: spec}
	read, err := arena.ReadGames(spec.Games, dir, load)
	if err != nil {
		return nil, err
	}
	books := 0
	for _, g := range read {
		roles := make([]string, len(g.Program.Roles))
		for i, role := range g.Program.Roles {
			roles[i] = g.Program.Symbols.Name(role.Name)
		}
		game := Game{Label: g.Label, Text: g.Source.Rules, Sum: g.Sum, Roles: roles, Source: g.Source, playing: local.PlayersOf(roles)}
		if name := spec.Opening.Books[g.Label]; name != "" {
			books++
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			if game.Book, err = loadBook(name, g.Program); err != nil {
				return nil, fmt.Errorf("book of %s: %w", g.Label, err)
			}
		}
		p.Games = append(p.Games, game)
	}
	if books != len(spec.Opening.Books) {
		return nil, fmt.Errorf("opening.books names a game that does not take part")
	}
	contenders, err := arena.ReadContenders(spec.Players, dir)
	if err != nil {
		return nil, err
	}
	for _, c := range contenders {
		player := Player{Label: c.Label, Peer: c.Peer}
		if c.Peer == nil {
			if player.Agent, err = json.Marshal(c.Agent); err != nil {
				return nil, fmt.Errorf("agent %s: %w", c.Label, err)
			}
		}
		p.Players = append(p.Players, player)
	}
	if len(p.Players) < 2 || len(p.Players) > maxPlayers {
		return nil, fmt.Errorf("a tournament has 2 to %d players, not %d", maxPlayers, len(p.Players))
	}
	return p, p.checkSize()
}

// checkSize refuses a round robin of more tables than anybody would play.
func (p *Plan) checkSize() error {
	if p.Spec.Format != RoundRobin {
		return nil
	}
	for _, g := range p.Games {
		if n := binomial(len(p.Players), p.tableSize(g)); n > mostTables {
			return fmt.Errorf("%s: a round has more than %d tables of %d players out of %d: choose the format %q or %q",
				g.Label, mostTables, p.tableSize(g), len(p.Players), Swiss, Telling)
		}
	}
	return nil
}

// mostTables bounds the tables of a game in a round.
const mostTables = 10_000

func binomial(n, k int) int {
	result := 1
	for i := range k {
		if result = result * (n - i) / (i + 1); result > mostTables*mostTables {
			return result
		}
	}
	return result
}

// tableSize is how many players meet in a game: one for each role that chance does not
// play, as far as there are so many. Of a game for one there are two, who play it
// one after the other.
func (p *Plan) tableSize(g Game) int {
	return min(max(2, len(g.playing)), len(p.Players), mostAtTable)
}

// mostAtTable is how many a contest can rank.
const mostAtTable = 12

// Labels are the names of the players.
func (p *Plan) Labels() (labels []string) {
	for _, player := range p.Players {
		labels = append(labels, player.Label)
	}
	return labels
}
