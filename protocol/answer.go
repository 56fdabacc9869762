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
	s.complain(c, "broken request", strconv.Itoa(r.status), "status", r.status, "err", r.text)
	return r
}

// answer asks the player and returns what it says.
func (s *Server) answer(ctx context.Context, c *serverConn, claim *claim, req request, received time.Time) (r reply) {
	if req.method == "OPTIONS" {
		s.hasty(c, "")
		return reply{status: http.StatusOK}
	}
	var m Message
	defer func() {
		if p := recover(); p != nil {
			s.o.Logger.Error("panic in the player", "message", m.Kind, "match", m.Match, "panic", p, "stack", string(debug.Stack()))
			r = reply{http.StatusInternalServerError, "the player failed on this message"}
		}
	}()
	var text string
	var err error
	if req.opening != nil {
		m, text = req.opening.message()
	} else if m, err = claim.message(ctx, req.body); err != nil {
		return s.broken(c, err)
	}
	if s.hasty(c, m.Match) {
		s.complain(c, "too many messages from one host", "", "a second", s.o.Rate)
		return reply{http.StatusTooManyRequests, "too many messages: say it again later"}
	}
	if text == "" {
		text, err = dispatch(ctx, s.player, m, received, int(s.o.TurnLimit))
	}
	if err != nil {
		return s.broken(c, err)
	}
	r = reply{http.StatusOK, text}
	if req.opening != nil && m.Kind == KindStart {
		s.complain(c, "match refused: busy", "", "match", m.Match)
	}
	if m.Kind == KindUnknown || m.Imperfect {
		s.complain(c, "message not understood", "", "name", clip(m.Name), "match", m.Match, "gdl-ii", m.Imperfect, "reply", r.text)
		return r
	}
	s.o.Logger.Debug("message", "remote", remote(c), "kind", m.Kind, "match", m.Match,
		"moves", len(m.Moves), "elapsed", time.Since(received), "reply", r.text)
	return r
}

// dispatch hands a message to the player and returns the text of the reply,
// or an error where that would be longer than limit: no manager could tell
// such a move back.
func dispatch(ctx context.Context, p Player, m Message, received time.Time, limit int) (string, error) {
	if m.Kind == KindPlay && !m.Imperfect {
		move, ok := p.Play(ctx, Play{Match: m.Match, Moves: m.Moves, Received: received})
		switch {
		case !ok:
			return replyBusy, nil
		case !move.Fits(limit):
			return "", refuse(http.StatusInternalServerError, "the move is longer than %d characters", limit)
		}
		return oneLine(move.String()), nil
	}
	return says(ctx, p, m, received), nil
}

// says is dispatch for the messages that are not answered with a move.
func says(ctx context.Context, p Player, m Message, received time.Time) string {
	if m.Imperfect {
		return replyImperfect
	}
	switch m.Kind {
	case KindInfo:
		name, status := p.Info()
		return fmt.Sprintf("((name %s) (status %s))", Symbol(name), Symbol(status))
	case KindPing:
		_, status := p.Info()
		return Symbol(status)
	case KindPreview:
		p.Preview(ctx, m.Rules, m.StartClock)
		return replyDone
	case KindStart:
		return Symbol(p.Start(ctx, Start{
			Match: m.Match, Role: m.Role, Rules: m.Rules,
			StartClock: m.StartClock, PlayClock: m.PlayClock, Received: received,
		}))
	case KindStop:
		return Symbol(p.Stop(ctx, Play{Match: m.Match, Moves: m.Moves, Received: received}))
	case KindAbort:
		return Symbol(p.Abort(ctx, m.Match))
	}
	return replyDone
}

// Symbol makes one printable ASCII symbol of a text, so that it can stand in
// a message: names of players and tournaments may hold blanks.
func Symbol(text string) string {
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
