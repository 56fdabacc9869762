package console

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lmittmann/tint"

	"semisplit/internal/printable"
)

// newLogger makes the log of a command. What it is told by others is cleaned
// and cut there (printable.Attr).
func newLogger(w io.Writer, form string, level slog.Level) *slog.Logger {
	w = printable.Raw(w) // a log has colours on a terminal
	return newLoggerOn(w, form, level, IsTerminal(w))
}

func newLoggerOn(w io.Writer, form string, level slog.Level, color bool) *slog.Logger {
	if form == "json" {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: printable.Attr}))
	}
	return newTextLogger(w, level, color)
}

// beside writes lines on a goroutine of its own. Those that find no room are left out, for
// a terminal that was stopped, or a reader that does not read, is to hold up nobody.
type beside struct {
	lines     chan []byte
	left      atomic.Int64 // out
	end, gone chan struct{}
}

// newBeside begins. tell is told how many lines were left out, once there is room again.
func newBeside(w io.Writer, tell func(left int64)) *beside {
	const room = 1024
	b := &beside{lines: make(chan []byte, room), end: make(chan struct{}), gone: make(chan struct{})}
	write := func(line []byte) {
		_, _ = w.Write(line) // as slog does
		if left := b.left.Swap(0); left > 0 {
			tell(left)
		}
	}
	go func() {
		defer close(b.gone)
		for {
			select {
			case line := <-b.lines:
				write(line)
			case <-b.end:
				for range len(b.lines) {
					write(<-b.lines)
				}
				return
			}
		}
	}()
	return b
}

func (b *beside) Write(line []byte) (int, error) {
	select {
	case b.lines <- bytes.Clone(line):
	default:
		b.left.Add(1)
	}
	return len(line), nil
}

// close waits for what is still to be written, but not long.
func (b *beside) close() {
	close(b.end)
	select {
	case <-b.gone:
	case <-time.After(time.Second):
	}
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
