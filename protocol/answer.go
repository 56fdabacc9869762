package protocol

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// Replies of the server's own.
const (
	replyDone = "done"
	replyBusy = "busy"
	// replyImperfect refuses the forms of GDL-II. Managers take it for an
	// illegal move and go on by themselves.
	replyImperfect = "gdl-ii-is-not-supported"
)

// A reply is what is sent back: a status and one line of text.
type reply struct {
	status int
	text   string
}

// bytes returns the reply as it goes over the wire: HTTP/1.0, so that nobody
// expects chunks or a second message, and with the length in bytes. The
// headers for browsers go with every reply, faults included.
func (r reply) bytes() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.0 %d %s\r\n", r.status, http.StatusText(r.status))
	b.WriteString("Content-type: text/acl\r\n")
	b.WriteString("Content-length: " + strconv.Itoa(len(r.text)) + "\r\n")
	b.WriteString("Access-Control-Allow-Origin: *\r\n")
	b.WriteString("Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n")
	b.WriteString("Access-Control-Allow-Headers: Content-Type\r\n")
	b.WriteString("Access-Control-Allow-Age: 86400\r\n")
	if r.status == http.StatusMethodNotAllowed {
		b.WriteString("Allow: POST, GET, OPTIONS\r\n")
	}
	b.WriteString("Connection: close\r\n\r\n")
	b.WriteString(r.text)
	return []byte(b.String())
}

// broken turns the fault of a request into the reply that explains it.
func (s *Server) broken(c *serverConn, err error) reply {
	r := reply{http.StatusBadRequest, oneLine(err.Error())}
	var fault *httpError
	if errors.As(err, &fault) {
		r.status = fault.status
	}
	s.o.Logger.Warn("broken request", "remote", remote(c), "status", r.status, "err", r.text)
	return r
}

// answer asks the player and returns what it says.
func (s *Server) answer(ctx context.Context, c *serverConn, req request, received time.Time) (r reply) {
	if req.method == "OPTIONS" {
		return reply{status: http.StatusOK}
	}
	var m Message
	defer func() {
		if p := recover(); p != nil {
			s.o.Logger.Error("panic in the player", "message", m.Kind, "match", m.Match, "panic", p, "stack", string(debug.Stack()))
			r = reply{http.StatusInternalServerError, "the player failed on this message"}
		}
	}()
	m, err := ParseMessage(req.body)
	if err != nil {
		return s.broken(c, err)
	}
	r = reply{http.StatusOK, dispatch(ctx, s.player, m, received)}
	if m.Kind == KindUnknown || m.Imperfect {
		s.o.Logger.Warn("message not understood", "remote", remote(c), "name", clip(m.Name), "match", m.Match, "gdl-ii", m.Imperfect, "reply", r.text)
		return r
	}
	s.o.Logger.Debug("message", "remote", remote(c), "kind", m.Kind, "match", m.Match,
		"moves", len(m.Moves), "elapsed", time.Since(received), "reply", r.text)
	return r
}

// dispatch hands a message to the player and returns the text of the reply.
func dispatch(ctx context.Context, p Player, m Message, received time.Time) string {
	if m.Imperfect {
		return replyImperfect
	}
	turn := Play{Match: m.Match, Moves: m.Moves, Received: received}
	switch m.Kind {
	case KindInfo:
		name, status := p.Info()
		return fmt.Sprintf("((name %s) (status %s))", symbol(name), symbol(status))
	case KindPing:
		_, status := p.Info()
		return symbol(status)
	case KindPreview:
		p.Preview(ctx, m.Rules, m.StartClock)
		return replyDone
	case KindStart:
		return symbol(p.Start(ctx, Start{
			Match: m.Match, Role: m.Role, Rules: m.Rules,
			StartClock: m.StartClock, PlayClock: m.PlayClock, Received: received,
		}))
	case KindPlay:
		move, ok := p.Play(ctx, turn)
		if !ok {
			return replyBusy
		}
		return oneLine(move.String())
	case KindStop:
		return symbol(p.Stop(ctx, turn))
	case KindAbort:
		return symbol(p.Abort(ctx, m.Match))
	}
	return replyDone
}

// symbol makes one printable ASCII symbol of a text, so that it can stand in
// a reply: a player's name may hold blanks.
func symbol(text string) string {
	if text == "" {
		return "none"
	}
	return strings.Map(func(c rune) rune {
		if c <= ' ' || c > '~' || strings.ContainsRune("();|\"'?", c) {
			return '_'
		}
		return c
	}, text)
}

// oneLine replaces line ends, so that a reply stays one line.
func oneLine(text string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(text)
}
