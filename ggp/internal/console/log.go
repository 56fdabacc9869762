package console

import (
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/lmittmann/tint"

	"semisplit/internal/printable"
)

// newLogger makes the log of a command. What it is told by others is cleaned
// and cut there (printable.Attr).
func newLogger(w io.Writer, form string, level slog.Level) *slog.Logger {
	w = printable.Raw(w) // a log has colours on a terminal
	if form == "json" {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: printable.Attr}))
	}
	return newTextLogger(w, level, IsTerminal(w))
}

func newTextLogger(w io.Writer, level slog.Level, color bool) *slog.Logger {
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !color, ReplaceAttr: textAttr}))
}

// textAttr is printable.Attr for tint, which with colours makes an escape
// character of the four letters \x1b in a text that it has quoted. Bytes it
// quotes and leaves alone.
func textAttr(groups []string, a slog.Attr) slog.Attr {
	a = printable.Attr(groups, a)
	if a.Key != slog.MessageKey && strings.Contains(a.Value.String(), `\x1b`) {
		a.Value = slog.AnyValue([]byte(a.Value.String()))
	}
	return a
}
