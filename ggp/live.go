package main

import (
	"fmt"
	"strings"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/reasoner"
)

// liveView prints a match as it goes on.
type liveView struct {
	session *session
	roles   []string
	options board.Options
}

// newLiveView makes the view of a match of the game, whose rules have been
// parsed. A drawing file that can't be read is told, and done without.
func newLiveView(s *session, game games.Game, rules []kif.Term) *liveView {
	v := &liveView{session: s, options: drawingOptions(s)}
	drawing, err := readDrawing(game)
	if err != nil {
		fmt.Fprintf(s.errout, "ggp: %v; the board is drawn without it\n", err)
	}
	v.options.Drawing = drawing
	if program, _ := reasoner.Analyze(rules); program != nil {
		v.roles = roleNames(program)
	}
	return v
}

// show prints one turn: the moves with the time they took, faults, the board.
func (v *liveView) show(e referee.Event) {
	w := v.session.out
	if e.Step == 0 {
		v.options.Frame = e.State
	}
	fmt.Fprintf(w, "step %d\n", e.Step)
	for i, role := range v.roles {
		var line []string
		if e.Moves != nil {
			line = append(line, e.Moves[i].String())
		}
		line = append(line, fmt.Sprintf("%.2f s", e.Elapsed[i].Seconds()))
		if e.Faults[i] != "" {
			line = append(line, "FAULT "+e.Faults[i])
			if e.Moves != nil {
				line = append(line, "(a random legal move was played)")
			}
		}
		fmt.Fprintf(w, "  %s: %s\n", role, strings.Join(line, "  "))
	}
	board.Draw(w, e.State, v.options)
	fmt.Fprintln(w)
}
