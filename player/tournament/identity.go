package tournament

import (
	"encoding/json"
	"fmt"

	"semisplit/player/arena"
	"semisplit/player/jobs"
)

// identity is all that results depend on, as it is kept beside them. The number of
// rounds is no part of it: more rounds go on where the others end.
type identity struct {
	Name       string           `json:"name"`
	Players    []playerIdentity `json:"players"`
	Games      []gameIdentity   `json:"games"`
	Format     string           `json:"format"`
	Setting    arena.Setting    `json:"setting"`
	Seed       uint64           `json:"seed"`
	Plies      int              `json:"plies"`
	Adjudicate Adjudicate       `json:"adjudicate"`
	Turns      int              `json:"turns"`
	Faults     int              `json:"faults"`
	Clocks     string           `json:"clocks"`

	// Evaluations are the hashes of the files that agents name as theirs, by the players'
	// labels: the agents say where the files are, and not what is in them.
	Evaluations map[string]string `json:"evaluations,omitempty"`
}

type playerIdentity struct {
	Label string          `json:"label"`
	Agent json.RawMessage `json:"agent,omitempty"`
	Peer  *arena.Peer     `json:"peer,omitempty"`
}

type gameIdentity struct {
	Label string   `json:"label"`
	Sum   string   `json:"sum"`
	Roles []string `json:"roles"`
	Book  []string `json:"book,omitempty"`
}

func (p *Plan) identity() (identity, error) {
	s := p.Spec
	id := identity{
		Name: s.Name, Format: s.Format, Setting: s.Setting, Seed: s.Seed, Plies: s.Opening.Plies,
		Adjudicate: s.Adjudicate, Turns: s.Turns, Faults: *s.Faults, Clocks: s.Clocks,
		Evaluations: map[string]string{},
	}
	for _, player := range p.Players {
		id.Players = append(id.Players, playerIdentity(player))
		if player.Peer != nil {
			continue
		}
		data, err := evaluationFile(player.Agent)
		if err != nil {
			return id, fmt.Errorf("agent %s: %w", player.Label, err)
		}
		if data != nil {
			id.Evaluations[player.Label] = jobs.Hash(data)
		}
	}
	for _, g := range p.Games {
		game := gameIdentity{Label: g.Label, Sum: g.Sum, Roles: g.Roles}
		for i := range g.Book {
			game.Book = append(game.Book, spellLine(g.Book[i]))
		}
		id.Games = append(id.Games, game)
	}
	return id, nil
}
