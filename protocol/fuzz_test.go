package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"semisplit/kif"
)

// FuzzParseMessage: a message is understood or refused with ErrMessage, and
// what was understood prints again as the same message.
func FuzzParseMessage(f *testing.F) {
	for _, s := range []string{
		"", "(INFO)", "info()", "ping", "(PREVIEW ((role a)) 10)", "(START m a ((role a) (<= (p ?x) (q ?x))) 10 5 more)",
		"( PLAY m ( ( mark 1 1 ) noop ) )", "(play m nil)", "(PLAY m 1 noop ((did a b)))", "(STOP m right)", "(ABORT m)", "()", "((",
		"\ufeff; comment\n(INFO)", "(PLAY m\x00)", "(START m ?a () 1e9 nan)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		m, err := ParseMessage(body)
		if o, ok, _ := readOpening(body); ok && err == nil && (o.kind != m.Kind || o.match != m.Match) {
			t.Fatalf("the opening is %+v of %+v", o, m)
		}
		if err != nil {
			if !errors.Is(err, ErrMessage) {
				t.Fatalf("the error %v is none of ours", err)
			}
			return
		}
		if m.StartClock < 0 || m.PlayClock < 0 || m.StartClock > longestClock || m.PlayClock > longestClock {
			t.Fatalf("clocks %v, %v", m.StartClock, m.PlayClock)
		}
		if !m.Kind.row().moves || m.Imperfect {
			return
		}
		again, err := ParseMessage(form(m.Name, kif.Symbol(m.Match), movesTerm(m.Moves)).String())
		if err != nil || again.Kind != m.Kind || again.Match != m.Match || len(again.Moves) != len(m.Moves) {
			t.Fatalf("%+v came back as %+v, %v", m, again, err)
		}
		for i := range m.Moves {
			if !kif.Equal(m.Moves[i], again.Moves[i]) {
				t.Fatalf("the move %v came back as %v", m.Moves[i], again.Moves[i])
			}
		}
	})
}

// A canned connection reads its bytes and then ends.
type canned struct {
	net.Conn
	io.Reader
	written bytes.Buffer
}

func (c *canned) Read(b []byte) (int, error)       { return c.Reader.Read(b) }
func (c *canned) Write(b []byte) (int, error)      { return c.written.Write(b) }
func (c *canned) SetReadDeadline(time.Time) error  { return nil }
func (c *canned) SetWriteDeadline(time.Time) error { return nil }

// FuzzRequest: whatever bytes arrive, a request is read within its limits or
// refused with a status.
func FuzzRequest(f *testing.F) {
	for _, s := range []string{
		"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)",
		"POST / HTTP/1.0\nContent-Length: 3\n\n(INFO)",
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n(INFO)\r\n0\r\n\r\n",
		"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n(INFO)",
		"GET /%28INFO%29 HTTP/1.1\r\nHost: h\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\n\r\n", "\x16\x03", "\r\n\r\n", "POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		o := ServerOptions{BodyLimit: 500, HeaderLimit: 500, HeaderCount: 10}.withDefaults()
		c := &canned{Reader: bytes.NewReader(raw)}
		req, err := (&requestReader{
			conn: c, br: bufio.NewReader(c), o: &o, claim: &claim{budget: newBudget(1 << 20)}, suffices: func(opening) bool { return false },
		}).read()
		var fault *httpError
		switch {
		case err == nil && len(req.body) > 500:
			t.Fatalf("a body of %d bytes", len(req.body))
		case err == nil && strings.Contains("POST GET OPTIONS", req.method), errors.Is(err, errNothing):
		case !errors.As(err, &fault) || fault.status < 400 || fault.text == "":
			t.Fatalf("%q: %+v, %v", raw, req, err)
		}
	})
}
