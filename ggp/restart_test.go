package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"semisplit/ggp/internal/console"
	"semisplit/protocol"
)

// TestLostMatch: a player that forgets a match in its middle is told of it anew,
// that is said, and the match goes on without a fault.
func TestLostMatch(t *testing.T) {
	t.Parallel()
	standing, remote := standingPlayer(t)
	defer func() { _ = standing.close() }() // nothing depends on it
	record := filepath.Join(t.TempDir(), "record.json")
	in, typing := io.Pipe()
	shown, told := new(screen), new(screen)
	s := &console.Session{Ctx: t.Context(), In: in, Out: shown, Errout: told}
	done := make(chan int, 1)
	go func() {
		done <- run(s, []string{"match", "tictactoe", "--player", "human", "--player", remote.URL, "--start", "60", "--play", "600", "--record", record})
	}()
	prompt := regexp.MustCompile(`your move .*: `)
	at := shown.wait(t, prompt, 0)
	var kept struct {
		MatchID string `json:"matchId"`
	}
	for kept.MatchID == "" { // it is written beside the match
		if text, err := os.ReadFile(record); err == nil {
			_ = json.Unmarshal(text, &kept) // it may not be there yet
		}
	}
	if _, err := protocol.NewClient(protocol.ClientOptions{}).Abort(t.Context(), remote, kept.MatchID); err != nil {
		t.Fatal(err)
	}
	typeLine(t, typing, "b2\n")
	at = shown.wait(t, regexp.MustCompile(`said busy to a match that it took part in: the match was started anew there`), at)
	shown.wait(t, prompt, at)
	typeLine(t, typing, "quit\n")
	if code := <-done; code != console.ExitFailed {
		t.Errorf("exit status %d", code)
	}
	if regexp.MustCompile("FAULT").MatchString(shown.text()) {
		t.Errorf("there were faults:\n%s", shown.text())
	}
}

func typeLine(t *testing.T, w io.Writer, line string) {
	t.Helper()
	if _, err := io.WriteString(w, line); err != nil {
		t.Fatal(err)
	}
}
