package arena

import (
	"encoding/csv"
	"io"
	"strconv"
)

// Row is what a report says of one series, for programs. Rates are in [0, 1].
type Row struct {
	Setting   string   `json:"setting"`
	Baseline  string   `json:"baseline"`
	Agent     string   `json:"agent"`
	Game      string   `json:"game"` // empty: the mean over the games
	Plays     int      `json:"plays"`
	Wins      int      `json:"wins"`
	Draws     int      `json:"draws"`
	Losses    int      `json:"losses"`
	Failed    int      `json:"failed"`
	LeftOut   int      `json:"left_out"`
	Rate      *float64 `json:"rate"` // nil: no plays, or no whole set where sets count
	Low       *float64 `json:"low"`  // of the 95% interval
	High      *float64 `json:"high"`
	TooFew    bool     `json:"too_few"` // plays to say much: see Estimate.TooFew
	Standing  string   `json:"standing"`
	Holm      bool     `json:"holm"` // better or worse also after Holm's correction
	LLR       *float64 `json:"llr,omitempty"`
	SPRT      string   `json:"sprt,omitempty"` // how the sequential test stands
	Paper     *float64 `json:"paper,omitempty"`
	MeanTurns float64  `json:"mean_turns"`
}

// Rows are all series of a summary, each agent's mean behind its games.
func (s Summary) Rows() (rows []Row) {
	for _, t := range s.Tables {
		for a, label := range t.Agents {
			row := Row{Setting: t.Setting.Label(), Baseline: t.Baseline, Agent: label}
			for g, game := range t.Games {
				c := t.Cells[a][g]
				one := row
				one.Game, one.Plays, one.Wins, one.Draws, one.Losses = game, c.Plays, c.Wins, c.Draws, c.Losses
				one.Failed, one.LeftOut, one.Holm, one.Paper, one.MeanTurns = c.Failed, c.LeftOut, c.Significant, c.Paper, c.Turns
				one.estimate(c.Estimate)
				if s.SPRT != nil && c.Plays > 0 {
					ratio := c.Ratio
					one.LLR, one.SPRT = &ratio, c.Verdict.String()
				}
				rows = append(rows, one)
			}
			m := t.Means[a]
			for _, c := range t.Cells[a] {
				row.Plays += c.Plays
				row.Wins, row.Draws, row.Losses = row.Wins+c.Wins, row.Draws+c.Draws, row.Losses+c.Losses
				row.Failed, row.LeftOut = row.Failed+c.Failed, row.LeftOut+c.LeftOut
				row.MeanTurns += c.Turns * float64(c.Plays)
			}
			row.MeanTurns /= max(float64(row.Plays), 1)
			row.estimate(m.Estimate)
			rows = append(rows, row)
		}
	}
	return rows
}

func (r *Row) estimate(e Estimate) {
	if e.N == 0 {
		return
	}
	r.Rate, r.Low, r.High, r.TooFew = &e.Mean, &e.Low, &e.High, e.TooFew()
	r.Standing = map[Standing]string{Similar: "similar", Better: "better", Worse: "worse"}[e.Standing()]
}

// CSV writes the rows with a head.
func (s Summary) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{ // the error stays with the writer
		"setting", "baseline", "agent", "game", "plays", "wins", "draws", "losses", "failed", "left_out",
		"rate", "low", "high", "too_few", "standing", "holm", "llr", "sprt", "paper", "mean_turns",
	})
	real := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'f', 4, 64)
	}
	for _, r := range s.Rows() {
		_ = out.Write([]string{
			r.Setting, r.Baseline, r.Agent, r.Game, strconv.Itoa(r.Plays), strconv.Itoa(r.Wins), strconv.Itoa(r.Draws), strconv.Itoa(r.Losses),
			strconv.Itoa(r.Failed), strconv.Itoa(r.LeftOut), real(r.Rate), real(r.Low), real(r.High), strconv.FormatBool(r.TooFew), r.Standing,
			strconv.FormatBool(r.Holm), real(r.LLR), r.SPRT, real(r.Paper), strconv.FormatFloat(r.MeanTurns, 'f', 2, 64),
		})
	}
	out.Flush()
	return out.Error()
}
