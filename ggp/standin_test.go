package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"semisplit/games"
	"semisplit/protocol"
)

// A standIn is a game repository with the bundled games nim and tictactoe at
// /base, a spectator server at /spectator, and a
// Tiltyard-style server at /tiltyard.
type standIn struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // paths
	// The records of the spectator server at /spectator, by key, and the
	// tokens with which they were published.
	records, tokens map[string]string
	players         map[string]*listed // of the Tiltyard at /tiltyard
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{records: map[string]string{}, tokens: map[string]string{}}
	mux := http.NewServeMux()
	s.repository(t, mux)
	s.spectator(mux)
	s.tiltyard(mux)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, req.Method+" "+req.URL.Path)
		s.mu.Unlock()
		mux.ServeHTTP(w, req)
	}))
	t.Cleanup(s.Close)
	return s
}

// repository serves two games, in the bare folder and as versions 0 and 1.
func (s *standIn) repository(t *testing.T, mux *http.ServeMux) {
	all := map[string]any{}
	for _, name := range []string{"nim", "tictactoe"} {
		game, err := games.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		meta := map[string]any{"gameName": game.Title, "rulesheet": "rules.kif", "version": 1, "roleNames": []string{"one", "two"}}
		all[name] = meta
		serve := func(folder string, version int) {
			mux.HandleFunc("GET /base/games/"+name+folder+"{$}", func(w http.ResponseWriter, _ *http.Request) {
				one := map[string]any{"version": version}
				for k, v := range meta {
					if k != "version" {
						one[k] = v
					}
				}
				_ = json.NewEncoder(w).Encode(one)
			})
		}
		serve("/", 1)
		serve("/v1/", 1)
		serve("/v0/", 0)
		mux.HandleFunc("GET /base/games/"+name+"/rules.kif", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, game.Rules)
		})
	}
	mux.HandleFunc("GET /base/games/red/{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"gameName": "Red\u001b[31m", "rulesheet": "red.kif", "description": "red.txt"}`)
	})
	mux.HandleFunc("GET /base/games/red/red.kif", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "; \x1b[31m\n(role me\u009b)\n(legal me\u009b wait)\n")
	})
	mux.HandleFunc("GET /base/games/red/red.txt", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "\x1b]0;x\x07") })
	mux.HandleFunc("GET /base/games/red/v0/{$}", http.NotFound)
	mux.HandleFunc("GET /base/games/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `["nim", "tictactoe"]`) })
	mux.HandleFunc("GET /base/games/metadata", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(all) })
}

// spectator takes records and shows them. It refuses what a spectator server
// refuses: short tokens, other tokens than before, records that don't grow,
// games without an address.
func (s *standIn) spectator(mux *http.ServeMux) {
	mux.HandleFunc("POST /spectator/{$}", func(w http.ResponseWriter, req *http.Request) {
		token, data := req.PostFormValue("AUTH"), req.PostFormValue("DATA")
		record := gjson.Parse(data)
		id := record.Get("matchId").String()
		s.mu.Lock()
		defer s.mu.Unlock()
		key, known := "", false
		for k, before := range s.records {
			if gjson.Get(before, "matchId").String() == id {
				key, known = k, true
			}
		}
		if !known {
			key = fmt.Sprintf("k%d", len(s.records)+1)
		}
		switch {
		case len(token) < 12:
			http.Error(w, "the token is short", http.StatusForbidden)
		case known && s.tokens[key] != token:
			http.Error(w, "this match is somebody else's", http.StatusForbidden)
		case known && len(record.Get("states").Array()) < len(gjson.Get(s.records[key], "states").Array()):
			http.Error(w, "the record has become shorter", http.StatusConflict)
		case !strings.HasSuffix(record.Get("gameMetaURL").String(), "/base/games/tictactoe/v1/"):
			http.Error(w, "unknown game", http.StatusBadRequest)
		default:
			s.records[key], s.tokens[key] = data, token
			fmt.Fprint(w, key)
		}
	})
	mux.HandleFunc("GET /spectator/matches/{key}/{$}", func(w http.ResponseWriter, req *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if data, found := s.records[req.PathValue("key")]; found {
			fmt.Fprint(w, data)
			return
		}
		http.NotFound(w, req)
	})
}

// A listed player of the Tiltyard-style server at /tiltyard. The cookie of
// its owner is "ours", but for the player Theirs.
type listed struct {
	url, owner   string
	enabled      bool
	status, why  string
	looks, fails int // GETs since the registration; pings that failed
}

// tiltyard registers players, and pings a player by INFO when it is looked at
// for the second time, instead of every two minutes.
func (s *standIn) tiltyard(mux *http.ServeMux) {
	s.players = map[string]*listed{"Theirs": {url: "theirs.example:9147", owner: "theirs", enabled: true, status: "busy"}}
	mux.HandleFunc("POST /tiltyard/data/updatePlayer", func(w http.ResponseWriter, req *http.Request) {
		cookie, err := req.Cookie("gtoken")
		data, _ := io.ReadAll(io.LimitReader(req.Body, 10_000))
		name := gjson.GetBytes(data, "name").String()
		s.mu.Lock()
		defer s.mu.Unlock()
		p, known := s.players[name]
		switch {
		case err != nil:
			http.Error(w, "log in", http.StatusUnauthorized)
		case known && p.owner != cookie.Value:
			http.Error(w, "not yours", http.StatusForbidden)
		default:
			s.players[name] = &listed{url: gjson.GetBytes(data, "theURL").String(), owner: cookie.Value, enabled: gjson.GetBytes(data, "isEnabled").Bool()}
			fmt.Fprint(w, "{}")
		}
	})
	mux.HandleFunc("GET /tiltyard/data/players/{name}", func(w http.ResponseWriter, req *http.Request) {
		name := req.PathValue("name")
		s.mu.Lock()
		p, known := s.players[name]
		s.mu.Unlock()
		if !known {
			http.NotFound(w, req)
			return
		}
		if p.looks++; p.looks > 1 && p.enabled {
			p.ping(req.Context())
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"name": name, "theURL": p.url, "isEnabled": p.enabled, "isPingable": true, "infoStatus": p.status, "infoError": p.why,
		})
	})
}

// ping asks a player; after three failures in a row it is disabled.
func (p *listed) ping(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	remote, err := protocol.ParseRemote(p.url)
	if err != nil {
		p.status, p.why = "error", err.Error()
		return
	}
	info, err := protocol.NewClient(protocol.ClientOptions{}).Info(ctx, remote)
	if err != nil {
		p.fails++
		p.status, p.why, p.enabled = "error", protocol.FaultOf(err), p.fails < 3
		return
	}
	p.status, p.why, p.fails = info.Status, "", 0
}
