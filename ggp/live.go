package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/reasoner"
)

// liveView prints a match as it goes on: on a terminal each state takes the place
// of the one before, elsewhere they stand one below the other.
type liveView struct {
	session *console.Session
	roles   []string
	options board.Options
	inPlace bool
	think   *thoughts // nil: what players think is not told

	mu    sync.Mutex // the clock is drawn beside the rest
	lines int        // on the screen, since it was cleared
	said  []byte     // of the turn that was shown last
	drawn bytes.Buffer
}

// Write shows what people are asked, and counts its lines.
func (v *liveView) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lines += bytes.Count(p, []byte("\n"))
	if len(p) > 0 && p[len(p)-1] != '\n' { // a prompt, behind which a line is typed
		v.lines++
	}
	return v.session.Out.Write(p)
}

// newLiveView makes the view of a match of the game, whose rules have been
// parsed. A drawing file that can't be read is told, and done without.
func newLiveView(s *console.Session, game games.Game, rules []kif.Term) *liveView {
	v := &liveView{session: s, options: drawingOptions(s), inPlace: drawsInPlace(s)}
	drawing, err := readDrawing(game)
	if err != nil {
		fmt.Fprintf(s.Errout, "ggp: %v; the board is drawn without it\n", err)
	}
	v.options.Drawing = drawing
	if program, _ := reasoner.Analyze(rules); program != nil {
		v.roles = load.RoleNames(program)
		v.options.Possible = program.Fluents()
	}
	return v
}

// drawsInPlace tells whether the output is a terminal that can be told where to
// write.
func drawsInPlace(s *console.Session) bool {
	return console.IsTerminal(s.Out) && allowsControl()
}

// What a terminal obeys: go to the top and clear the screen; draw in the first line
// and come back.
const (
	clearScreen = "\x1b[H\x1b[2J"
	toFirstLine = "\x1b7\x1b[1;1H\x1b[2K"
	comeBack    = "\x1b8"
)

// show prints one turn: the moves with the time they took, faults, the board.
func (v *liveView) show(e referee.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	w := new(bytes.Buffer)
	if v.options.Frame == nil {
		v.options.Frame = e.State
	}
	fmt.Fprintf(w, "step %d%s\n", e.Step, takenBack(e.Back))
	for i, role := range v.roles {
		fmt.Fprintf(w, "  %s: %s\n", printable.Text(role, console.ShownText), strings.Join(v.turn(e, i), "  "))
		if thought := v.think.of(i, e.Step); thought != "" && e.Moves != nil {
			fmt.Fprintf(w, "    %s\n", printable.Text(thought, 2*console.ShownText))
		}
	}
	for _, note := range e.Notes {
		fmt.Fprintf(w, "  %s\n", printable.Text(note, console.ErrorLine))
	}
	if e.Back > 0 {
		v.options.Before = nil // nobody moved
	}
	v.draw(w.Bytes(), e.State)
}

// draw shows a turn: what is said of it, and the board.
func (v *liveView) draw(said []byte, state []kif.Term) {
	v.said = said
	v.drawn.Reset()
	board.Draw(&v.drawn, state, v.options)
	v.options.Before = state
	v.put()
}

// put writes the turn that was drawn last.
func (v *liveView) put() {
	if v.inPlace {
		fmt.Fprint(v.session.Data(), clearScreen+"\n") // the first line is for the clock
	}
	v.lines = 3 + bytes.Count(v.said, []byte("\n")) + bytes.Count(v.drawn.Bytes(), []byte("\n"))
	_, _ = v.session.Out.Write(v.said)             // errors of the output
	_, _ = v.session.Data().Write(v.drawn.Bytes()) // are told at the end
	fmt.Fprintln(v.session.Out)
}

// again shows the turn once more, for a person who has lost sight of it.
func (v *liveView) again() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.put()
}

// turn is what is told of the part of one role.
func (v *liveView) turn(e referee.Event, i int) (line []string) {
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
	return line
}

func takenBack(steps int) string {
	if steps == 0 {
		return ""
	}
	return ", " + words.Count(steps, "step was", "steps were") + " taken back"
}

// clock draws the time that a person has left into the first line, unless that has
// been scrolled away.
func (v *liveView) clock(role string, left time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if f, ok := console.FileOf(v.session.Out); ok {
		if _, height, err := term.GetSize(int(f.Fd())); err == nil && v.lines > height {
			return
		}
	}
	text := "the others think"
	if left > 0 {
		text = fmt.Sprintf("%s to move, %s left", printable.Text(role, console.ShownText), referee.Remaining(left))
	}
	fmt.Fprint(v.session.Data(), toFirstLine+text+comeBack)
}
