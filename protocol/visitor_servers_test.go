package protocol_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"semisplit/protocol"
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
	server, err := protocol.NewTiltyard(v.server.URL, cookie, v.web)
	if err != nil {
		return failed(err)
	}
	ctx := v.t.Context()
	switch step[0] {
	case "register":
		s, err := server.Register(ctx, protocol.Registration{
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
	case "players":
		list, err := server.Players(ctx)
		if err != nil {
			return failed(err)
		}
		return fmt.Sprint(list)
	}
	// watch NAME WAIT [once]
	wait, err := time.ParseDuration(step[2])
	if err != nil {
		v.t.Fatal(err)
	}
	var said strings.Builder
	o := protocol.WatchOptions{Every: 2 * time.Millisecond, Wait: wait, Once: len(step) > 3, Tell: func(line string) { said.WriteString("\n  " + line) }}
	if err := server.Watch(ctx, step[1], o); err != nil {
		return said.String() + "\n  " + failed(err)
	}
	return said.String() + "\n  done"
}

// spectate publishes a record, or reads one back.
func (v *visitor) spectate(step []string) string {
	s, err := protocol.NewSpectator(v.server.URL+"/spectator", v.web)
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
	r := played(v.t)
	r.GameMetaURL = step[1]
	key, err := s.Publish(v.t.Context(), r)
	if err != nil {
		return failed(err)
	}
	return "key " + key
}

// poll lets a player fetch its messages until the stand-in has been asked so
// many times for messages and told so many answers.
func (v *visitor) poll(step []string) string {
	asks, _ := strconv.Atoi(step[0])
	answers, _ := strconv.Atoi(step[1])
	p := newScript()
	p.moves = []string{"(mark 1 1)"}
	ctx, cancel := context.WithCancel(v.t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- protocol.Poll(ctx, p, protocol.PollOptions{
			Get: v.server.URL + "/get", Put: v.server.URL + "/put?game=1", Name: "Me", Web: v.web, Pause: 20 * time.Millisecond,
			Logger: slog.New(slog.NewTextHandler(&v.log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		})
	}()
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && (v.count("GET ") < asks || v.count("POST ") < answers); time.Sleep(time.Millisecond) {
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
	return strings.Join(p.drain(), ", ")
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
