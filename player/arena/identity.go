package arena

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"semisplit/player/agent"
	"semisplit/player/jobs"
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

	// Of matches over HTTP alone.
	Cores      int  `json:"cores,omitempty"`
	PeerFaults *int `json:"peer_faults,omitempty"`

	// Evaluations are the hashes of the files that agents name as theirs, by name: the
	// agents say where the files are, and not what is in them.
	Evaluations map[string]string `json:"evaluations,omitempty"`
}

type gameIdentity struct {
	Label string `json:"label"`
	Sum   string `json:"sum"`
	Set   int    `json:"set"` // plays of a set
}

type agentIdentity struct {
	Label string          `json:"label"`
	Agent json.RawMessage `json:"agent"`          // null for a player of others
	Peer  *Peer           `json:"peer,omitempty"` // of others, as it is spelled in the spec
}

func (a agentIdentity) same(b agentIdentity) bool {
	return string(a.Agent) == string(b.Agent) && reflect.DeepEqual(a.Peer, b.Peer)
}

func (p *Plan) identity() (identity, error) {
	s := p.Spec
	id := identity{Name: s.Name, Settings: s.Settings, Seed: s.Seed, Opening: s.Opening, SPRT: s.SPRT, Turns: s.Turns, Cores: s.Cores, PeerFaults: s.PeerFaults}
	for _, g := range p.Games {
		id.Games = append(id.Games, gameIdentity{g.Label, g.Sum, len(g.plays)})
	}
	evaluations := map[string]string{}
	for _, list := range []struct {
		from []Contender
		to   *[]agentIdentity
	}{{p.Agents, &id.Agents}, {p.Baselines, &id.Baseline}} {
		for _, c := range list.from {
			var ours *agent.Agent
			if c.Peer == nil {
				ours = &c.Agent
				data, err := ours.EvaluationFile()
				if err != nil {
					return identity{}, fmt.Errorf("agent %s: %w", c.Label, err)
				}
				if data != nil {
					evaluations[ours.Algorithm.Parameters.Evaluation] = jobs.Hash(data)
				}
			}
			text, err := json.Marshal(ours)
			if err != nil {
				return identity{}, fmt.Errorf("agent %s: %w", c.Label, err)
			}
			*list.to = append(*list.to, agentIdentity{c.Label, text, c.Peer})
		}
	}
	if len(evaluations) > 0 { // none is as in older databases
		id.Evaluations = evaluations
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
		{"cores", a.Cores, b.Cores}, {"peer_faults", a.PeerFaults, b.PeerFaults},
		{"evaluations", a.Evaluations, b.Evaluations},
	} {
		left, _ := json.Marshal(part.a) // plain data
		right, _ := json.Marshal(part.b)
		if !bytes.Equal(left, right) {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, ", ")
}
