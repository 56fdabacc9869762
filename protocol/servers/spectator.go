package servers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"semisplit/protocol"
	"semisplit/protocol/internal/untrusted"
	"strings"
)

// A Spectator is a server that shows match records to people.
type Spectator struct {
	root string
	web  *Web
	// token is the right to renew what was published with it: the server asks
	// for the same one with each version of a record.
	token string
}

// NewSpectator addresses a spectator server, such as
// http://matches.ggp.org. It has a token of its own, so that one Spectator
// publishes all versions of a record.
func NewSpectator(root string, w *Web) (*Spectator, error) {
	root, err := parseRoot("spectator server", root)
	if err != nil {
		return nil, err
	}
	if w == nil {
		w = NewWeb(WebOptions{})
	}
	return &Spectator{root: root, web: w, token: rand.Text()}, nil
}

// ErrMetaURL is wrapped by Publish for a record whose game is of no repository.
var ErrMetaURL = errors.New("spectator servers take games of a repository only")

// CheckMetaURL tells whether spectator servers take a game with this address
// of metadata: ROOT/games/KEY/vN/.
func CheckMetaURL(text string) error {
	g, ok, err := ParseGameURL(text)
	if err != nil || !ok || g.Version == Newest || !strings.HasSuffix(text, "/") || strings.Contains(text, "#") {
		return fmt.Errorf("%w: the record names %q, where ROOT/games/KEY/vN/ is expected; play a game as ROOT#KEY, such as http://games.ggp.org/base#ticTacToe", ErrMetaURL, text)
	}
	return nil
}

// Publish sends a record, or a longer version of it, and returns the key under
// which the server shows it. Sending the same record twice changes nothing, so
// that Web may try again.
func (s *Spectator) Publish(ctx context.Context, r *protocol.Record) (key string, err error) {
	if err := CheckMetaURL(r.GameMetaURL); err != nil {
		return "", err
	}
	data, err := r.MarshalJSON()
	if err != nil {
		return "", err
	}
	form := url.Values{"AUTH": {s.token}, "DATA": {string(data)}}
	reply, err := s.web.do(ctx, webRequest{
		method: http.MethodPost, url: s.root + "/", body: []byte(form.Encode()),
		header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
	})
	if err != nil {
		return "", fmt.Errorf("publish the record at %s: %w", s.root, err)
	}
	if reply.status != http.StatusOK {
		return "", fmt.Errorf("publish the record at %s: %w", s.root, refusal(reply))
	}
	key = strings.TrimSpace(string(reply.body))
	if !validKey(key) {
		return "", fmt.Errorf("publish the record at %s: %w: %q is no key of a match", s.root, protocol.ErrReply, untrusted.PlainText(key, 60))
	}
	return key, nil
}

// MatchURL is where the server shows a record.
func (s *Spectator) MatchURL(key string) string { return s.root + "/matches/" + key + "/" }

// Match reads a record back, as the server sends it.
func (s *Spectator) Match(ctx context.Context, key string) ([]byte, error) {
	if !validKey(key) {
		return nil, fmt.Errorf("%q is no key of a match", untrusted.PlainText(key, 60))
	}
	return s.web.Record(ctx, s.MatchURL(key))
}

// Record fetches the text of a match record; ParseRecord and VerifySignature
// tell what it is worth.
func (w *Web) Record(ctx context.Context, address string) ([]byte, error) {
	reply, err := w.do(ctx, webRequest{method: http.MethodGet, url: address})
	if err != nil {
		return nil, fmt.Errorf("fetch the record %s: %w", address, err)
	}
	if reply.status != http.StatusOK {
		return nil, fmt.Errorf("fetch the record %s: %w", address, refusal(reply))
	}
	return reply.body, nil
}
