package main

import (
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/protocol"
)

// TestMain lets scripts run the command as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ggp": main})
}

// standingPlayer is a player that is there for everybody.
func standingPlayer(t *testing.T) (*node, protocol.Remote) {
	fixed := agent.Default()
	fixed.Name = "Standing"
	fixed.Algorithm.Parameters.Iterations = 100
	fixed.General.SimulateDuringOppTurn = false
	standing, remote, err := onLoopback(player.Config{Agent: fixed, Matches: 2, Seed: 1}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return standing, remote
}

func TestScripts(t *testing.T) {
	server := newStandIn(t)
	standing, remote := standingPlayer(t)
	t.Cleanup(func() { _ = standing.close() }) // the scripts run on when this function has returned
	commands := map[string]func(*testscript.TestScript, bool, []string){"waitfor": waitFor}
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Cmds: commands, Setup: func(env *testscript.Env) error {
		env.Setenv("SERVER", server.URL)
		env.Setenv("PLAYER", strings.Trim(strings.TrimPrefix(remote.URL, "http:"), "/"))
		env.Setenv("GGP_CACHE", env.WorkDir+"/cache")
		return nil
	}})
}

// waitFor is the script command "waitfor FILE PATTERN": it waits until a file
// is there and matches.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitfor FILE PATTERN")
	}
	pattern := regexp.MustCompile(args[1])
	for limit := time.Now().Add(time.Minute); time.Now().Before(limit); time.Sleep(10 * time.Millisecond) {
		if data, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && pattern.Match(data) {
			return
		}
	}
	ts.Fatalf("%s does not come to match %s", args[0], pattern)
}
