package console

import (
	"bytes"
	"errors"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestLogIsClean: whatever others send, the log neither steers a terminal nor
// grows with it.
func TestLogIsClean(t *testing.T) {
	hostile := []string{"\x1b[2J", "\x1b]0;title\x07", "a\u202eb", `\x1b[31m red`, "two\nlines", strings.Repeat("x", 8<<20)}
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m") // tint's own
	for name, logger := range map[string]func(*bytes.Buffer) *slog.Logger{
		"text":    func(b *bytes.Buffer) *slog.Logger { return newLogger(b, "text", slog.LevelDebug) },
		"json":    func(b *bytes.Buffer) *slog.Logger { return newLogger(b, "json", slog.LevelDebug) },
		"colours": func(b *bytes.Buffer) *slog.Logger { return newTextLogger(b, slog.LevelDebug, true) },
	} {
		for _, text := range hostile {
			var out bytes.Buffer
			log := logger(&out).With("match", text)
			log.Debug("message", "reply", text)
			log.Warn(text, "err", errors.New(text), "names", []string{text}, "any", struct{ Name string }{text})
			line := out.String()
			if name == "colours" {
				line = colours.ReplaceAllString(line, "")
				if strings.Contains(out.String(), "\x1b[31m red") || strings.Contains(out.String(), "\x1b[2J") {
					t.Errorf("%s: colours of others: %q", name, out.String())
				}
			}
			if strings.ContainsAny(line, "\x1b\x07\u202e") || strings.Count(line, "\n") != 2 || len(line) > 5000 {
				t.Errorf("%s: %d bytes: %.200q", name, len(line), line)
			}
		}
	}
	var out bytes.Buffer
	newTextLogger(&out, slog.LevelInfo, false).Warn("move", "turn", 3, "role", "xplayer")
	if line := out.String(); !strings.HasSuffix(line, " WRN move turn=3 role=xplayer\n") {
		t.Errorf("a plain line reads %q", line)
	}
}

// stopped is a terminal that takes nothing until it goes on.
type stopped struct {
	goes chan struct{}
	text bytes.Buffer
}

func (s *stopped) Write(p []byte) (int, error) {
	<-s.goes
	return s.text.Write(p)
}

// TestLogBeside: a player does not wait for whoever reads its log, which says what is
// missing.
func TestLogBeside(t *testing.T) {
	out := &stopped{goes: make(chan struct{})}
	log, end := (&Session{Errout: out}).LogBeside("text")
	const lines = 5000
	for n := range lines {
		log.Info("line", "number", n)
	}
	close(out.goes)
	end()
	log.Info("too late") // which some goroutine may be
	text := out.text.String()
	left := regexp.MustCompile(`left out: nobody took them lines=(\d+)\n`).FindStringSubmatch(text)
	if left == nil || !strings.Contains(text, "line number=0\n") {
		t.Fatalf("%.500s", text)
	}
	if n, err := strconv.Atoi(left[1]); err != nil || strings.Count(text, "\n") != lines-n+1 {
		t.Errorf("%d lines, %s are left out of %d", strings.Count(text, "\n"), left[1], lines)
	}
}
