package main

import (
	"fmt"
	"strings"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/reasoner"
)

// liveView prints a match as it goes on.
type liveView struct {
	session *console.Session
	roles   []string
	options board.Options
}

// newLiveView makes the view of a match of the game, whose rules have been
// parsed. A drawing file that can't be read is told, and done without.
func newLiveView(s *console.Session, game games.Game, rules []kif.Term) *liveView {
	v := &liveView{session: s, options: drawingOptions(s)}
	drawing, err := readDrawing(game)
	if err != nil {
		fmt.Fprintf(s.Errout, "ggp: %v; the board is drawn without it\n", err)
	}
	v.options.Drawing = drawing
	if program, _ := reasoner.Analyze(rules); program != nil {
		v.roles = load.RoleNames(program)
	}
	return v
}

// show prints one turn: the moves with the time they took, faults, the board.
func (v *liveView) show(e referee.Event) {
	w := v.session.Out
	if e.Step == 0 {
		v.options.Frame = e.State
	}
	fmt.Fprintf(w, "step %d\n", e.Step)
	for i, role := range v.roles {
		var line []string
		if e.Moves != nil {
			line = append(line, printable.Text(e.Moves[i].Short(console.ShownText), 0))
		}
		line = append(line, fmt.Sprintf("%.2f s", e.Elapsed[i].Seconds()))
		if e.Faults[i] != "" {
			line = append(line, "FAULT "+printable.Text(e.Faults[i], console.ShownText))
			if e.Moves != nil {
				line = append(line, "(a random legal move was played)")
			}
			if e.Why[i] != nil {
				line = append(line, printable.Text(e.Why[i].Error(), printable.LogLimit))
			}
		}
		fmt.Fprintf(w, "  %s: %s\n", printable.Text(role, console.ShownText), strings.Join(line, "  "))
	}
	board.Draw(v.session.Data(), e.State, v.options)
	fmt.Fprintln(w)
}
