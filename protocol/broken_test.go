package protocol_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"semisplit/protocol"
)

// brokenRequests are raw bytes that are no HTTP request, or not one that can
// be served. The text of the reply says why.
var brokenRequests = []struct {
	name, raw string
	status    int
	says      string
}{
	{"no http", "(INFO)\r\n\r\n", 400, "no HTTP request"},
	{"one word", "hello\r\n\r\n", 400, "no HTTP request"},
	{"two words", "POST /\r\n\r\n", 400, "no HTTP request"},
	{"no version", "POST / FTP\r\n\r\n", 400, "not in HTTP/1.0"},
	{"http 2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "HTTP/2.0 is not served"},
	{"http 0.9", "GET / HTTP/0.9\r\n\r\n", 505, "HTTP/0.9 is not served"},
	{"tls", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "plain HTTP"},
	{"zeros", "\x00\x00\x00\x00", 400, "control character (0x00)"},
	{"blank lines", "\r\n\r\n\r\n\r\n\r\n\r\n", 400, "no HTTP request"},
	{"put", "PUT / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)", 405, "POST, GET or OPTIONS"},
	{"head", "HEAD / HTTP/1.0\r\n\r\n", 405, "POST, GET or OPTIONS"},
	{"lower case garbage method", "p(o)st / HTTP/1.0\r\n\r\n", 405, "not served"},
	{"cut in the request line", "POST / HT", 400, "ended within its headers"},
	{"cut after the request line", "POST / HTTP/1.0\r\n", 400, "ended within its headers"},
	{"cut in a header", "POST / HTTP/1.0\r\nContent-Le", 400, "ended within its headers"},
	{"no colon", "POST / HTTP/1.0\r\nContent-Length 6\r\n\r\n(INFO)", 400, "without a colon"},
	{"no name", "POST / HTTP/1.0\r\n: x\r\n\r\n", 400, "without a colon"},
	{"control in a header", "POST / HTTP/1.0\r\nX: a\x01b\r\n\r\n", 400, "control character"},
	{"length in words", "POST / HTTP/1.0\r\nContent-Length: six\r\n\r\n(INFO)", 400, "expected a number"},
	{"negative length", "POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n(INFO)", 400, "expected a number"},
	{"length in hex", "POST / HTTP/1.0\r\nContent-Length: 0x6\r\n\r\n(INFO)", 400, "expected a number"},
	{"empty length", "POST / HTTP/1.0\r\nContent-Length:\r\n\r\n(INFO)", 400, "expected a number"},
	{"two lengths", "POST / HTTP/1.0\r\nContent-Length: 6\r\nContent-Length: 7\r\n\r\n(INFO)", 400, "two different"},
	{"length beyond integers", "POST / HTTP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n(", 400, "expected a number"},
	{"length beyond the limit", "POST / HTTP/1.0\r\nContent-Length: 5000\r\n\r\n(", 413, "too large"},
	{"body beyond the limit", "POST / HTTP/1.0\r\n\r\n" + strings.Repeat("(", 3000), 413, "too large"},
	{"text on and on", "POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n(PLAY m " + strings.Repeat("(a ", 1000), 413, "too large"},
	{"chunks beyond the limit", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n" + strings.Repeat("(", 4095) + "\r\n0\r\n\r\n", 413, "too large"},
	{"broken chunks", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n(INFO)\r\n", 400, "chunked"},
	{"unknown encoding", "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "gzip"},
	{"too many headers", "POST / HTTP/1.0\r\n" + strings.Repeat("X: y\r\n", 51) + "\r\n", 431, "more than 50"},
	{"a header too long", "POST / HTTP/1.0\r\nX: " + strings.Repeat("y", 5000) + "\r\n\r\n", 431, "longer than 4096"},
	{"a request line too long", "GET /" + strings.Repeat("y", 5000) + " HTTP/1.0\r\n\r\n", 431, "longer than 4096"},
	{"cut body", "POST / HTTP/1.0\r\nContent-Length: 60\r\n\r\n(PLAY m ((mark", 400, "after 14 of 60 bytes"},
	{"bad url encoding", "GET /%zz HTTP/1.0\r\n\r\n", 400, "not URL-encoded"},
	{"cut url encoding", "GET /%28INFO%2 HTTP/1.0\r\n\r\n", 400, "not URL-encoded"},
	{"a broken message by get", "GET /%28PLAY HTTP/1.0\r\n\r\n", 400, "bad message"},
}

// brokenMessages are bodies that are no message.
var brokenMessages = []struct{ body, says string }{
	{"(", "1:"},
	{")", "1:1"},
	{"(PLAY m (noop", "1:"},
	{"(PLAY m ((mark 1 1) noop)", "1:"},
	{"(START m x ((role x)", "1:"},
	{"((INFO))", "begins with its name"},
	{"((PLAY) m nil)", "begins with its name"},
	{"(PLAY)", "lacks the match id"},
	{"(STOP)", "lacks the match id"},
	{"(ABORT)", "lacks the match id"},
	{"(START)", "lacks the match id"},
	{"(PLAY (m) nil)", "match id of PLAY is a list"},
	{"(STOP () nil)", "match id of STOP is a list"},
	{"(ABORT (m))", "match id of ABORT is a list"},
	{"(START (m) x ((role x)) 1 1)", "match id of START is a list"},
	{"(START m)", "START has 1 arguments"},
	{"(START m x)", "START has 2 arguments"},
	{"(START m x ((role x)))", "START has 3 arguments"},
	{"(START m x ((role x)) 10)", "START has 4 arguments"},
	{"(START m ?x ((role x)) 10 10)", "variable ?x"},
	{"(START m x rules 10 10)", "not a list"},
	{"(START m x ((role x)) ten 10)", `start clock is "ten"`},
	{"(START m x ((role x)) 10 -1)", `play clock is "-1"`},
	{"(START m x ((role x)) 10 nan)", `play clock is "nan"`},
	{"(START m x ((role x)) inf 10)", "start clock of inf seconds is too long"},
	{"(START m x ((role x)) 10 1e300)", "too long"},
	{"(START m x ((role x)) (10) 10)", "start clock is a list"},
	{"(START m x ((role x)) 10 ())", "play clock is a list"},
	{"(START m x ((role x)) " + strings.Repeat("9", 300) + " 10)", "too long"},
	{"(PREVIEW)", "lacks the rules"},
	{"(PREVIEW rules 10)", "lacks the rules"},
	{"(PREVIEW ((role x)) soon)", `preview clock is "soon"`},
	{"(PLAY m noop noop)", "not in one list"},
	{"(STOP m noop noop)", "not in one list"},
	{strings.Repeat("(", 1500), "1:"},
}

func TestBrokenRequests(t *testing.T) {
	if n := len(brokenRequests) + len(brokenMessages); n < 40 {
		t.Fatalf("only %d broken requests", n)
	}
	p := newScript()
	p.set("m", true)
	s := serve(t, p, protocol.ServerOptions{
		BodyLimit: 2000, HeaderLimit: 4096, HeaderCount: 50, Grace: 5 * time.Millisecond, Linger: time.Minute,
	})
	check := func(t *testing.T, raw string, wantStatus int, says string) {
		status, text := body(t, exchange(t, s, raw, true))
		if status != wantStatus || !strings.Contains(text, says) {
			t.Errorf("got %d %q, want %d with %q", status, text, wantStatus, says)
		}
		if strings.ContainsAny(text, "\r\n") || len(text) > 400 {
			t.Errorf("not one short line: %q", text)
		}
		if _, text := body(t, exchange(t, s, post("(PLAY m NIL)"), false)); text != "noop" {
			t.Errorf("afterwards PLAY got %q", text)
		}
		if got := p.drain(); len(got) != 1 {
			t.Errorf("the player was told of it: %q", got)
		}
	}
	for _, x := range brokenRequests {
		t.Run(x.name, func(t *testing.T) { check(t, x.raw, x.status, x.says) })
	}
	for _, x := range brokenMessages {
		t.Run(brief(x.body), func(t *testing.T) { check(t, post(x.body), 400, x.says) })
	}
}

// Peers that say nothing, or go away, get nothing, and disturb nobody.
func TestSilentPeers(t *testing.T) {
	s := serve(t, newScript(), protocol.ServerOptions{})
	for range 20 {
		if got := exchange(t, s, "", true); got != "" {
			t.Errorf("got %q", got)
		}
		_ = dial(t, s).Close()
	}
	if _, text := body(t, exchange(t, s, post("(ping)"), false)); text != "available" {
		t.Errorf("afterwards: %q", text)
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Messages are logged at debug, broken ones at warn.
func TestLog(t *testing.T) {
	var log lockedBuffer
	s := serve(t, newScript(), protocol.ServerOptions{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	for _, message := range []string{"(PLAY m.7 NIL)", "(PLAY)", "(WHAT)"} {
		exchange(t, s, post(message), false)
	}
	for _, want := range []string{
		"level=DEBUG msg=message remote=127.0.0.1:", "kind=PLAY match=m.7", "reply=busy",
		`level=WARN msg="broken request"`, "lacks the match id", `level=WARN msg="message not understood"`, "name=WHAT",
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the log:\n%s", want, log.String())
		}
	}
}
