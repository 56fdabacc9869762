package servers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"semisplit/protocol"
	"semisplit/protocol/internal/untrusted"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Why a registration failed. Every such error says what to do.
var (
	ErrCookie   = errors.New("the server does not know who registers")
	ErrTaken    = errors.New("the name belongs to somebody else")
	ErrNoPlayer = errors.New("the server knows no such player")
	ErrDisabled = errors.New("the server has disabled the player")
	ErrUnseen   = errors.New("the server cannot reach the player")
)

// A Tiltyard is a server of the kind of tiltyard.ggp.org: it pings the players
// that are registered, by INFO, and schedules matches between those that are
// available.
type Tiltyard struct {
	root   string
	cookie string // the value of gtoken; never logged
	web    *Web
}

// NewTiltyard addresses a server. Without a cookie players can be looked at
// and not registered.
func NewTiltyard(root, cookie string, w *Web) (*Tiltyard, error) {
	root, err := parseRoot("server", root)
	if err != nil {
		return nil, err
	}
	if strings.ContainsFunc(cookie, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`",;\`, c) }) {
		return nil, fmt.Errorf("%w: the cookie is no value of a cookie: copy what stands after gtoken=", ErrCookie)
	}
	if w == nil {
		w = NewWeb(WebOptions{ReplyLimit: 4 << 20})
	}
	return &Tiltyard{root: root, cookie: cookie, web: w}, nil
}

// A Registration is what a player tells of itself.
type Registration struct {
	Name        string // 2 to 49 of A-Z, a-z, 0-9, - and _
	Address     string // "host:port" as the server reaches the player
	Enabled     bool   // it takes part
	Pingable    bool   // it may be pinged
	Tournaments bool   // it takes part in tournaments
	GDLVersion  string // "GDLv1" or "GDLv2"
	Email       string // shown to everybody
	Website     string
	Exponent    string // address of the player's own page
	ExponentViz string // address of a visualisation
	Country     string // two letters
}

var playerName = regexp.MustCompile(`^[A-Za-z0-9_-]{2,49}$`)

// Validate tells what a server would refuse.
func (r Registration) Validate() error {
	if !playerName.MatchString(r.Name) {
		return fmt.Errorf("the name %q: 2 to 49 letters, digits, - or _ are allowed", r.Name)
	}
	host, port, err := net.SplitHostPort(r.Address)
	if n, perr := strconv.Atoi(port); err != nil || host == "" || perr != nil || n < 1 || n > 65535 || strings.ContainsAny(host, "/ @") {
		return fmt.Errorf("the address %q: HOST:PORT was expected, as the server reaches the player", r.Address)
	}
	if r.GDLVersion != "GDLv1" && r.GDLVersion != "GDLv2" {
		return fmt.Errorf("the GDL version %q: GDLv1 or GDLv2 was expected", r.GDLVersion)
	}
	return nil
}

// json is the registration as the server reads it.
func (r Registration) json() ([]byte, error) {
	return json.Marshal(struct {
		Name        string `json:"name"`
		URL         string `json:"theURL"`
		Enabled     bool   `json:"isEnabled"`
		Pingable    bool   `json:"isPingable"`
		Tourney     bool   `json:"isRegisteredForTourney"`
		GDL         string `json:"gdlVersion"`
		Email       string `json:"visibleEmail"`
		Website     string `json:"visibleWebsite"`
		Exponent    string `json:"exponentURL"`
		ExponentViz string `json:"exponentVizURL"`
		Country     string `json:"countryCode"`
	}{r.Name, r.Address, r.Enabled, r.Pingable, r.Tournaments, r.GDLVersion, r.Email, r.Website, r.Exponent, r.ExponentViz, r.Country})
}

// A PlayerStatus is a player as the server sees it. All texts are fit for
// people, and none is trusted.
type PlayerStatus struct {
	Name       string
	Address    string // may be hidden, and then is empty
	Enabled    bool
	Pingable   bool
	InfoStatus string // of the last ping: available, busy, or a fault; empty before the first
	InfoError  string // why the last ping failed
}

// Seen tells whether the last ping was answered.
func (s PlayerStatus) Seen() bool {
	return s.InfoError == "" && (strings.EqualFold(s.InfoStatus, "available") || strings.EqualFold(s.InfoStatus, "busy"))
}

// Register creates a player, or updates one that is ours, and returns it as
// the server sees it then. Saying it twice changes nothing, so that Web may
// try again. An error wraps ErrCookie, ErrTaken, ErrConnection, ErrTimeout or
// ErrReply, or is a StatusError.
func (t *Tiltyard) Register(ctx context.Context, r Registration) (PlayerStatus, error) {
	if err := r.Validate(); err != nil {
		return PlayerStatus{}, err
	}
	if t.cookie == "" {
		return PlayerStatus{}, t.noCookie("no cookie is given")
	}
	body, err := r.json()
	if err != nil {
		return PlayerStatus{}, err
	}
	reply, err := t.web.do(ctx, webRequest{
		method: http.MethodPost, url: t.root + "/data/updatePlayer", body: body,
		header: map[string]string{"Content-Type": "application/json", "Cookie": "gtoken=" + t.cookie},
	})
	if err != nil {
		return PlayerStatus{}, fmt.Errorf("register at %s: %w", t.root, err)
	}
	if err := t.accepted(ctx, r, reply); err != nil {
		return PlayerStatus{}, err
	}
	s, err := t.Player(ctx, r.Name)
	switch {
	case errors.Is(err, ErrNoPlayer):
		return s, fmt.Errorf("register at %s: %w: it accepted %s and does not list it", t.root, protocol.ErrReply, r.Name)
	case err == nil && s.Address != "" && !sameAddress(s.Address, r.Address):
		return s, fmt.Errorf("%w: %s is listed at %s, not at %s: choose another --name, or take the cookie of its owner", ErrTaken, r.Name, s.Address, r.Address)
	}
	return s, err
}

// accepted finds out what a refusal means: servers answer a missing cookie
// and a name that is taken alike.
func (t *Tiltyard) accepted(ctx context.Context, r Registration, reply webReply) error {
	says := gjson.Result{}
	if doc, err := untrusted.ParseJSON(reply.body); err == nil {
		says = doc.Get("error")
	}
	switch {
	case reply.status == http.StatusOK && !untrusted.LooksLikePage(reply.body) && !says.Exists():
		return nil
	case reply.status == http.StatusOK && untrusted.LooksLikePage(reply.body), reply.status >= 300 && reply.status < 400, reply.status == http.StatusUnauthorized:
		return t.noCookie("the cookie is not, or no longer, that of somebody logged in")
	case reply.status >= 500, reply.status == http.StatusTooManyRequests:
		return fmt.Errorf("register at %s: %w", t.root, refusal(reply))
	}
	_, err := t.Player(ctx, r.Name)
	switch {
	case err == nil:
		return fmt.Errorf("%w: %s is registered at %s already, and not by the owner of this cookie (%w): choose another --name, or take the cookie of its owner", ErrTaken, r.Name, t.root, refusal(reply))
	case errors.Is(err, ErrNoPlayer) && (reply.status == http.StatusForbidden || reply.status == http.StatusNotFound):
		return t.noCookie("it answers " + refusal(reply).Error())
	}
	return fmt.Errorf("register at %s: %w", t.root, refusal(reply))
}

func (t *Tiltyard) noCookie(why string) error {
	return fmt.Errorf("%w: %s: log in at %s with a browser, and give the value of the cookie gtoken by --cookie or in GGP_GTOKEN", ErrCookie, why, t.root)
}

// Player is a player as the server sees it now.
func (t *Tiltyard) Player(ctx context.Context, name string) (PlayerStatus, error) {
	doc, err := t.get(ctx, "/data/players/"+url.PathEscape(name))
	if errors.Is(err, errNoPage) {
		return PlayerStatus{}, fmt.Errorf("%w: %s at %s", ErrNoPlayer, name, t.root)
	}
	if err != nil {
		return PlayerStatus{}, err
	}
	s, err := playerStatus(doc)
	if err == nil && s.Name != name {
		err = fmt.Errorf("it was asked for %s and tells of %q", name, s.Name)
	}
	if err != nil {
		return PlayerStatus{}, fmt.Errorf("ask %s for %s: %w: %w", t.root, name, protocol.ErrReply, err)
	}
	return s, nil
}

// sameAddress compares "host:port" as we write it with what a server makes of
// it.
func sameAddress(listed, ours string) bool {
	listed = strings.TrimSuffix(strings.TrimPrefix(listed, "http://"), "/")
	return strings.EqualFold(listed, ours)
}

var errNoPage = errors.New("no such page")

func (t *Tiltyard) get(ctx context.Context, path string) (gjson.Result, error) {
	reply, err := t.web.do(ctx, webRequest{method: http.MethodGet, url: t.root + path})
	switch {
	case err != nil:
		return gjson.Result{}, fmt.Errorf("ask %s: %w", t.root+path, err)
	case reply.status == http.StatusNotFound:
		return gjson.Result{}, fmt.Errorf("%w: %s", errNoPage, t.root+path)
	case reply.status != http.StatusOK:
		return gjson.Result{}, fmt.Errorf("ask %s: %w", t.root+path, refusal(reply))
	}
	doc, err := untrusted.ParseJSON(reply.body)
	if err != nil {
		return doc, fmt.Errorf("ask %s: %w: %w", t.root+path, protocol.ErrReply, err)
	}
	return doc, nil
}

func playerStatus(doc gjson.Result) (PlayerStatus, error) {
	if !doc.IsObject() {
		return PlayerStatus{}, fmt.Errorf("a player is an object, not %q", untrusted.PlainText(doc.Raw, 60))
	}
	text := func(key string, most int) string {
		v := doc.Get(key)
		if v.Type == gjson.Null {
			return ""
		}
		return untrusted.PlainText(v.String(), most)
	}
	s := PlayerStatus{
		Name: text("name", 60), Address: text("theURL", 200),
		Enabled: doc.Get("isEnabled").Type == gjson.True, Pingable: doc.Get("isPingable").Type == gjson.True,
		InfoStatus: text("infoStatus", 60), InfoError: text("infoError", 200),
	}
	if !playerName.MatchString(s.Name) {
		return PlayerStatus{}, fmt.Errorf("%q is no name of a player", s.Name)
	}
	if !doc.Get("isEnabled").IsBool() {
		return PlayerStatus{}, errors.New("isEnabled is missing, or neither true nor false")
	}
	return s, nil
}
