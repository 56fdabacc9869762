package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/protocol/servers"
)

// A mailbox is the server of the polling form: messages wait in it until
// their recipient fetches them, and answers come back by their number. It is
// the seat of one player of a match.
type mailbox struct {
	mu      sync.Mutex
	waiting []string
	answers map[string]chan string
	sent    int
}

func (m *mailbox) serve(w http.ResponseWriter, req *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	q := req.URL.Query()
	switch {
	case req.Method == http.MethodGet && q.Get("recipient") == "Far":
		if len(m.waiting) > 0 {
			fmt.Fprint(w, m.waiting[0])
			m.waiting = m.waiting[1:]
		}
	case req.Method == http.MethodPost && q.Get("sender") == "Far" && q.Get("recipient") == "manager":
		text, _ := io.ReadAll(req.Body)
		if answer := m.answers[q.Get("msgid")]; answer != nil {
			answer <- string(text)
			delete(m.answers, q.Get("msgid"))
		}
	default:
		http.NotFound(w, req)
	}
}

// ask leaves a message in infix and waits for its answer.
func (m *mailbox) ask(ctx context.Context, content string) (string, error) {
	m.mu.Lock()
	m.sent++
	id := fmt.Sprint(m.sent)
	answer := make(chan string, 1)
	m.answers[id] = answer
	m.waiting = append(m.waiting, fmt.Sprintf("message(%s,manager,Far,%s)", id, content))
	m.mu.Unlock()
	select {
	case text := <-answer:
		return text, nil
	case <-ctx.Done():
		return "", fmt.Errorf("%w: %w", protocol.ErrTimeout, ctx.Err())
	}
}

func (m *mailbox) Name() string { return "Far" }

func (m *mailbox) Start(ctx context.Context, s protocol.Start) error {
	rules := make([]string, len(s.Rules))
	for i, rule := range s.Rules {
		rules[i] = prologLike(rule)
	}
	text, err := m.ask(ctx, fmt.Sprintf("start(%s,%s,[%s],%g,%g)", s.Match, s.Role, strings.Join(rules, ","), s.StartClock.Seconds(), s.PlayClock.Seconds()))
	if err == nil && text != "ready" {
		err = fmt.Errorf("the answer to start is %q", text)
	}
	return err
}

func (m *mailbox) Play(ctx context.Context, p protocol.Play) (kif.Term, error) {
	text, err := m.ask(ctx, fmt.Sprintf("play(%s,%s)", p.Match, movesText(p.Moves)))
	if err != nil {
		return kif.Term{}, err
	}
	return kif.ParseTerm(prefix(text))
}

func (m *mailbox) Stop(ctx context.Context, p protocol.Play) error {
	_, err := m.ask(ctx, fmt.Sprintf("stop(%s,%s)", p.Match, movesText(p.Moves)))
	return err
}

func (m *mailbox) Abort(ctx context.Context, match string) error {
	_, err := m.ask(ctx, "abort("+match+")")
	return err
}

func movesText(moves []kif.Term) string {
	if moves == nil {
		return "nil"
	}
	texts := make([]string, len(moves))
	for i, move := range moves {
		texts[i] = prologLike(move)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// prologLike writes KIF in infix: variables with a capital letter, rules with
// ":-". It is written apart from the reader in the player.
func prologLike(t kif.Term) string {
	switch {
	case t.IsVar():
		return strings.ToUpper(t.Name[1:2]) + t.Name[2:]
	case !t.IsList():
		return t.Name
	}
	texts := make([]string, len(t.Items))
	for i, item := range t.Items {
		texts[i] = prologLike(item)
	}
	switch name := t.Items[0].Name; {
	case name == "<=" && len(texts) == 2:
		return texts[1]
	case name == "<=":
		return "(" + texts[1] + " :- " + strings.Join(texts[2:], " & ") + ")"
	case name == "not":
		return "~" + texts[1]
	}
	return texts[0] + "(" + strings.Join(texts[1:], ", ") + ")"
}

// prefix turns mark(a,1) into (mark a 1).
func prefix(text string) string {
	name, args, found := strings.Cut(text, "(")
	if !found {
		return text
	}
	return "(" + name + " " + strings.ReplaceAll(strings.TrimSuffix(args, ")"), ",", " ") + ")"
}

// A whole match in the polling form, in infix, by the player itself.
func TestPollingMatch(t *testing.T) {
	box := &mailbox{answers: map[string]chan string{}}
	server := httptest.NewServer(http.HandlerFunc(box.serve))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	fixed := agent.Default()
	fixed.Algorithm.Parameters.Iterations = 200
	fixed.General.SimulateDuringOppTurn = false
	far := player.New(player.Config{Agent: fixed, Matches: 1, Seed: 1})
	defer far.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- servers.Poll(ctx, far, servers.PollOptions{Get: server.URL, Put: server.URL, Name: "Far", Pause: 5 * time.Millisecond})
	}()

	game, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := kif.Parse(game.Rules)
	if err != nil {
		t.Fatal(err)
	}
	result, err := referee.Run(ctx, referee.Config{
		Match: "m1", Game: game.Name, Rules: rules, Seats: []referee.Seat{box, referee.Random(2)},
		StartClock: time.Minute, PlayClock: time.Minute, Seed: 1,
	})
	if err != nil || result.Aborted {
		t.Fatal(result.Reason, err)
	}
	if n := result.FaultCount(0); n > 0 || result.Steps < 5 {
		t.Errorf("%d faults in %d steps: %v", n, result.Steps, result.Faults)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
