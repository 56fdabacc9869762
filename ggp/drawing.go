package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/ggp/internal/console"
)

// drawingOptions says how states are drawn where the session's output goes:
// in colours on a terminal unless NO_COLOR forbids it, and with symbols where
// they can be read.
func drawingOptions(s *console.Session) board.Options {
	o := board.Options{Symbols: readsUTF8()}
	f, ok := console.FileOf(s.Out)
	if !ok || !console.IsTerminal(f) {
		return o
	}
	o.Color = allowsColor()
	o.Width = terminalColumns(s)
	return o
}

// terminalColumns is how wide the terminal is that the session's output goes to: 80 where
// there is none or it does not tell.
func terminalColumns(s *console.Session) int {
	if f, ok := console.FileOf(s.Out); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}

// allowsColor tells whether the environment lets a terminal have colours
// (https://no-color.org).
func allowsColor() bool { return os.Getenv("NO_COLOR") == "" && allowsControl() }

// allowsControl tells whether the terminal, if it is one, obeys.
func allowsControl() bool { return os.Getenv("TERM") != "dumb" }

// readsUTF8 tells whether the environment says that text is UTF-8. On
// Windows it is, whatever is set.
func readsUTF8() bool {
	locale, _, _ := strings.Cut(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")), "@")
	locale = strings.ReplaceAll(strings.ToLower(locale), "-", "")
	return runtime.GOOS == "windows" || strings.HasSuffix(locale, "utf8")
}

// readDrawing reads how a game wants to be drawn; nil if it doesn't say.
func readDrawing(game games.Game) (*board.Drawing, error) {
	if game.Drawing == "" {
		return nil, nil
	}
	d, err := board.Parse(game.Drawing)
	if err != nil {
		return nil, fmt.Errorf("the drawing file of %s: %w", game.Name, err)
	}
	return d, nil
}
