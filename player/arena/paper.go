package arena

import (
	"errors"
	"fmt"
	"slices"
)

// PaperFigure is a win rate that a paper reports, to stand beside ours.
type PaperFigure struct {
	Game     string  `json:"game"`
	Agent    string  `json:"agent"`              // its label
	Baseline string  `json:"baseline,omitempty"` // its label; empty: any
	Setting  string  `json:"setting,omitempty"`  // its label, such as "0.1 s"; empty: any
	Score    float64 `json:"score"`              // in percent
}

// is tells whether the figure is about a series.
func (f PaperFigure) is(key seriesKey) bool {
	return f.Game == key.Game && f.Agent == key.Agent && (f.Baseline == "" || f.Baseline == key.Baseline) && (f.Setting == "" || f.Setting == key.Setting)
}

// checkPaper refuses figures about series that the plan does not have.
func (p *Plan) checkPaper() error {
	for _, f := range p.Spec.Paper {
		if !(f.Score >= 0 && f.Score <= 100) {
			return errors.New("paper: a score is from 0 to 100 percent")
		}
		if !slices.ContainsFunc(p.series(), f.is) {
			return fmt.Errorf("paper: nothing is played of %s, agent %s, baseline %s, setting %s: labels are needed", f.Game, f.Agent, f.Baseline, f.Setting)
		}
	}
	return nil
}

// paperScore is what the paper reports of a series, in [0, 1]; nil: nothing.
func paperScore(figures []PaperFigure, key seriesKey) *float64 {
	i := slices.IndexFunc(figures, func(f PaperFigure) bool { return f.is(key) })
	if i < 0 {
		return nil
	}
	score := figures[i].Score / 100
	return &score
}
