package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// A request is what was read of one HTTP request.
type request struct {
	method string
	body   string // the message: the decoded target of a GET, else the body
}

// A httpError is a request that cannot be served; it is answered with its
// status and text.
type httpError struct {
	status int
	text   string
}

func (e *httpError) Error() string { return e.text }

func refuse(status int, format string, args ...any) error {
	return &httpError{status, fmt.Sprintf(format, args...)}
}

// errNothing means that a peer went away, or said nothing in time, before it
// had sent a first byte: port checks do that, and there is nobody to answer.
var errNothing = errors.New("no request")

// A head is the parsed first part of a request.
type head struct {
	method, target string
	http11         bool
	length         int64 // the announced length, -1 without
	chunked        bool
	expects        bool // waits for "100 Continue" before it sends its body
}

// requestReader reads one request of one connection. net/http is not used
// for this: it refuses requests that real managers send (no Host header in
// HTTP/1.1, lengths counted in characters), and by its rules rightly so.
type requestReader struct {
	conn net.Conn
	br   *bufio.Reader
	o    *ServerOptions
}

func (r *requestReader) read() (request, error) {
	h, err := r.head()
	if err != nil {
		return request{}, err
	}
	req := request{method: h.method}
	switch h.method {
	case "OPTIONS":
		return req, nil
	case "GET":
		req.body, err = targetMessage(h.target)
		return req, err
	case "POST":
	default:
		return req, refuse(405, "method %q is not served: send POST, GET or OPTIONS", clip(h.method))
	}
	if h.length > r.o.BodyLimit {
		return req, refuse(413, "the body of %d bytes is too large: at most %d", h.length, r.o.BodyLimit)
	}
	if h.expects && h.http11 {
		_ = r.conn.SetWriteDeadline(time.Now().Add(r.o.WriteTimeout))
		if _, err := io.WriteString(r.conn, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return req, err
		}
	}
	var body []byte
	if h.chunked {
		body, err = r.chunks()
	} else {
		body, err = r.plain(h.length)
	}
	req.body = string(body)
	return req, err
}

// head reads the request line and the headers, within HeaderTimeout.
func (r *requestReader) head() (head, error) {
	_ = r.conn.SetReadDeadline(time.Now().Add(r.o.HeaderTimeout))
	left := r.o.HeaderLimit
	line, err := r.line(&left)
	for n := 0; err == nil && line == "" && n < 4; n++ { // stray line ends of the sender's last request
		line, err = r.line(&left)
	}
	if err != nil {
		return head{}, err
	}
	h, err := requestLine(line)
	if err != nil {
		return h, err
	}
	h.length = -1
	for n := 0; ; n++ {
		line, err := r.line(&left)
		if err != nil {
			if errors.Is(err, errNothing) {
				err = refuse(400, "the request ended within its headers")
			}
			return h, err
		}
		if line == "" {
			return h, nil
		}
		if n == r.o.HeaderCount {
			return h, refuse(431, "more than %d headers", r.o.HeaderCount)
		}
		if err := h.header(line); err != nil {
			return h, err
		}
	}
}

// line reads a line without its end, which is LF or CRLF. left counts down
// the bytes that all headers together may have.
func (r *requestReader) line(left *int) (string, error) {
	var line []byte
	for {
		c, err := r.br.ReadByte()
		if err != nil {
			switch {
			case len(line) == 0:
				return "", errNothing
			case errors.Is(err, os.ErrDeadlineExceeded):
				return "", refuse(408, "the headers did not arrive within %v", r.o.HeaderTimeout)
			}
			return "", refuse(400, "the request ended within its headers, after %q", clip(string(line)))
		}
		if *left--; *left < 0 {
			return "", refuse(431, "the headers are longer than %d bytes", r.o.HeaderLimit)
		}
		if c == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		if len(line) == 0 && c == 0x16 {
			return "", refuse(400, "this port speaks plain HTTP, not TLS")
		}
		if c < ' ' && c != '\t' && c != '\r' || c == 0x7f {
			return "", refuse(400, "a control character (%#02x) in the headers", c)
		}
		line = append(line, c)
	}
}

// requestLine reads "METHOD target HTTP/1.x". The target reaches to the last
// blank, since browsers' managers have sent messages with bare blanks in it.
func requestLine(line string) (head, error) {
	first, last := strings.IndexByte(line, ' '), strings.LastIndexByte(line, ' ')
	if first <= 0 || last == first {
		return head{}, refuse(400, "no HTTP request: expected a line such as \"POST / HTTP/1.0\", found %q", clip(line))
	}
	version := line[last+1:]
	if !strings.HasPrefix(version, "HTTP/") {
		return head{}, refuse(400, "no HTTP request: the first line ends in %q, not in HTTP/1.0 or HTTP/1.1", clip(version))
	}
	if !strings.HasPrefix(version, "HTTP/1.") {
		return head{}, refuse(505, "%s is not served: use HTTP/1.0 or HTTP/1.1", clip(version))
	}
	return head{
		method: strings.ToUpper(line[:first]),
		target: strings.TrimSpace(line[first+1 : last]),
		http11: version != "HTTP/1.0",
	}, nil
}

// header takes what matters from a header line; nearly all headers do not.
func (h *head) header(line string) error {
	if line[0] == ' ' || line[0] == '\t' {
		return nil // the continuation of a header: none that matters has any
	}
	name, value, ok := strings.Cut(line, ":")
	if !ok || name == "" {
		return refuse(400, "a header without a colon: %q", clip(line))
	}
	value = strings.TrimSpace(value)
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "content-length":
		n, err := strconv.ParseUint(value, 10, 62)
		if err != nil {
			return refuse(400, "Content-Length is %q: expected a number of bytes", clip(value))
		}
		if h.length >= 0 && h.length != int64(n) {
			return refuse(400, "two different Content-Length headers, %d and %d", h.length, n)
		}
		h.length = int64(n)
	case "transfer-encoding":
		switch strings.ToLower(value) {
		case "identity":
		case "chunked":
			h.chunked = true
		default:
			return refuse(501, "Transfer-Encoding %q is not served", clip(value))
		}
	case "expect":
		h.expects = strings.EqualFold(value, "100-continue")
	}
	return nil
}

// targetMessage decodes the message that a browser's manager sends as the
// path of a GET; "+" stands for a blank, as in forms.
func targetMessage(target string) (string, error) {
	text := strings.TrimPrefix(strings.TrimPrefix(target, "/"), "?")
	msg, err := url.QueryUnescape(text)
	if err != nil {
		return "", refuse(400, "the path is not URL-encoded: %v", err)
	}
	return msg, nil
}

func (r *requestReader) chunks() ([]byte, error) {
	_ = r.conn.SetReadDeadline(time.Now().Add(r.o.BodyTimeout))
	body, err := io.ReadAll(io.LimitReader(httputil.NewChunkedReader(r.br), r.o.BodyLimit+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, refuse(408, "the body did not arrive within %v", r.o.BodyTimeout)
	case err != nil:
		return nil, refuse(400, "a broken chunked body: %v", err)
	case int64(len(body)) > r.o.BodyLimit:
		return nil, refuse(413, "the body is too large: at most %d bytes", r.o.BodyLimit)
	}
	return body, nil
}

// plain reads a body of the announced length (-1: none announced). Lengths
// are not trusted: they may count characters (the text goes on while its
// parentheses are open) or be too large (a complete message waits for the
// rest only as long as Grace).
func (r *requestReader) plain(announced int64) ([]byte, error) {
	var (
		body []byte
		par  parens
		buf  [8192]byte
		end  = time.Now().Add(r.o.BodyTimeout)
	)
	for {
		n := int64(len(body))
		if done := announced >= 0 && n >= announced || announced < 0 && par.closed; done && par.depth <= 0 {
			return body, nil
		}
		firm := announced >= 0 && n < announced && !par.closed // nothing but the whole will do
		limit := end
		if !firm {
			limit = earlier(end, time.Now().Add(r.o.Grace))
		}
		_ = r.conn.SetReadDeadline(limit)
		want := int64(len(buf))
		if announced > n {
			want = min(want, announced-n)
		}
		k, err := r.br.Read(buf[:want])
		body = append(body, buf[:k]...)
		par.feed(buf[:k])
		if int64(len(body)) > r.o.BodyLimit {
			return nil, refuse(413, "the body is too large: at most %d bytes", r.o.BodyLimit)
		}
		if err == nil {
			continue
		}
		if firm && errors.Is(err, os.ErrDeadlineExceeded) {
			return nil, refuse(408, "%d of %d bytes of the body arrived within %v", len(body), announced, r.o.BodyTimeout)
		}
		if firm && !par.closed {
			return nil, refuse(400, "the connection ended after %d of %d bytes of the body", len(body), announced)
		}
		return body, nil
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// parens follows the parentheses of a text as it arrives.
type parens struct {
	depth   int
	comment bool
	closed  bool // a list has been closed and none is open
}

func (p *parens) feed(text []byte) {
	for _, c := range text {
		switch {
		case c == '\n' || c == '\r':
			p.comment = false
		case p.comment:
		case c == ';':
			p.comment = true
		case c == '(':
			p.depth++
			p.closed = false
		case c == ')':
			p.depth--
			p.closed = p.depth <= 0
		}
	}
}
