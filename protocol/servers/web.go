// Package servers talks to the servers of the game playing web: repositories of
// games, servers to register players with, those that show matches, and those
// that players fetch their messages from.
package servers

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"
	"semisplit/protocol"
	"semisplit/protocol/internal/untrusted"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// WebOptions are the limits and the patience of a Web. The zero value of each
// field stands for its default.
type WebOptions struct {
	Agent          string        // the User-Agent header; semisplit
	Retries        int           // further attempts of what may be repeated; 3 (negative: none)
	RetryWait      time.Duration // before the first of them, doubled each time; 500 ms
	RetryWaitMax   time.Duration // bound of each wait, of one that the server asks for too; 10 s
	ReplyLimit     int64         // bytes of a reply; 16 MiB
	ConnectTimeout time.Duration // 10 s
	Idle           time.Duration // longest silence before and within a reply; 30 s
	Total          time.Duration // longest attempt; 10 min
	Logger         *slog.Logger  // attempts at debug; nil: silent
	// Dial opens connections; nil: TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// A Web is the client for servers on the web: game repositories, servers to
// register with, spectator servers. It trusts none of them.
//
// What is tried again: requests that say the same when they are said twice
// (all GET, the update of a player, a whole match record), after a failed or
// silent connection, a reply that breaks off, and the statuses 429, 502, 503
// and 504. How often and when: Retries, after RetryWait, twice that, and so
// on, or after what Retry-After asks, never beyond RetryWaitMax. What never
// is: any other status, a certificate that does not hold, a reply beyond
// ReplyLimit, and everything after the end of the context.
//
// Redirections are followed three times, by GET without a cookie, on the same
// host and port or from port 80 to 443 of https, and not from https to http. It is safe for concurrent use.
type Web struct {
	o    WebOptions
	http *http.Client
}

// NewWeb makes a client.
func NewWeb(o WebOptions) *Web {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.Agent = cmp.Or(o.Agent, "semisplit")
	o.Retries = cmp.Or(o.Retries, 3)
	o.RetryWait = cmp.Or(o.RetryWait, 500*time.Millisecond)
	o.RetryWaitMax = cmp.Or(o.RetryWaitMax, 10*time.Second)
	o.ReplyLimit = cmp.Or(o.ReplyLimit, 16<<20)
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 10*time.Second)
	o.Idle = cmp.Or(o.Idle, 30*time.Second)
	o.Total = cmp.Or(o.Total, 10*time.Minute)
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: o.ConnectTimeout}).DialContext
	}
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            o.Dial,
		TLSHandshakeTimeout:    o.ConnectTimeout,
		DisableCompression:     true, // a small reply stays small
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        30 * time.Second,
	}
	return &Web{o: o, http: &http.Client{
		Transport:     patientTransport{next: transport, idle: o.Idle, total: o.Total},
		CheckRedirect: mayFollow,
	}}
}

// mayFollow decides on a redirection. One that is not followed is the reply.
func mayFollow(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) > 3, first.Method != http.MethodGet, first.Header.Get("Cookie") != "",
		!sameServer(first.URL, req.URL):
		return http.ErrUseLastResponse
	}
	return nil
}

// sameServer tells whether to is on the server that from names, or on its encrypted
// side. Another port is another service, which nobody has asked for.
func sameServer(from, to *url.URL) bool {
	old, wanted := port(from), port(to)
	return strings.EqualFold(from.Hostname(), to.Hostname()) &&
		(from.Scheme == to.Scheme && old == wanted || from.Scheme == "http" && to.Scheme == "https" && old == "80" && wanted == "443")
}

func port(u *url.URL) string {
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
}

// webRequest is what is asked of a server.
type webRequest struct {
	method, url string
	header      map[string]string
	body        []byte
	once        bool // saying it twice is not the same as saying it once
	// progress is told the bytes of the reply so far, and of how many (-1: unknown).
	progress func(done, total int64)
}

// webReply is a reply that was read in full, whatever its status.
type webReply struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request, several times if need be, and reads the reply. An error
// wraps ErrConnection, ErrTimeout or ErrReply.
func (w *Web) do(ctx context.Context, q webRequest) (webReply, error) {
	var body io.Reader
	if q.body != nil {
		body = bytes.NewReader(q.body)
	}
	plain, err := http.NewRequestWithContext(ctx, q.method, q.url, body)
	if err != nil {
		return webReply{}, fmt.Errorf("%w: %w", protocol.ErrConnection, err)
	}
	plain.Header.Set("User-Agent", w.o.Agent)
	for name, value := range q.header {
		plain.Header.Set(name, value)
	}
	req, err := retryablehttp.FromRequest(plain)
	if err != nil {
		return webReply{}, fmt.Errorf("%w: %w", protocol.ErrConnection, err)
	}
	var got *webReply
	read := func(resp *http.Response) error {
		data, err := w.readBody(resp, q.progress)
		if err == nil {
			got = &webReply{resp.StatusCode, resp.Header, data}
		}
		return err
	}
	req.SetResponseHandler(read) // a reply that breaks off is tried again, too
	resp, err := w.client(q).Do(req)
	if err == nil && resp != nil && got == nil { // the last of several refusals
		err = read(resp)
	}
	if resp != nil {
		_ = resp.Body.Close()
	}
	switch {
	case err == nil && got != nil:
		return *got, nil
	case err == nil:
		return webReply{}, fmt.Errorf("%w: nothing", protocol.ErrReply)
	case errors.Is(err, protocol.ErrReply) || errors.Is(err, protocol.ErrTimeout) && ctx.Err() == nil:
		return webReply{}, err
	}
	return webReply{}, protocol.ExchangeError(ctx, err)
}

// client is the policy of one request.
func (w *Web) client(q webRequest) *retryablehttp.Client {
	retries := max(0, w.o.Retries)
	if q.once {
		retries = 0
	}
	return &retryablehttp.Client{
		HTTPClient:   w.http,
		Logger:       attempts{w.o.Logger},
		RetryMax:     retries,
		RetryWaitMin: w.o.RetryWait,
		RetryWaitMax: w.o.RetryWaitMax,
		CheckRetry:   mayRepeat,
		Backoff:      backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

// attempts logs single attempts at debug, the failed ones too: what is tried
// again is no error yet, and the last failure is returned.
type attempts struct{ log *slog.Logger }

func (a attempts) Error(text string, pairs ...any) { a.log.Debug(text, pairs...) }
func (a attempts) Warn(text string, pairs ...any)  { a.log.Debug(text, pairs...) }
func (a attempts) Info(text string, pairs ...any)  { a.log.Debug(text, pairs...) }
func (a attempts) Debug(text string, pairs ...any) { a.log.Debug(text, pairs...) }

// mayRepeat decides whether an attempt is followed by another one.
func mayRepeat(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		var certificate *tls.CertificateVerificationError
		return !errors.Is(err, errTooLong) && !errors.As(err, &certificate), nil
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true, nil
	}
	return false, nil
}

// backoff is the wait after attempt n (from 0). A server may ask for a longer
// one, but not for one beyond most.
func backoff(least, most time.Duration, n int, resp *http.Response) time.Duration {
	wait := most
	if double := math.Pow(2, float64(n)) * float64(least); double < float64(most) {
		wait = time.Duration(double)
	}
	if resp != nil {
		if s, err := strconv.ParseInt(resp.Header.Get("Retry-After"), 10, 32); err == nil && s > 0 {
			wait = max(wait, time.Duration(s)*time.Second)
		}
	}
	return min(wait, most)
}

var errTooLong = fmt.Errorf("%w: too long", protocol.ErrReply)

// readBody reads a reply within the limit.
func (w *Web) readBody(resp *http.Response, progress func(done, total int64)) ([]byte, error) {
	tooLong := fmt.Errorf("%w, more than %d bytes", errTooLong, w.o.ReplyLimit)
	if resp.ContentLength > w.o.ReplyLimit {
		return nil, tooLong
	}
	var body io.Reader = resp.Body
	if progress != nil && resp.StatusCode == http.StatusOK {
		body = &countingReader{reader: body, total: resp.ContentLength, tell: progress}
	}
	data, err := io.ReadAll(io.LimitReader(body, w.o.ReplyLimit+1))
	switch {
	case int64(len(data)) > w.o.ReplyLimit:
		return nil, tooLong
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w: it breaks off after %d bytes", protocol.ErrReply, len(data))
	}
	return data, err
}

// countingReader tells how far a download is.
type countingReader struct {
	reader      io.Reader
	done, total int64
	tell        func(done, total int64)
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.reader.Read(b)
	c.done += int64(n)
	c.tell(c.done, c.total)
	return n, err
}

// patientTransport ends attempts in which nothing arrives for a while, or
// which take too long altogether.
type patientTransport struct {
	next        http.RoundTripper
	idle, total time.Duration
}

func (p patientTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	b := &patientBody{ctx: ctx, idle: p.idle}
	b.silence = time.AfterFunc(p.idle, func() { cancel(fmt.Errorf("%w: silence for %v", protocol.ErrTimeout, p.idle)) })
	b.whole = time.AfterFunc(p.total, func() { cancel(fmt.Errorf("%w: not complete after %v", protocol.ErrTimeout, p.total)) })
	b.cancel = cancel
	resp, err := p.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		err = b.cause(err)
		b.end()
		return nil, err
	}
	b.silence.Reset(p.idle)
	b.body = resp.Body
	resp.Body = b
	return resp, nil
}

// patientBody is a body whose reader waits no longer than idle.
type patientBody struct {
	ctx            context.Context
	cancel         context.CancelCauseFunc
	idle           time.Duration
	silence, whole *time.Timer
	body           io.ReadCloser
}

func (b *patientBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, b.cause(err)
	}
	b.silence.Reset(b.idle)
	return n, err
}

func (b *patientBody) Close() error {
	err := b.body.Close()
	b.end()
	return err
}

func (b *patientBody) end() {
	b.silence.Stop()
	b.whole.Stop()
	b.cancel(nil)
}

// cause is our own reason for an error, where we have caused it.
func (b *patientBody) cause(err error) error {
	if cause := context.Cause(b.ctx); errors.Is(cause, protocol.ErrTimeout) {
		return cause
	}
	return err
}

// StatusError is a server's refusal. It is fs.ErrNotExist for 404 and 410.
type StatusError struct {
	Status   int
	Text     string // what the server says about it, fit for people; may be empty
	Location string // where it sends us instead; mostly empty
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))
	if e.Text != "" {
		text += fmt.Sprintf(": %q", e.Text)
	}
	if e.Location != "" {
		text += fmt.Sprintf(" (it points to %s)", e.Location)
	}
	return text
}

// Is makes a missing page a missing file.
func (e *StatusError) Is(target error) bool {
	return target == fs.ErrNotExist && (e.Status == http.StatusNotFound || e.Status == http.StatusGone)
}

// refusal is the error of a reply with another status than 200.
func refusal(r webReply) error {
	e := &StatusError{Status: r.status, Location: untrusted.PlainText(r.header.Get("Location"), 100)}
	if doc, err := untrusted.ParseJSON(r.body); err == nil {
		if text := doc.Get("error"); text.Exists() {
			e.Text = untrusted.PlainText(text.String(), 200)
			return e
		}
	}
	if untrusted.LooksLikePage(r.body) {
		e.Text = "a web page"
		return e
	}
	e.Text = untrusted.PlainText(string(r.body), 200)
	return e
}

// parseRoot reads the address of a server: http or https, without a question
// or a fragment. The result has no slash at its end.
func parseRoot(what, text string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return "", fmt.Errorf("the address of the %s, %q: %w", what, text, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("the address of the %s, %q: expected http://HOST/PATH or https://HOST/PATH", what, text)
	}
	return strings.TrimRight(u.Scheme+"://"+u.Host+u.EscapedPath(), "/"), nil
}
