package arena

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// identity is all that results depend on, as it is kept beside them. What is
// missing may change between two runs: more plays go on where the others end.
type identity struct {
	Name     string          `json:"name"`
	Games    []gameIdentity  `json:"games"`
	Agents   []agentIdentity `json:"agents"`
	Baseline []agentIdentity `json:"baselines"`
	Settings []Setting       `json:"settings"`
	Seed     uint64          `json:"seed"`
	Opening  int             `json:"opening"`
	SPRT     *SPRT           `json:"sprt"`
	Turns    int             `json:"turns"`
}

type gameIdentity struct {
	Label string `json:"label"`
	Sum   string `json:"sum"`
	Set   int    `json:"set"` // plays of a set
}

type agentIdentity struct {
	Label string          `json:"label"`
	Agent json.RawMessage `json:"agent"`
}

func (p *Plan) identity() (identity, error) {
	s := p.Spec
	id := identity{Name: s.Name, Settings: s.Settings, Seed: s.Seed, Opening: s.Opening, SPRT: s.SPRT, Turns: s.Turns}
	for _, g := range p.Games {
		id.Games = append(id.Games, gameIdentity{g.Label, g.Sum, len(g.plays)})
	}
	for _, list := range []struct {
		from []Contender
		to   *[]agentIdentity
	}{{p.Agents, &id.Agents}, {p.Baselines, &id.Baseline}} {
		for _, c := range list.from {
			text, err := json.Marshal(c.Agent)
			if err != nil {
				return identity{}, fmt.Errorf("agent %s: %w", c.Label, err)
			}
			*list.to = append(*list.to, agentIdentity{c.Label, text})
		}
	}
	return id, nil
}

// differences names the parts in which two identities differ.
func differences(a, b identity) string {
	var parts []string
	for _, part := range []struct {
		name string
		a, b any
	}{
		{"name", a.Name, b.Name}, {"games", a.Games, b.Games}, {"agents", a.Agents, b.Agents}, {"baselines", a.Baseline, b.Baseline},
		{"settings", a.Settings, b.Settings}, {"seed", a.Seed, b.Seed}, {"opening", a.Opening, b.Opening}, {"sprt", a.SPRT, b.SPRT}, {"turns", a.Turns, b.Turns},
	} {
		left, _ := json.Marshal(part.a) // plain data
		right, _ := json.Marshal(part.b)
		if !bytes.Equal(left, right) {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, ", ")
}
