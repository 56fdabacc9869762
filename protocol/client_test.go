package protocol_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"semisplit/kif"
	"semisplit/protocol"
)

func term(t *testing.T, text string) kif.Term {
	t.Helper()
	x, err := kif.ParseTerm(text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestReplies holds the client against replies of every kind. fails is the
// sentinel; else move is what was read.
func TestReplies(t *testing.T) {
	const ok = "HTTP/1.0 200 OK\r\n"
	long := "(" + strings.Repeat("a ", 1<<20) + ")"
	for _, x := range []struct {
		name, raw, move string
		fails           error
	}{
		{"plain", ok + "Content-Length: 5\r\n\r\n(a 1)", "(a 1)", nil},
		{"blanks", ok + "Content-Length: 13\r\n\r\n  ( a   1 )\r\n", "(a 1)", nil},
		{"case is kept", ok + "Content-Length: 5\r\n\r\n(A 1)", "(A 1)", nil},
		{"trailing text", ok + "Content-Length: 11\r\n\r\n(a 1) (b 2)", "(a 1)", nil},
		{"trailing rubbish", ok + "Content-Length: 9\r\n\r\npass ) ((", "pass", nil},
		{"a comment", ok + "Content-Length: 14\r\n\r\n; why\n(a 1) ; ", "(a 1)", nil},
		{"several lines, no length", ok + "\r\n( a\n1 )", "(a 1)", nil},
		{"an atom, no length", ok + "\r\npass", "pass", nil},
		{"status 500", "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\npass", "pass", nil},
		{"a redirection is not followed", "HTTP/1.0 302 Found\r\nLocation: http://elsewhere/\r\nContent-Length: 4\r\n\r\npass", "pass", nil},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n(a 1)\r\n0\r\n\r\n", "(a 1)", nil},
		{"bare line feeds", "HTTP/1.0 200 OK\nContent-Length: 5\n\n(a 1)", "(a 1)", nil},
		{"length too large", ok + "Content-Length: 9\r\n\r\n(a 1)", "(a 1)", nil},
		{"beyond ASCII", ok + "Content-Length: 10\r\n\r\n(zieh tür)", "(zieh tür)", protocol.ErrReply},
		{"beyond ASCII in bytes", ok + "Content-Length: 11\r\n\r\n(zieh tür)", "(zieh tür)", nil},
		{"length too small", ok + "Content-Length: 3\r\n\r\n(a 1)", "", protocol.ErrReply},
		{"empty", ok + "Content-Length: 0\r\n\r\n", "", protocol.ErrReply},
		{"blank", ok + "Content-Length: 3\r\n\r\n \r\n", "", protocol.ErrReply},
		{"open", ok + "Content-Length: 4\r\n\r\n(a 1", "", protocol.ErrReply},
		{"closed only", ok + "Content-Length: 1\r\n\r\n)", "", protocol.ErrReply},
		{"too long", ok + "\r\n" + long, "", protocol.ErrReply},
		{"no headers", "(a 1)", "", protocol.ErrConnection},
		{"nothing", "", "", protocol.ErrConnection},
		{"headers without end", ok + strings.Repeat("X: y\r\n", 1<<15), "", protocol.ErrConnection},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, err := playAgainst(t, x.raw)
			if !errors.Is(err, x.fails) {
				t.Fatalf("got %v, %v, want the error %v", got, err, x.fails)
			}
			if err == nil && got.String() != x.move {
				t.Errorf("got %s, want %s", got, x.move)
			}
		})
	}
}

// The client's requests, byte for byte.
func TestRequestsOfClient(t *testing.T) {
	var sent []string
	c := answering("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nready", func(request string) { sent = append(sent, request) })
	r := protocol.Remote{URL: "http://player:9147/", Name: "ME"}
	ctx := t.Context()
	rules := []kif.Term{term(t, "(role a)"), term(t, "(<= terminal (true (p ?x)))")}
	if _, err := c.Start(ctx, r, protocol.Start{Match: "m.1", Role: kif.Symbol("a"), Rules: rules, StartClock: time.Minute, PlayClock: 1500 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Play(ctx, r, "m.1", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Stop(ctx, r, "m.1", []kif.Term{term(t, "(mark 1 1)"), term(t, "noop")}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"(START m.1 a ((role a) (<= terminal (true (p ?x)))) 60 1.5)",
		"(PLAY m.1 NIL)",
		"(STOP m.1 ((mark 1 1) noop))",
	}
	for i, text := range sent {
		head, message, _ := strings.Cut(text, "\r\n\r\n")
		if message != want[i] {
			t.Errorf("got %q, want %q", message, want[i])
		}
		for _, line := range []string{"Host: player:9147", "Accept: text/delim", "Sender: GAMESERVER", "Receiver: ME", "Content-Type: text/acl", "Content-Length: "} {
			if !strings.Contains(head, "\r\n"+line) {
				t.Errorf("%q lacks the header %q", head, line)
			}
		}
		if strings.Contains(head, "User-Agent") || strings.Contains(head, "chunked") {
			t.Errorf("the headers say too much: %q", head)
		}
	}
}

// The client plays a match with the server over loopback.
func TestClientAgainstServer(t *testing.T) {
	p := newScript()
	p.moves = []string{"(mark 1 1)", "noop"}
	s := serve(t, p, protocol.ServerOptions{})
	r, err := protocol.ParseRemote(s.addr)
	if err != nil {
		t.Fatal(err)
	}
	c := protocol.NewClient(protocol.ClientOptions{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	info, err := c.Info(ctx, r)
	if want := (protocol.InfoReply{Name: "Script", Status: "available"}); err != nil || info != want {
		t.Errorf("Info: %+v, %v", info, err)
	}
	var got []string
	note := func(x kif.Term, err error) {
		if err != nil {
			t.Error(err)
		}
		got = append(got, x.String())
	}
	note(c.Preview(ctx, r, []kif.Term{term(t, "(role a)")}, time.Second))
	note(c.Start(ctx, r, protocol.Start{Match: "m", Role: kif.Symbol("a"), Rules: []kif.Term{term(t, "(role a)")}, StartClock: time.Second, PlayClock: time.Second}))
	note(c.Play(ctx, r, "m", nil))
	note(c.Play(ctx, r, "m", []kif.Term{term(t, "(mark 1 1)")}))
	note(c.Abort(ctx, r, "m"))
	note(c.Stop(ctx, r, "m", nil))
	if diff := cmp.Diff([]string{"done", "ready", "(mark 1 1)", "noop", "aborted", "busy"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseRemote(t *testing.T) {
	for addr, want := range map[string]string{
		"localhost":           "http://localhost:9147/",
		"localhost:4000":      "http://localhost:4000/",
		"http://h:1/path":     "http://h:1/path",
		"http://[::1]:9147":   "http://[::1]:9147/",
		"":                    "",
		"ftp://h":             "",
		"http://":             "",
		"not a host: at all/": "",
	} {
		r, err := protocol.ParseRemote(addr)
		if r.URL != want || (err != nil) != (want == "") {
			t.Errorf("%q: got %q, %v, want %q", addr, r.URL, err, want)
		}
	}
}

func TestInfoReplies(t *testing.T) {
	for reply, want := range map[string]protocol.InfoReply{
		"((name X) (status busy))":                {Name: "X", Status: "busy"},
		"( ( NAME Two Words ) ( STATUS ready ) )": {Name: "Two Words", Status: "ready"},
		"available":                       {Status: "available"},
		"((name) (status available) odd)": {Status: "available"},
	} {
		c := answering("HTTP/1.0 200 OK\r\n\r\n"+reply, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		got, err := c.Info(ctx, protocol.Remote{URL: "http://h:1/"})
		cancel()
		if err != nil || got != want {
			t.Errorf("%q: got %+v, %v", reply, got, err)
		}
	}
}
