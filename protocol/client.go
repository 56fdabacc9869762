package protocol

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"semisplit/kif"
	"semisplit/protocol/internal/untrusted"
)

// Why a player gave no reply. Every error of a Client wraps one of them.
var (
	ErrTimeout    = errors.New("no reply in time")
	ErrConnection = errors.New("no connection")
	ErrReply      = errors.New("unreadable reply")
)

// DefaultPort is the port of a player whose address names none.
const DefaultPort = 9147

// A Remote is a player as a manager addresses it.
type Remote struct {
	URL  string // "http://host:port/", see ParseRemote
	Name string // goes into the Receiver header; may be empty
}

// ParseRemote reads "host", "host:port" or a URL of a player.
func ParseRemote(addr string) (Remote, error) {
	text := addr
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return Remote{}, fmt.Errorf("the player's address %q: %w", addr, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return Remote{}, fmt.Errorf("the player's address %q: expected host:port or http://host:port", addr)
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(DefaultPort))
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return Remote{URL: u.String(), Name: u.Hostname()}, nil
}

// ClientOptions are the limits of a Client. The zero value of each field
// stands for its default.
type ClientOptions struct {
	Sender         string        // the Sender header; GAMESERVER
	ReplyLimit     int64         // bytes of a reply; 1 MiB
	ConnectTimeout time.Duration // 5 s
	Retries        int           // further attempts for INFO, STOP and ABORT; 2 (negative: none)
	RetryWait      time.Duration // before the first of them, doubled each time; 50 ms
	Logger         *slog.Logger  // attempts at debug; nil: silent
	// Dial opens connections; nil: TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// A Client is the manager's side of the wire. Every method sends one message
// to one player and returns by the deadline of its context, which is the only
// clock; INFO, STOP and ABORT are tried again within it when the connection
// fails, START and PLAY never. It is safe for concurrent use.
type Client struct {
	o      ClientOptions
	once   *http.Client
	repeat *retryablehttp.Client
}

// NewClient makes a client.
func NewClient(o ClientOptions) *Client {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.Sender = cmp.Or(o.Sender, "GAMESERVER")
	o.ReplyLimit = cmp.Or(o.ReplyLimit, 1<<20)
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 5*time.Second)
	o.Retries = cmp.Or(o.Retries, 2)
	o.RetryWait = cmp.Or(o.RetryWait, 50*time.Millisecond)
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: o.ConnectTimeout}).DialContext
	}
	hc := &http.Client{
		Transport: &http.Transport{
			DialContext:            o.Dial,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	rc := retryablehttp.NewClient()
	rc.HTTPClient = hc
	rc.Logger = o.Logger
	rc.RetryMax = max(0, o.Retries)
	rc.RetryWaitMin = o.RetryWait
	rc.RetryWaitMax = 8 * o.RetryWait
	rc.CheckRetry = func(ctx context.Context, _ *http.Response, err error) (bool, error) {
		return err != nil && ctx.Err() == nil, ctx.Err()
	}
	return &Client{o: o, once: hc, repeat: rc}
}

// InfoReply is the answer to INFO.
type InfoReply struct {
	Name   string // empty if the player sent a status alone
	Status string // "available", "busy", or whatever the player says
}

// Info asks a player for its name and status.
func (c *Client) Info(ctx context.Context, p Remote) (InfoReply, error) {
	t, err := c.exchange(ctx, p, form("INFO"), true)
	if err != nil {
		return InfoReply{}, err
	}
	return parseInfo(t), nil
}

func parseInfo(t kif.Term) InfoReply {
	if !t.IsList() {
		return InfoReply{Status: t.Name}
	}
	var r InfoReply
	for _, pair := range t.Items {
		if len(pair.Items) < 2 {
			continue
		}
		var words []string
		for _, w := range pair.Items[1:] {
			words = append(words, w.String())
		}
		switch value := strings.Join(words, " "); strings.ToLower(pair.Items[0].Name) {
		case "name":
			r.Name = value
		case "status":
			r.Status = value
		}
	}
	return r
}

// Preview sends rules ahead of a match. Players may leave it unanswered.
func (c *Client) Preview(ctx context.Context, p Remote, rules []kif.Term, clock time.Duration) (kif.Term, error) {
	return c.exchange(ctx, p, form("PREVIEW", kif.List(rules...), clockTerm(clock)), false)
}

// Start begins a match; m.Received is not sent.
func (c *Client) Start(ctx context.Context, p Remote, m Start) (kif.Term, error) {
	return c.exchange(ctx, p, form("START", kif.Symbol(m.Match), m.Role, kif.List(m.Rules...),
		clockTerm(m.StartClock), clockTerm(m.PlayClock)), false)
}

// Play tells the moves of the last turn (nil in the first) and returns the
// player's move as it was spelled, whether or not it is legal.
func (c *Client) Play(ctx context.Context, p Remote, match string, moves []kif.Term) (kif.Term, error) {
	return c.exchange(ctx, p, form("PLAY", kif.Symbol(match), movesTerm(moves)), false)
}

// Stop tells the final moves of a match.
func (c *Client) Stop(ctx context.Context, p Remote, match string, moves []kif.Term) (kif.Term, error) {
	return c.exchange(ctx, p, form("STOP", kif.Symbol(match), movesTerm(moves)), true)
}

// Abort ends a match that is not going to be finished.
func (c *Client) Abort(ctx context.Context, p Remote, match string) (kif.Term, error) {
	return c.exchange(ctx, p, form("ABORT", kif.Symbol(match)), true)
}

// form returns the term of a message.
func form(name string, args ...kif.Term) kif.Term {
	return kif.List(append([]kif.Term{kif.Symbol(name)}, args...)...)
}

// movesTerm is NIL for no moves, else their list.
func movesTerm(moves []kif.Term) kif.Term {
	if len(moves) == 0 {
		return kif.Symbol("NIL")
	}
	return kif.List(moves...)
}

// clockTerm writes a clock in seconds: a whole number wherever it is one,
// since most players read nothing else.
func clockTerm(d time.Duration) kif.Term {
	return kif.Symbol(strconv.FormatFloat(d.Seconds(), 'f', -1, 64))
}

// exchange sends a message and reads the first term of the reply.
func (c *Client) exchange(ctx context.Context, p Remote, message kif.Term, again bool) (kif.Term, error) {
	name := message.Items[0].Name
	t, err := c.attempt(ctx, p, message.Append(nil), again)
	if err != nil {
		return kif.Term{}, fmt.Errorf("%s to %s: %w", name, p.URL, err)
	}
	return t, nil
}

func (c *Client) attempt(ctx context.Context, p Remote, body []byte, again bool) (kif.Term, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL, bytes.NewReader(body))
	if err != nil {
		return kif.Term{}, fmt.Errorf("%w: %w", ErrConnection, err)
	}
	req.Header.Set("Accept", "text/delim")
	req.Header.Set("Sender", c.o.Sender)
	req.Header.Set("Receiver", p.Name)
	req.Header.Set("Content-Type", "text/acl")
	req.Header["User-Agent"] = nil
	var resp *http.Response
	if again {
		var rr *retryablehttp.Request
		if rr, err = retryablehttp.FromRequest(req); err == nil {
			resp, err = c.repeat.Do(rr)
		}
	} else {
		resp, err = c.once.Do(req)
	}
	if err != nil {
		return kif.Term{}, ExchangeError(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	return c.readReply(ctx, resp)
}

// ExchangeError says which of our errors a failed exchange is: time that ran out
// is ErrTimeout even while connecting.
func ExchangeError(ctx context.Context, err error) error {
	var ne net.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", ErrTimeout, err)
	case errors.As(err, &ne) && ne.Timeout() && !dialing(err):
		return fmt.Errorf("%w: %w", ErrTimeout, err)
	}
	return fmt.Errorf("%w: %w", ErrConnection, err)
}

func dialing(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// readReply reads a reply as leniently as managers do: any status, any
// content type, any length as long as there is one term. Without an announced
// length it does not wait for the end of the stream once a list is closed.
func (c *Client) readReply(ctx context.Context, resp *http.Response) (kif.Term, error) {
	var (
		text []byte
		par  untrusted.Parens
		buf  [4096]byte
		err  error
	)
	for err == nil && (resp.ContentLength >= 0 || !par.Closed) {
		var n int
		n, err = resp.Body.Read(buf[:])
		text = append(text, buf[:n]...)
		par.Feed(buf[:n])
		if int64(len(text)) > c.o.ReplyLimit {
			return kif.Term{}, fmt.Errorf("%w: longer than %d bytes", ErrReply, c.o.ReplyLimit)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) && ctx.Err() != nil {
		return kif.Term{}, ExchangeError(ctx, err)
	}
	t, perr := ParseReply(string(text))
	if perr != nil && err != nil && !errors.Is(err, io.EOF) {
		return kif.Term{}, fmt.Errorf("%w (%w)", perr, err)
	}
	return t, perr
}

// ParseReply reads the first term of a player's reply; white space before it
// and any text after it are ignored. An error wraps ErrReply.
func ParseReply(text string) (kif.Term, error) {
	if untrusted.Blank(text) {
		return kif.Term{}, fmt.Errorf("%w: empty", ErrReply)
	}
	t, _, err := kif.First(text)
	if err != nil {
		return kif.Term{}, fmt.Errorf("%w: %w", ErrReply, err)
	}
	return t, nil
}
