package servers_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"semisplit/kif"
	"semisplit/protocol"
	"semisplit/protocol/servers"
)

// call takes a step that is no repository's.
func (v *visitor) call(step []string) string {
	switch step[0] {
	case "publish", "match":
		return v.spectate(step)
	case "poll":
		return v.poll(step[1:])
	}
	cookie := "C00KIE"
	if step[0] == "register" && len(step) > 2 {
		cookie = strings.TrimPrefix(step[2], "cookie=")
	}
	server, err := servers.NewTiltyard(v.server.URL, cookie, v.web)
	if err != nil {
		return failed(err)
	}
	ctx := v.t.Context()
	switch step[0] {
	case "register":
		s, err := server.Register(ctx, servers.Registration{
			Name: step[1], Address: "player.example:9147", Enabled: true, Pingable: true, GDLVersion: "GDLv1", Country: "XX",
		})
		if err != nil {
			return failed(err)
		}
		return s.String()
	case "player":
		s, err := server.Player(ctx, step[1])
		if err != nil {
			return failed(err)
		}
		return s.String()
	}
	// watch NAME WAIT [once]
	wait, err := time.ParseDuration(step[2])
	if err != nil {
		v.t.Fatal(err)
	}
	var said strings.Builder
	o := servers.WatchOptions{Every: 2 * time.Millisecond, Wait: wait, Once: len(step) > 3, Tell: func(line string) { said.WriteString("\n  " + line) }}
	if err := server.Watch(ctx, step[1], o); err != nil {
		return said.String() + "\n  " + failed(err)
	}
	return said.String() + "\n  done"
}

// spectate publishes a record, or reads one back.
func (v *visitor) spectate(step []string) string {
	s, err := servers.NewSpectator(v.server.URL+"/spectator", v.web)
	if err != nil {
		v.t.Fatal(err)
	}
	if step[0] == "match" {
		data, err := s.Match(v.t.Context(), step[1])
		if err != nil {
			return failed(err)
		}
		_, err = protocol.ParseRecord(data)
		_, unsigned := protocol.VerifySignature(data)
		return fmt.Sprintf("%d bytes, record: %v, signature: %v", len(data), err, unsigned)
	}
	r := protocol.NewRecord("m.1", "nim", []string{"a", "b"}, []string{"Us", "Them"}, time.Second, time.Second, time.UnixMilli(1_700_000_000_000))
	if err := r.Begin([]kif.Term{kif.Symbol("first")}, time.UnixMilli(1_700_000_000_000)); err != nil {
		v.t.Fatal(err)
	}
	r.GameMetaURL = step[1]
	key, err := s.Publish(v.t.Context(), r)
	if err != nil {
		return failed(err)
	}
	return "key " + key
}

// distant is a player that writes down what it hears, and always makes one move.
type distant struct {
	protocol.Player
	mu    sync.Mutex
	heard []string
}

func (d *distant) hear(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heard = append(d.heard, fmt.Sprintf(format, args...))
}

func (d *distant) Info() (name, status string) { return "Script", "available" }

func (d *distant) Admits(protocol.Kind, string) bool { return true }

func (d *distant) Start(_ context.Context, m protocol.Start) string {
	d.hear("start match=%s role=%s rules=%.60s... clocks=%v,%v", m.Match, m.Role, kif.List(m.Rules...).String(), m.StartClock, m.PlayClock)
	return "ready"
}

func (d *distant) Play(_ context.Context, m protocol.Play) (kif.Term, bool) {
	d.hear("play match=%s moves=%s", m.Match, joint(m.Moves))
	move, err := kif.ParseTerm("(mark 1 1)")
	return move, err == nil
}

func (d *distant) Stop(_ context.Context, m protocol.Play) string {
	d.hear("stop match=%s moves=%s", m.Match, joint(m.Moves))
	return "done"
}

func joint(moves []kif.Term) string {
	if moves == nil {
		return "nil"
	}
	return kif.List(moves...).String()
}

// poll lets a player fetch its messages until the stand-in has been asked so
// many times for messages and told so many answers.
func (v *visitor) poll(step []string) string {
	asks, _ := strconv.Atoi(step[0])
	answers, _ := strconv.Atoi(step[1])
	p := &distant{}
	ctx, cancel := context.WithCancel(v.t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- servers.Poll(ctx, p, servers.PollOptions{
			Get: v.server.URL + "/get", Put: v.server.URL + "/put?game=1", Name: "Me", Web: v.web, Pause: 20 * time.Millisecond,
			Logger: slog.New(slog.NewTextHandler(&v.log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		})
	}()
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end) && (v.count("GET ") < asks || v.count("POST ") < answers); time.Sleep(time.Millisecond) {
		select {
		case err = <-ended:
			ended <- err
			asks, answers = 0, 0
		default:
		}
	}
	cancel()
	if err = <-ended; err != nil {
		return failed(err)
	}
	return strings.Join(p.heard, ", ")
}

func (v *visitor) count(prefix string) (n int) {
	v.server.mu.Lock()
	defer v.server.mu.Unlock()
	for _, c := range v.server.calls {
		if strings.HasPrefix(c, prefix) {
			n++
		}
	}
	return n
}

// noSecret tells whether the cookie went nowhere but into requests to register.
func noSecret(text string) bool {
	for line := range strings.Lines(text) {
		if strings.Contains(line, "C00KIE") && !strings.HasPrefix(line, "POST ") {
			fmt.Fprintln(os.Stderr, line)
			return false
		}
	}
	return true
}
