package player

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Agent is the content of an agent file: who plays, and how. Sections and
// keys follow the configuration files of the published semisplit agents;
// what is missing has the value of DefaultAgent.
type Agent struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	General     General     `json:"general"`
	Algorithm   Algorithm   `json:"algorithm"`
	Heuristics  []Heuristic `json:"heuristics"` // none can be chosen so far
}

// General holds what does not depend on the algorithm.
type General struct {
	// BufferTime is the part of every clock, in milliseconds, kept back for
	// the way to the manager. 0: chosen by the clock. More is kept as soon as
	// replies turn out to leave late.
	BufferTime int `json:"buffer_time"`
	// SimulateDuringOppTurn lets the search go on while the manager waits for
	// the others.
	SimulateDuringOppTurn bool `json:"simulate_during_opp_turn"`
	// Threads of the search, for each match. 0: one for each processor.
	Threads int `json:"threads"`
	// Memory of the search tree in bytes, for each match. 0: the default of
	// the service.
	Memory int64 `json:"memory"`
}

// Algorithm is the search. Only MCTS exists.
type Algorithm struct {
	Name       string     `json:"name"`
	Parameters Parameters `json:"parameters"`
}

// Parameters tune the search.
type Parameters struct {
	// ExplorationConstant is the C of UCT, for scores in [0, 1].
	ExplorationConstant float64 `json:"exploration_constant"`
	// Iterations ends the search of a turn after so many iterations; 0: by
	// the clock alone. With a bound there is no search outside the turn.
	Iterations int64 `json:"iterations"`
}

// Heuristic is an entry of the heuristics section.
type Heuristic struct {
	Name       string         `json:"name"`
	Parameters map[string]any `json:"parameters"`
}

// DefaultAgent is what an empty agent file stands for.
func DefaultAgent() Agent {
	return Agent{
		Name:      "semisplit",
		General:   General{SimulateDuringOppTurn: true},
		Algorithm: Algorithm{Name: "MCTS", Parameters: Parameters{ExplorationConstant: 0.7}},
	}
}

// LoadAgent reads an agent file.
func LoadAgent(path string) (Agent, error) {
	file, err := os.Open(path)
	if err != nil {
		return Agent{}, fmt.Errorf("agent file: %w", err)
	}
	defer file.Close()
	agent, err := ReadAgent(file)
	if err != nil {
		return Agent{}, fmt.Errorf("agent file %s: %w", path, err)
	}
	return agent, nil
}

// ReadAgent reads an agent from JSON. A key that does not exist is an error
// which names the nearest one that does.
func ReadAgent(r io.Reader) (Agent, error) {
	text, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil {
		return Agent{}, err
	}
	agent := DefaultAgent()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&agent); err != nil {
		return Agent{}, explainJSON(text, dec.InputOffset(), err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Agent{}, errors.New("text after the end of the JSON object")
	}
	return agent, agent.check()
}

func (a Agent) check() error {
	switch {
	case a.Name == "" || strings.ContainsAny(a.Name, " \t\r\n();"):
		return fmt.Errorf("name: %q is not a name: it needs letters, and no blanks or parentheses", a.Name)
	case a.General.BufferTime < 0:
		return fmt.Errorf("general.buffer_time: %d is negative; milliseconds, or 0 for the default", a.General.BufferTime)
	case a.General.Threads < 0:
		return fmt.Errorf("general.threads: %d is negative; a number of threads, or 0 for all processors", a.General.Threads)
	case a.General.Memory < 0:
		return fmt.Errorf("general.memory: %d is negative; bytes, or 0 for the default", a.General.Memory)
	case a.Algorithm.Name != "MCTS":
		return fmt.Errorf("algorithm.name: %q is unknown; the only algorithm is \"MCTS\"", a.Algorithm.Name)
	case !(a.Algorithm.Parameters.ExplorationConstant >= 0):
		return fmt.Errorf("algorithm.parameters.exploration_constant: %v is negative", a.Algorithm.Parameters.ExplorationConstant)
	case a.Algorithm.Parameters.Iterations < 0:
		return fmt.Errorf("algorithm.parameters.iterations: %d is negative; a number, or 0 for no bound", a.Algorithm.Parameters.Iterations)
	case len(a.Heuristics) > 0:
		return fmt.Errorf("heuristics: %q is unknown; there is none to choose from, leave the list empty", a.Heuristics[0].Name)
	}
	return nil
}

// agentKeys are the keys of the file, for advice on misspelt ones.
var agentKeys = []string{
	"name", "description", "general", "algorithm", "heuristics", "buffer_time", "simulate_during_opp_turn",
	"threads", "memory", "parameters", "exploration_constant", "iterations",
}

// explainJSON adds line and advice to an error of encoding/json.
func explainJSON(text []byte, offset int64, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	line := 1 + bytes.Count(text[:min(max(offset, 0), int64(len(text)))], []byte("\n"))
	if quoted, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		key := strings.Trim(quoted, `"`)
		near := nearest(key, agentKeys)
		if near == key {
			return fmt.Errorf("key %q belongs to another section", key)
		}
		return fmt.Errorf("unknown key %q: did you mean %q?", key, near)
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// nearest is the word with the fewest edits to key, the first of equals.
func nearest(key string, words []string) string {
	best, least := "", 1<<30
	for _, word := range words {
		if d := edits(key, word); d < least {
			best, least = word, d
		}
	}
	return best
}

// edits is the Levenshtein distance of two words, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// buffer is BufferTime as a duration.
func (g General) buffer() time.Duration { return time.Duration(g.BufferTime) * time.Millisecond }
