package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"semisplit/protocol"
	"semisplit/protocol/internal/untrusted"
	"slices"
	"strings"
	"sync"
	"time"
)

// PollOptions say where a player fetches its messages. The zero value of a
// field stands for its default, where one is named.
type PollOptions struct {
	Get    string        // asked for messages: Get?recipient=NAME
	Put    string        // told the answers: Put?sender=NAME&recipient=...&msgid=...
	Name   string        // of the player
	Web    *Web          // one of its own
	Pause  time.Duration // after a reply that brings nothing new and after silence, and the first after a fault; 1 s
	Logger *slog.Logger  // nil: silent
}

const (
	pollLongest = 30 * time.Second // between two attempts while the server is away
	pollAtOnce  = 64               // messages that are being answered
	pollKept    = 256              // answers that are kept, in case a message comes again
)

// Poll lets a player play where it cannot be reached: it fetches its messages
// and posts the answers. A message is an envelope,
// message(msgid,sender,recipient,content), around the usual messages in infix
// or in KIF; the answer is in the same notation. Messages overlap as they do
// at a Server, and one that comes twice is given its answer twice, and not to
// the player. A server that is away is asked on, ever more rarely, one that is silent as
// often as one that has nothing. Poll
// returns nil when ctx ends, and an error where the server refuses.
func Poll(ctx context.Context, p protocol.Player, o PollOptions) error {
	poll, err := newPoller(p, o)
	if err != nil {
		return err
	}
	defer poll.work.Wait()
	wait := poll.o.Pause
	for {
		text, err := poll.fetch(ctx)
		if ctx.Err() != nil {
			return nil
		}
		var status *StatusError
		switch {
		case errors.As(err, &status) && status.Status < 500 && status.Status != http.StatusTooManyRequests:
			return fmt.Errorf("fetch messages for %s from %s: %w: is this the address, and %s a player that is invited?", poll.o.Name, poll.o.Get, err, poll.o.Name)
		case err == nil && poll.hear(ctx, text):
			wait = poll.o.Pause
			continue
		case err == nil:
			wait = poll.o.Pause
		case errors.Is(err, protocol.ErrTimeout): // so a server that holds the question says that there is none
			poll.o.Logger.Warn("the server is silent", "from", poll.o.Get, "err", err)
			wait, err = poll.o.Pause, nil
		default:
			poll.o.Logger.Warn("no messages can be fetched", "from", poll.o.Get, "err", err, "again in", wait)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		if err != nil {
			wait = min(2*wait, pollLongest)
		}
	}
}

// poller is a Poll that is going on.
type poller struct {
	player protocol.Player
	o      PollOptions
	get    *url.URL
	put    *url.URL
	places chan struct{} // one for each message that is being answered
	work   sync.WaitGroup

	mu    sync.Mutex
	known map[string]*string // answers by sender and msgid; nil while it is being found
	order []string           // of known, the oldest first
}

func newPoller(p protocol.Player, o PollOptions) (*poller, error) {
	if !playerName.MatchString(o.Name) {
		return nil, fmt.Errorf("the name %q: 2 to 49 letters, digits, - or _ are allowed", o.Name)
	}
	o.Pause = cmp.Or(o.Pause, time.Second)
	if o.Web == nil {
		o.Web = NewWeb(WebOptions{Idle: 2 * time.Minute}) // a server may hold the question until there is a message
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	poll := &poller{player: p, o: o, places: make(chan struct{}, pollAtOnce), known: map[string]*string{}}
	for _, x := range []struct {
		text   string
		parsed **url.URL
	}{{o.Get, &poll.get}, {o.Put, &poll.put}} {
		u, err := url.Parse(x.text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
			return nil, fmt.Errorf("the address for messages %q: http://HOST/PATH was expected", x.text)
		}
		*x.parsed = u
	}
	return poll, nil
}

// with is an address with more in its query.
func with(u *url.URL, pairs ...string) string {
	copied := *u
	q := copied.Query()
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	copied.RawQuery = q.Encode()
	return copied.String()
}

// fetch takes the next message from the server; empty: there is none. It is
// not said twice, since each call takes one away.
func (p *poller) fetch(ctx context.Context) (string, error) {
	reply, err := p.o.Web.do(ctx, webRequest{method: http.MethodGet, url: with(p.get, "recipient", p.o.Name), once: true})
	if err != nil {
		return "", err
	}
	switch {
	case reply.status == http.StatusNoContent:
		return "", nil
	case reply.status != http.StatusOK:
		return "", refusal(reply)
	case untrusted.LooksLikePage(reply.body):
		return "", &StatusError{Status: http.StatusNotFound, Text: "a web page, not messages"}
	}
	return strings.TrimSpace(string(reply.body)), nil
}

// An envelope is a message on its way.
type envelope struct {
	id, sender, recipient string
	content               string
}

// parseEnvelope reads message(msgid,sender,recipient,content).
func parseEnvelope(text string) (envelope, error) {
	bad := func() (envelope, error) {
		return envelope{}, fmt.Errorf("%w: message(msgid,sender,recipient,content) was expected, found %q", protocol.ErrMessage, untrusted.PlainText(text, 60))
	}
	rest, found := strings.CutPrefix(strings.TrimSpace(text), "message")
	rest = strings.TrimSpace(rest)
	if !found || len(rest) < 2 || rest[0] != '(' || rest[len(rest)-1] != ')' {
		return bad()
	}
	parts := strings.SplitN(rest[1:len(rest)-1], ",", 4)
	if len(parts) < 4 {
		return bad()
	}
	for i, part := range parts[:3] {
		if parts[i] = strings.TrimSpace(part); parts[i] == "" || len(parts[i]) > 200 || strings.ContainsAny(parts[i], "()[]\r\n\x00") {
			return bad()
		}
	}
	return envelope{parts[0], parts[1], parts[2], strings.TrimSpace(parts[3])}, nil
}

// hear takes a message in, and tells whether it is a new one; its answer is found and
// posted in the background. What is no message, or has come before, is no reason to ask
// for the next at once: the server may say the same for ever.
func (p *poller) hear(ctx context.Context, text string) (fresh bool) {
	if text == "" {
		return false
	}
	received := time.Now()
	e, err := parseEnvelope(text)
	if err != nil || e.recipient != p.o.Name {
		p.o.Logger.Warn("a message was left alone", "err", err, "recipient", untrusted.PlainText(e.recipient, 60))
		return false
	}
	id := e.sender + " " + e.id
	p.mu.Lock()
	answer, twice := p.known[id]
	if !twice {
		p.note(id)
	}
	p.mu.Unlock()
	if twice && answer == nil {
		return false // it is being answered
	}
	select {
	case p.places <- struct{}{}:
	default:
		p.o.Logger.Warn("too many messages at a time", "limit", pollAtOnce)
		p.forget(id)
		return false
	}
	p.work.Add(1)
	go func() {
		defer func() { <-p.places; p.work.Done() }()
		if !twice {
			said, ok := p.answer(ctx, e, received)
			if !ok {
				p.forget(id)
				return
			}
			answer = &said
			p.mu.Lock()
			if _, kept := p.known[id]; kept {
				p.known[id] = answer
			}
			p.mu.Unlock()
		}
		p.post(ctx, e, *answer)
	}()
	return !twice
}

// note remembers that a message has come, and forgets the oldest.
func (p *poller) note(id string) {
	p.known[id] = nil
	if p.order = append(p.order, id); len(p.order) > pollKept {
		delete(p.known, p.order[0])
		p.order = p.order[1:]
	}
}

// forget makes a message that was given no answer a new one if it comes again.
func (p *poller) forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if answer, noted := p.known[id]; noted && answer == nil {
		delete(p.known, id)
		p.order = slices.DeleteFunc(p.order, func(other string) bool { return other == id })
	}
}

func (p *poller) answer(ctx context.Context, e envelope, received time.Time) (text string, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			p.o.Logger.Error("panic in the player", "panic", r, "stack", string(debug.Stack()))
			ok = false
		}
	}()
	text, m, err := protocol.Answer(ctx, p.player, e.content, received)
	if err != nil {
		p.o.Logger.Warn("message not understood", "sender", untrusted.PlainText(e.sender, 60), "err", err)
		return "", false
	}
	p.o.Logger.Debug("message", "sender", untrusted.PlainText(e.sender, 60), "kind", m.Kind, "match", m.Match, "reply", text)
	return text, true
}

// post sends an answer; once more if need be, since msgid tells that it is
// the same.
func (p *poller) post(ctx context.Context, e envelope, text string) {
	reply, err := p.o.Web.do(ctx, webRequest{
		method: http.MethodPost, url: with(p.put, "sender", p.o.Name, "recipient", e.sender, "msgid", e.id),
		header: map[string]string{"Content-Type": "text/plain"}, body: []byte(text),
	})
	if err == nil && reply.status != http.StatusOK && reply.status != http.StatusNoContent {
		err = refusal(reply)
	}
	if err != nil && ctx.Err() == nil {
		p.o.Logger.Warn("an answer was not taken", "to", untrusted.PlainText(e.sender, 60), "answer", text, "err", err)
	}
}
