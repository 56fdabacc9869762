package main

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// onTerminal runs the command at a pseudo terminal so many columns wide. It types a line each time that
// the screen has shown the pattern before it once more, and returns all that was
// shown.
func onTerminal(t *testing.T, columns uint16, args []string, typed ...[2]string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("pseudo terminals are tried on Linux")
	}
	cmd := exec.CommandContext(t.Context(), "ggp", args...)
	cmd.Env = append(os.Environ(), "TERM=xterm", "LC_ALL=C", "GGP_CONFIG=none", "GGP_KNOWLEDGE=none")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: columns})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	screen := &screen{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(screen, terminal) // ends with an error when the process does
	}()
	from := 0
	for _, step := range typed {
		from = screen.wait(t, regexp.MustCompile(step[0]), from)
		if _, err := io.WriteString(terminal, step[1]); err != nil {
			t.Fatal(err)
		}
	}
	<-done
	_ = cmd.Wait() // the status is not what is tested
	return screen.text()
}

// screen is what a terminal has been sent.
type screen struct {
	mu   sync.Mutex
	sent strings.Builder
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent.String()
}

// wait comes back when the pattern is shown behind a place, with the place behind it.
func (s *screen) wait(t *testing.T, pattern *regexp.Regexp, from int) int {
	t.Helper()
	for limit := time.Now().Add(time.Minute); time.Now().Before(limit); time.Sleep(10 * time.Millisecond) {
		if at := pattern.FindStringIndex(s.text()[from:]); at != nil {
			return from + at[1]
		}
	}
	t.Fatalf("%s is not shown in %q", pattern, s.text())
	return 0
}

// A match at a terminal is drawn in place, with a clock in the first line and the last
// move marked; Ctrl-D ends it.
func TestMatchOnTerminal(t *testing.T) {
	t.Parallel()
	shown := onTerminal(t, 100, []string{"match", "tictactoe", "--player", "human", "--player", "legal", "--start", "60", "--play", "600"},
		[2]string{`your move .*: `, "b2\n"}, [2]string{`your move .*: `, "\x04"})
	for _, pattern := range []string{
		`\x1b\[H\x1b\[2J\r\nstep 0`, `\x1b7\x1b\[1;1H\x1b\[2Kx to move, (10:00|9:\d\d) left\x1b8`,
		`\x1b\[[0-9;]*;7mx\x1b\[0m`, `x \(human\) left after 2 steps: no more input`,
	} {
		if !regexp.MustCompile(pattern).MatchString(shown) {
			t.Errorf("%s is not in %q", pattern, shown)
		}
	}
}

// Boards, legends and lists of moves are as narrow as the terminal.
func TestMatchOnNarrowTerminal(t *testing.T) {
	t.Parallel()
	const columns = 44
	shown := onTerminal(t, columns, []string{"match", "breakthrough", "--player", "human", "--player", "legal", "--start", "60", "--play", "600"},
		[2]string{`your move .*: `, "\x04"})
	if !strings.Contains(shown, "(move a 2 a 3)") {
		t.Errorf("no move is listed in %q", shown)
	}
	control := regexp.MustCompile(`\x1b(\[[0-9;]*[A-Za-z]|[78])`)
	// The clock is drawn elsewhere, also in the midst of a line.
	shown = strings.NewReplacer("\x1b7", "\n", "\x1b8", "\n").Replace(shown)
	for line := range strings.Lines(control.ReplaceAllString(shown, "")) {
		if line = strings.TrimRight(line, "\r\n"); len(line) > columns && !strings.Contains(line, "your move") && !strings.Contains(line, "left after") {
			t.Errorf("%q is longer than %d", line, columns)
		}
	}
}
