package agent

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"semisplit/internal/strictjson"
	"semisplit/search/final"
)

// maxAgentFile bounds the text of an agent file, in bytes.
const maxAgentFile = 1 << 20

// Load reads an agent file.
func Load(path string) (Agent, error) {
	file, err := os.Open(path)
	if err != nil {
		return Agent{}, fmt.Errorf("agent file: %w", err)
	}
	defer file.Close()
	agent, err := Read(file)
	if err != nil {
		return Agent{}, fmt.Errorf("agent file %s: %w", path, err)
	}
	return agent, nil
}

// Read reads an agent from JSON. Every value is checked, heuristics get
// the parameters that are not given, and a key that does not exist is an
// error which names the one that is likely meant.
func Read(r io.Reader) (Agent, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxAgentFile+1))
	if err != nil {
		return Agent{}, err
	}
	if len(text) > maxAgentFile {
		return Agent{}, fmt.Errorf("an agent file has at most %d bytes", maxAgentFile)
	}
	root, err := strictjson.Parse(text)
	if err != nil {
		return Agent{}, err
	}
	given, err := checkKeys(root)
	if err != nil {
		return Agent{}, err
	}
	agent := Default()
	agent.Description = ""
	if err := json.Unmarshal(text, &agent); err != nil {
		return Agent{}, fmt.Errorf("BUG: checked and not read: %w", err)
	}
	if agent.Heuristics == nil { // null in the file
		agent.Heuristics = []Heuristic{}
	}
	for i := range agent.Heuristics {
		agent.Heuristics[i] = agent.Heuristics[i].Complete()
	}
	if !given[explorationParameter] {
		agent.Algorithm.Parameters.ExplorationConstant = agent.usualExploration()
	}
	if _, grave := agent.Grave(); grave && !given[finalParameter] {
		agent.Algorithm.Parameters.FinalSelection = final.Visits
	}
	return agent, agent.checkTogether()
}

// usualExploration is the exploration constant of an agent that names none.
func (a Agent) usualExploration() float64 {
	if a.Combinatorial() {
		return dimensionExploration
	}
	if h, _ := a.heuristic(raveNames); h != nil {
		return explorationWithRave
	}
	if _, grave := a.Grave(); grave {
		return explorationWithGrave
	}
	if len(a.Heuristics) > 0 {
		return guidedExploration
	}
	return defaultExploration
}
