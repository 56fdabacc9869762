package referee

import (
	"context"
	"fmt"
	"strings"

	"semisplit/internal/printable"
)

const helpText = `Type the number of a move, or the move: "e2e4", "5 2 5 4" and "(move 5 2 5 4)" are
the same. "e4" is enough where only one move goes there; "e2" shows where that piece can go.
Also: moves      show the legal moves again
      board      show the board again
      hint       what the engine would play
      undo       take your last move back, and what followed
      save FILE  keep the match so far: ggp record show FILE, ggp match GAME --from FILE
      resign     give the match up
      quit       leave the match, as the end of input does (Ctrl-D)
      help, ?    this
`

// obey does what a person types beside moves. known is false where it is no such
// word; an error ends the turn.
func (h *human) obey(ctx context.Context, line string, choices []choice) (known bool, err error) {
	w, t := h.terminal.w, h.terminal
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	word = strings.ToLower(word)
	if rest != "" && word != "save" {
		return false, nil
	}
	switch word {
	case "?", "help":
		fmt.Fprint(w, helpText)
	case "moves":
		show(w, choices, t.Columns)
	case "board":
		if t.Board == nil {
			fmt.Fprintln(w, "There is no board.")
			break
		}
		t.Board()
	case "hint":
		h.hint(ctx)
	case "undo":
		switch {
		case t.NoUndo != "":
			fmt.Fprintln(w, "No move can be taken back: "+t.NoUndo+".")
		case h.chosen == 0:
			fmt.Fprintln(w, "There is no move of yours to take back.")
		default:
			h.chosen--
			return true, ErrUndo
		}
	case "save":
		h.save(rest)
	case "resign":
		return true, ErrResigned
	case "quit", "exit":
		return true, leaving("as typed")
	default:
		return false, nil
	}
	return true, nil
}

func (h *human) hint(ctx context.Context) {
	w, t := h.terminal.w, h.terminal
	if t.Hint == nil {
		fmt.Fprintln(w, "There is nobody to ask.")
		return
	}
	text, err := t.Hint(ctx, h.position)
	if err != nil {
		text = "no hint: " + err.Error()
	}
	fmt.Fprintln(w, printable.Text(text, printable.LogLimit))
}

func (h *human) save(file string) {
	w, t := h.terminal.w, h.terminal
	switch {
	case t.Save == nil:
		fmt.Fprintln(w, "This match cannot be saved.")
	case file == "":
		fmt.Fprintln(w, "Name a file: save FILE.")
	default:
		if err := t.Save(file); err != nil {
			fmt.Fprintf(w, "Not saved: %s\n", printable.Text(err.Error(), printable.LogLimit))
			return
		}
		fmt.Fprintf(w, "Saved in %s.\n", printable.Text(file, printable.LogLimit))
	}
}
