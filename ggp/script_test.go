package main

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"semisplit/player"
	"semisplit/protocol"
)

// TestMain lets scripts run the command as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ggp": main})
}

// standingPlayer is a player that is there for everybody.
func standingPlayer(t *testing.T) (*node, protocol.Remote) {
	agent := player.DefaultAgent()
	agent.Name = "Standing"
	agent.Algorithm.Parameters.Iterations = 100
	agent.General.SimulateDuringOppTurn = false
	standing, remote, err := onLoopback(agent, 1)
	if err != nil {
		t.Fatal(err)
	}
	return standing, remote
}

func TestScripts(t *testing.T) {
	server := newStandIn(t)
	standing, remote := standingPlayer(t)
	t.Cleanup(func() { _ = standing.close() }) // the scripts run on when this function has returned
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Setup: func(env *testscript.Env) error {
		env.Setenv("SERVER", server.URL)
		env.Setenv("PLAYER", strings.Trim(strings.TrimPrefix(remote.URL, "http:"), "/"))
		env.Setenv("GGP_CACHE", env.WorkDir+"/cache")
		return nil
	}})
}
