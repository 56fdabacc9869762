package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/reasoner"
)

// liveView prints a match as it goes on.
type liveView struct {
	session *session
	roles   []string
	options drawOptions
}

func newLiveView(s *session, rules []kif.Term) *liveView {
	v := &liveView{session: s, options: drawOptions{color: isTerminal(s.out)}}
	if f, ok := s.out.(*os.File); ok && isTerminal(f) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			v.options.width = width
		}
	}
	if program, _ := reasoner.Analyze(rules); program != nil {
		v.roles = roleNames(program)
	}
	return v
}

// show prints one turn: the moves with the time they took, faults, the board.
func (v *liveView) show(e referee.Event) {
	w := v.session.out
	if e.Step == 0 {
		v.options.frame = e.State
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
	drawBoard(w, e.State, v.options)
	fmt.Fprintln(w)
}
