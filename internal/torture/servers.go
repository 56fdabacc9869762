package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"semisplit/games"
)

// askServers lets the program ask a repository, a registration server and a spectator
// server that misbehave, each time in another way. It has to end by itself, or when it
// is told to, without a panic.
func askServers(ctx context.Context, s setting, t *tally, player, trap string) {
	game, err := games.Load("tictactoe")
	if err != nil {
		t.fail("no game for the repository: %v", err)
		return
	}
	ways := misbehaviours(trap)
	address, server, err := listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		way, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		number, err := strconv.Atoi(way)
		if err != nil || number < 0 || number >= len(ways) {
			http.NotFound(w, r)
			return
		}
		switch path, good := strings.CutPrefix(path, "good/games/tictactoe/"); {
		case !good:
			ways[number](w, r)
		case strings.HasSuffix(path, ".kif"):
			say(w, game.Rules)
		default:
			say(w, `{"rulesheet": "rules.kif", "version": 1}`)
		}
	}))
	if err != nil {
		t.fail("no servers: %v", err)
		return
	}
	defer func() { _ = server.Close() }()
	var group sync.WaitGroup
	for what, ask := range asked(player) {
		group.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				if runShort(ctx, s, t, ask(fmt.Sprintf("http://%s/%d", address, n%len(ways)))) {
					t.survive(what)
				}
			}
		})
	}
	group.Wait()
}

// asked are the commands that ask the servers at an address, by what they are.
func asked(player string) map[string]func(root string) []string {
	return map[string]func(root string) []string{
		"matches of a hostile repository": func(root string) []string {
			return []string{"match", root + "/bad#tictactoe", "--player", "random", "--player", "random", "--start", "1", "--play", "1", "--quiet"}
		},
		"lists of a hostile repository": func(root string) []string { return []string{"games", "--repo", root + "/bad"} },
		"registrations with a hostile server": func(root string) []string {
			return []string{"register", "tiltyard", "--server", root + "/tiltyard", "--name", "Me", "--address", player, "--cookie", "x", "--once", "--every", "1s", "--wait", "3s"}
		},
		"records of a hostile spectator server": func(root string) []string {
			return []string{"record", "verify", "--unsigned", root + "/spectator/matches/x/"}
		},
		"matches published at a hostile server": func(root string) []string {
			return []string{"match", root + "/good#tictactoe", "--player", "random", "--player", "random", "--start", "5", "--play", "5", "--quiet", "--publish", root + "/spectator"}
		},
	}
}

// runShort runs a command that has to end, at the latest when it is told to.
func runShort(ctx context.Context, s setting, t *tally, args []string) (survived bool) {
	ctx, end := context.WithTimeout(ctx, 20*time.Second)
	defer end()
	cmd := exec.CommandContext(ctx, s.program, args...)
	var told bytes.Buffer
	cmd.Stderr = &told
	cmd.Env = append(os.Environ(), "GGP_CONFIG=none", "HOME="+s.dir, "GGP_CACHE="+filepath.Join(s.dir, "cache"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 45 * time.Second // a command that publishes takes 32 s to end, and says so
	err := cmd.Run()
	code := cmd.ProcessState.ExitCode()
	if strings.Contains(told.String(), "panic") || strings.Contains(told.String(), "goroutine ") || err != nil && code != 1 && code != 2 && code != 130 {
		t.fail("ggp %s: status %d, %v: %.1000s", strings.Join(args, " "), code, err, told.String())
		return false
	}
	return true
}

// misbehaviours are what servers do, those for which one waits long at the end.
func misbehaviours(trap string) []http.HandlerFunc {
	return []http.HandlerFunc{
		func(w http.ResponseWriter, _ *http.Request) {
			say(w, strings.Repeat("[", 1<<20))
		},
		func(w http.ResponseWriter, r *http.Request) {
			for block := strings.Repeat(`"x",`, 1<<14); r.Context().Err() == nil; {
				if _, err := w.Write([]byte(block)); err != nil {
					return
				}
			}
		},
		func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+trap+r.URL.Path, http.StatusFound)
		},
		func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) },
		func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, ".kif"):
				say(w, strings.Trim(exponential[len(r.URL.Path)%len(exponential)], " ")[1:])
			case strings.HasSuffix(r.URL.Path, "/bad/games/"):
				say(w, `["tictactoe", "../../etc/passwd", "<script>", "\u001b[31m"]`)
			default:
				say(w, `{"rulesheet": "rules.kif", "gameName": "\u001b]0;x\u0007<b>|", "version": 0, "name": "Me", "isEnabled": true}`)
			}
		},
		func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"matchId": "m", "gameMetaURL": "http://%s/games/tictactoe/v0/", "gameName": "<b>", "gameRoleNames": ["x", "o"], "states": ["((((((("], "moves": [], "stateTimes": [1]}`, trap)
		},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			say(w, "[")
		},
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "99999999")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		func(_ http.ResponseWriter, r *http.Request) { wait(r.Context(), time.Minute) },
		func(w http.ResponseWriter, r *http.Request) { drip(r.Context(), w) },
	}
}
