package arena

import (
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"semisplit/internal/revision"
	"semisplit/internal/words"
	"semisplit/player/local"
)

// Markdown writes the tables of a summary. charts are files to show below the
// tables, with paths relative to the report.
func (s Summary) Markdown(w io.Writer, charts []string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n\n", PlainMarkdown(s.Name))
	if s.Description != "" {
		fmt.Fprintf(&text, "%s\n\n", PlainMarkdown(s.Description))
	}
	fmt.Fprintf(&text, "%s of each game, agent, baseline and setting, seats rotated; %s.\n", words.Count(s.Plays, "play", "plays"), s.conditions())
	for _, r := range distinct(s.Runs) {
		fmt.Fprintf(&text, "Played on %s: %s; program %s; %s at once.\n", r.Started.Format(time.DateOnly), PlainMarkdown(r.Machine), program(r.Revision), words.Count(r.Parallel, "match", "matches"))
	}
	for _, t := range s.Tables {
		t.markdown(&text, s.SPRT, s.Plays)
	}
	for _, chart := range charts {
		fmt.Fprintf(&text, "\n![%s](%s)\n", PlainMarkdown(strings.TrimSuffix(chart, path.Ext(chart))), LinkTarget(chart))
	}
	s.budgets(&text)
	s.machines(&text)
	s.choices(&text)
	s.speeds(&text)
	s.faults(&text)
	s.failures(&text)
	_, err := io.WriteString(w, text.String())
	return err
}

// program names the program of a run by its commit.
func program(built string) string {
	if built == revision.Unknown {
		return "of an unknown commit (make build notes it)"
	}
	return PlainMarkdown(built)
}

// conditions are what all tables have in common.
func (s Summary) conditions() string {
	text := "all moves on one goroutine, no thinking in another's turn, a single legal move is played at once"
	if s.Cores > 0 {
		text = "matches over HTTP with clocks, each between new processes; a random move takes the place of one that is late or illegal"
	}
	if s.Opening > 0 {
		text += fmt.Sprintf("; %s at the start, the same in all plays of a set, and intervals of sets", words.Count(s.Opening, "random joint move", "random joint moves"))
	}
	if s.SPRT != nil {
		low, high := s.SPRT.Bounds()
		text += fmt.Sprintf("; series end early when a sequential test accepts a win rate of %.1f%% (ratio at most %.2f) or of %.1f%% (at least %.2f)",
			100*s.SPRT.Rate0, low, 100*s.SPRT.Rate1, high)
	}
	return text
}

// distinct leaves out runs that say the same as the one before.
func distinct(runs []Run) (list []Run) {
	for _, r := range runs {
		r.Started = r.Started.Truncate(24 * time.Hour)
		if len(list) == 0 || list[len(list)-1] != r {
			list = append(list, r)
		}
	}
	return list
}

// Title names a table.
func (t Table) Title() string {
	return fmt.Sprintf("Win rates against %s, %s", t.Baseline, t.Setting.Label())
}

func (t Table) markdown(w io.Writer, test *SPRT, plays int) {
	fmt.Fprintf(w, "\n## %s\n\n", PlainMarkdown(t.Title()))
	fmt.Fprint(w, "| game |")
	for _, label := range t.Agents {
		fmt.Fprintf(w, " %s |", PlainMarkdown(label))
	}
	fmt.Fprintf(w, "\n|---%s|\n", strings.Repeat("|--:", len(t.Agents)))
	for g, game := range t.Games {
		fmt.Fprintf(w, "| %s |", PlainMarkdown(game))
		for a := range t.Agents {
			fmt.Fprintf(w, " %s |", t.Cells[a][g].text(test, plays))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| **mean** |")
	for _, m := range t.Means {
		fmt.Fprintf(w, " %s |", percent(m.Estimate))
	}
	fmt.Fprint(w, "\n| better:similar:worse |")
	for _, m := range t.Means {
		fmt.Fprintf(w, " %d:%d:%d |", m.Better, m.Similar, m.Worse)
	}
	fmt.Fprint(w, "\n\nPercent, with 95% intervals. **Bold**: the whole interval is above 50%; *italic*: below; †: also after Holm's correction over the games of the agent.")
	if test != nil {
		fmt.Fprint(w, " ↑, ↓: where the sequential test ended, after so many plays; LLR: its ratio. Without an arrow it has not decided.")
	}
	fmt.Fprintln(w)
}

// text is a cell of a table in which so many plays were to be made.
func (c Cell) text(test *SPRT, plays int) string {
	text := percent(c.Estimate)
	switch c.Standing() {
	case Better:
		text = "**" + text + "**"
	case Worse:
		text = "*" + text + "*"
	}
	if c.Significant {
		text += "†"
	}
	if test != nil {
		text += map[Verdict]string{AcceptRate0: " ↓", AcceptRate1: " ↑"}[c.Verdict]
		if c.Plays > 0 {
			text += fmt.Sprintf("; %s, LLR %.2f", words.Count(c.Plays, "play", "plays"), c.Ratio)
		}
	} else if c.Plays > 0 && c.Plays+c.Failed+c.LeftOut < plays {
		text += fmt.Sprintf(", %s so far", words.Count(c.Plays, "play", "plays"))
	}
	if c.Paper != nil {
		text += fmt.Sprintf("; paper %.1f", 100**c.Paper)
	}
	if c.Failed > 0 {
		text += fmt.Sprintf(", %d failed", c.Failed)
	}
	if c.LeftOut > 0 {
		text += fmt.Sprintf(", %d left out", c.LeftOut)
	}
	return text
}

// percent writes an estimate, if there is one.
func percent(e Estimate) string {
	switch {
	case e.N == 0:
		return "-"
	case e.N < 2:
		return fmt.Sprintf("%.1f, %s", 100*e.Mean, TooFewPlays)
	case e.TooFew():
		return e.Percent() + ", " + TooFewPlays
	}
	return e.Percent()
}

// TooFewPlays is said of an estimate that says little.
const TooFewPlays = "too few plays"

func (s Summary) budgets(w io.Writer) {
	if len(s.Budgets) == 0 {
		return
	}
	fmt.Fprint(w, "\n## Budgets\n\n| game | setting | baseline | states a move |\n|---|---|---|--:|\n")
	for _, b := range s.Budgets {
		fmt.Fprintf(w, "| %s | %s | %s | %d |\n", PlainMarkdown(b.Game), PlainMarkdown(b.Setting), PlainMarkdown(b.Baseline), b.States)
	}
}

// machines tells how the games were played: by which plan, in how many lanes.
func (s Summary) machines(w io.Writer) {
	if len(s.Machines) == 0 {
		return
	}
	fmt.Fprint(w, "\n## Machines\n\n| game | agent | engine | plan | lanes |\n|---|---|---|---|--:|\n")
	for _, m := range s.Machines {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %d |\n", PlainMarkdown(m.Game), PlainMarkdown(m.Agent), PlainMarkdown(m.Machine.Engine), PlainMarkdown(m.Machine.Plan), max(1, m.Machine.Lanes))
	}
}

// choices tells what was chosen automatically, and why.
func (s Summary) choices(w io.Writer) {
	if len(s.Choices) == 0 {
		return
	}
	fmt.Fprint(w, "\n## Automatic choices\n\n| game | setting | agent | choice | why |\n|---|---|---|---|---|\n")
	for _, c := range s.Choices {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", PlainMarkdown(c.Game), PlainMarkdown(c.Setting), PlainMarkdown(c.Label), PlainMarkdown(c.Agent.Description), PlainMarkdown(c.Why))
	}
}

// speeds tells what the agents did with their time. Such figures differ from
// run to run.
func (s Summary) speeds(w io.Writer) {
	fmt.Fprint(w, "\n## Speeds\n\n| game | setting | agent | turns | moves | states/s | iterations/s | playouts/s | ms a move | longest ms |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	row := func(game, setting, label string, c Cell, e local.Effort) {
		if e.Moves == 0 {
			return
		}
		seconds := e.Time.Seconds()
		speeds := " - | - | - "
		if s.Cores == 0 {
			speeds = fmt.Sprintf(" %.0f | %.0f | %.0f ", float64(e.States)/seconds, float64(e.Iterations)/seconds, float64(e.Playouts)/seconds)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %.1f | %.1f |%s| %s | %s |\n", PlainMarkdown(game), PlainMarkdown(setting), PlainMarkdown(label), c.Turns,
			float64(e.Moves)/float64(c.Plays), speeds, milliseconds(seconds/float64(e.Moves)), milliseconds(e.Longest.Seconds()))
	}
	for _, t := range s.Tables {
		for g, game := range t.Games {
			all := Cell{}
			for a, label := range t.Agents {
				c := t.Cells[a][g]
				row(game, t.Setting.Label(), label, c, c.Agent)
				all.Turns = (all.Turns*float64(all.Plays) + c.Turns*float64(c.Plays)) / max(1, float64(all.Plays+c.Plays))
				all.Plays += c.Plays
				all.Baseline.Join(c.Baseline)
			}
			row(game, t.Setting.Label(), t.Baseline, all, all.Baseline)
		}
	}
	if s.Cores > 0 {
		fmt.Fprint(w, "\nMoves are those of a play, by all seats of the agent; their time is that until the reply.\n")
		return
	}
	fmt.Fprint(w, "\nMoves are those of a play, by all seats of the agent, that had a choice. States are joint moves that the engines played.\n")
}

// milliseconds writes seconds with three digits, or with all before the point.
func milliseconds(seconds float64) string {
	ms := 1000 * seconds
	if ms >= 1000 {
		return fmt.Sprintf("%.0f", ms)
	}
	return fmt.Sprintf("%.3g", ms)
}

// faults tells of the faults in the plays that count, and of the plays that do
// not for their number.
func (s Summary) faults(w io.Writer) {
	if s.Cores == 0 {
		return
	}
	fmt.Fprint(w, "\n## Faults\n\n")
	var rows strings.Builder
	for _, t := range s.Tables {
		for g, game := range t.Games {
			for a, label := range t.Agents {
				for side, f := range t.Cells[a][g].Faults {
					if f != (Faults{}) {
						fmt.Fprintf(&rows, "| %s | %s | %s | %s | %d | %d | %d | %d |\n", PlainMarkdown(game), PlainMarkdown(t.Setting.Label()),
							PlainMarkdown(label+" against "+t.Baseline), PlainMarkdown([]string{label, t.Baseline}[side]), f.Start, f.Late, f.Lost, f.Illegal)
					}
				}
			}
		}
	}
	if rows.Len() == 0 {
		fmt.Fprint(w, "None in the plays that count.\n")
	} else {
		fmt.Fprintf(w, "In the plays that count:\n\n| game | setting | plays | player | late to START | late | lost | illegal |\n|---|---|---|---|--:|--:|--:|--:|\n%s", &rows)
	}
	fmt.Fprintf(w, "\nPeer faults: %s left out, in which a player of others did not listen, or was at fault in more than %s.\n",
		words.Count(len(s.LeftOut), "play", "plays"), words.Count(s.PeerFaults, "turn", "turns"))
	list(w, s.LeftOut)
}

func (s Summary) failures(w io.Writer) {
	if len(s.Failures) == 0 {
		return
	}
	fmt.Fprintf(w, "\n## Failures\n\nPlays that failed: %d. They count for nobody.\n", len(s.Failures))
	list(w, s.Failures)
}

// list tells of plays with errors.
func list(w io.Writer, plays []Play) {
	if len(plays) > 0 {
		fmt.Fprintln(w)
	}
	for _, p := range plays {
		first, _, _ := strings.Cut(p.Error, "\n")
		fmt.Fprintf(w, "- %s, %s, %s against %s, play %d (%s): %s\n", PlainMarkdown(p.Game), PlainMarkdown(p.Setting), PlainMarkdown(p.Agent), PlainMarkdown(p.Baseline), p.Number, PlainMarkdown(p.Seats), PlainMarkdown(first))
	}
}
