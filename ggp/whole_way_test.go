package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/protocol"
	"semisplit/protocol/servers"
)

// command runs one command line and returns what it printed.
func command(t *testing.T, ctx context.Context, want int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code := run(&console.Session{Ctx: ctx, In: strings.NewReader(""), Out: &out, Errout: &out}, args); code != want {
		t.Fatalf("ggp %s: exit status %d, want %d\n%s", strings.Join(args, " "), code, want, &out)
	}
	return out.String()
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %q", text, part)
		}
	}
}

// The whole way: a player is registered, pinged, scheduled with a game of the
// repository, plays its match over HTTP, the record is published, read back
// and verified; the player goes away and is disabled.
func TestWholeWay(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GGP_CACHE", filepath.Join(dir, "cache"))
	t.Setenv("GGP_GTOKEN", "ours")
	server := newStandIn(t)
	ours, remote := standingPlayer(t)
	address := strings.Trim(strings.TrimPrefix(remote.URL, "http:"), "/")

	// Registered, and seen by the server's own INFO.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	text := command(t, ctx, console.ExitOK, "register", "tiltyard", "--server", server.URL+"/tiltyard", "--name", "Ours", "--address", address, "--every", "10ms", "--once")
	contains(t, text, "registered: Ours is enabled", "the server sees it available")

	// Scheduled: the server is told where the player is, and nothing else of it.
	server.mu.Lock()
	scheduled := *server.players["Ours"]
	server.mu.Unlock()
	if scheduled.status != "available" || !scheduled.enabled {
		t.Fatalf("not to be scheduled: %+v", scheduled)
	}
	key := filepath.Join(dir, "key.pem")
	text = command(t, ctx, console.ExitOK, "match", server.URL+"/base#tictactoe", "--player", "http://"+scheduled.url, "--player", "random",
		"--start", "60", "--play", "60", "--seed", "3", "--quiet", "--publish", server.URL+"/spectator", "--host-key", key)
	contains(t, text, "ended after", "(0 faults", "published at "+server.URL+"/spectator/matches/k1/")

	// Read back and verified; by the right key only, and unaltered only.
	host, _, err := protocol.LoadHostKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pk, err := protocol.HostPK(&host.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	at := server.URL + "/spectator/matches/k1/"
	text = command(t, ctx, console.ExitOK, "record", "verify", "--by", protocol.Fingerprint(pk), at)
	contains(t, text, "signature: holds", "rules: every state and move is as "+server.URL+"/base/games/tictactoe/v1/ says; completed")
	server.mu.Lock()
	record := server.records["k1"]
	server.mu.Unlock()
	altered := filepath.Join(dir, "altered.json")
	if err := os.WriteFile(altered, []byte(strings.Replace(record, `"startClock":60`, `"startClock":61`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	text = command(t, ctx, console.ExitFailed, "record", "verify", "--game", server.URL+"/base/games/tictactoe/v1/", altered)
	contains(t, text, "signature: FAILED", "rules: every state")

	// It goes away: the watch reports that its pings fail, and ends when it is
	// disabled.
	watched, err := servers.NewTiltyard(server.URL+"/tiltyard", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := ours.close(); err != nil {
		t.Fatal(err)
	}
	var told []string
	err = watched.Watch(ctx, "Ours", servers.WatchOptions{Every: 10 * time.Millisecond, Tell: func(line string) { told = append(told, line) }})
	if err == nil || !strings.Contains(err.Error(), "disabled the player Ours (its last ping failed: CE)") {
		t.Errorf("got %v", err)
	}
	contains(t, strings.Join(told, "\n"), "the server's last ping failed: CE")
}
