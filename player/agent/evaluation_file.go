package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"semisplit/player/evaluation"
)

// EvaluationFile is the content of the file that the agent names as its evaluation; nil
// where it names none, that of a bundled game, or one that is not there.
func (a Agent) EvaluationFile() ([]byte, error) {
	name := a.Algorithm.Parameters.Evaluation
	if IsSource(name) || evaluation.IsBundled(name) {
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("evaluation: %w", err)
	}
	return data, nil
}
