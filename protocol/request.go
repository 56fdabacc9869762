package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
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
	// opening is what was read of a message whose rest does not matter; the
	// body stands unread then, in part or in whole.
	opening *opening
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
	conn  net.Conn
	br    *bufio.Reader
	o     *ServerOptions
	claim *claim
	// suffices tells whether a message is answered by its opening.
	suffices func(opening) bool
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
		if req.body, err = targetMessage(h.target); err != nil {
			return req, err
		}
		o, ok, _ := readOpening(req.body)
		if limit := o.limit(r.o); int64(len(req.body)) > limit {
			return req, refuse(413, "the message is too large: at most %d bytes", limit)
		}
		return r.opened(req, o, ok), nil
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
	b := &bodyReader{requestReader: r, limit: opening{}.limit(r.o), announced: h.length, end: time.Now().Add(r.o.BodyTimeout)}
	if h.chunked {
		b.announced = -1
		err = b.chunks()
	} else {
		err = b.plain()
	}
	if err != nil {
		return req, err
	}
	req.body = b.text.String()
	return r.opened(req, b.opening, b.opened), nil
}

// opened leaves a request with its opening if that suffices.
func (r *requestReader) opened(req request, o opening, ok bool) request {
	if ok && r.suffices(o) {
		req.opening, req.body = &o, ""
	}
	return req
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
		if len(line) == cap(line) {
			if err := r.claim.text(2 * len(line)); err != nil {
				return "", err
			}
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
