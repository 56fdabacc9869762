package protocol

import (
	"errors"
	"io"
	"net/http/httputil"
	"os"
	"semisplit/protocol/internal/untrusted"
	"strings"
	"time"
)

// bodyReader reads the body of one request, as far as it is wanted: until its
// opening suffices, or to its end.
type bodyReader struct {
	*requestReader
	text      strings.Builder
	opening   opening
	opened    bool  // there is an opening
	looked    bool  // there is none, or it is known
	limit     int64 // bytes of the text; what the opening allows, once it is known
	announced int64 // bytes; -1: unknown
	end       time.Time
}

// add takes in what has arrived, and tells whether that is enough.
func (b *bodyReader) add(text []byte) (enough bool, err error) {
	if !b.looked {
		if b.opening, b.opened, b.looked = readOpening(b.text.String() + string(text)); b.opened {
			b.limit = b.opening.limit(b.o)
			if b.suffices(b.opening) {
				return true, nil
			}
		}
	}
	length := int64(b.text.Len() + len(text))
	if b.looked { // it need not arrive to be refused
		length = max(length, b.announced)
	}
	if length > b.limit {
		return false, refuse(413, "the body of %d bytes is too large: at most %d", length, b.limit)
	}
	if b.text.Len()+len(text) > b.text.Cap() {
		if err := b.claim.text(2*b.text.Cap() + len(text)); err != nil {
			return false, err
		}
	}
	b.text.Write(text)
	return false, nil
}

// wait sets how long the next bytes may be on their way: Stall, or less.
func (b *bodyReader) wait(most time.Duration) {
	limit := time.Now().Add(min(b.o.Stall, most))
	if b.end.Before(limit) {
		limit = b.end
	}
	_ = b.conn.SetReadDeadline(limit)
}

func (b *bodyReader) chunks() error {
	var buf [8192]byte
	chunked := httputil.NewChunkedReader(b.br)
	for {
		b.wait(b.o.Stall)
		k, err := chunked.Read(buf[:])
		if enough, fault := b.add(buf[:k]); enough || fault != nil {
			return fault
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return refuse(408, "the body did not arrive: no more came for %v, or not all within %v", b.o.Stall, b.o.BodyTimeout)
		case err != nil:
			return refuse(400, "a broken chunked body: %v", err)
		}
	}
}

// plain reads a body of the announced length, if there is one. Lengths
// are not trusted: they may count characters (the text goes on while its
// parentheses are open) or be too large (a complete message waits for the
// rest only as long as Grace).
func (b *bodyReader) plain() error {
	announced := b.announced
	var (
		par untrusted.Parens
		buf [8192]byte
	)
	for {
		n := int64(b.text.Len())
		if done := announced >= 0 && n >= announced || announced < 0 && par.Closed; done && par.Depth <= 0 {
			return nil
		}
		firm := announced >= 0 && n < announced && !par.Closed // nothing but the whole will do
		if firm {
			b.wait(b.o.Stall)
		} else {
			b.wait(b.o.Grace)
		}
		want := int64(len(buf))
		if announced > n {
			want = min(want, announced-n)
		}
		k, err := b.br.Read(buf[:want])
		par.Feed(buf[:k])
		if enough, fault := b.add(buf[:k]); enough || fault != nil {
			return fault
		}
		if err == nil {
			continue
		}
		if firm && errors.Is(err, os.ErrDeadlineExceeded) {
			return refuse(408, "%d of %d bytes of the body arrived, and no more for %v, or not all within %v",
				b.text.Len(), announced, b.o.Stall, b.o.BodyTimeout)
		}
		if firm && !par.Closed {
			return refuse(400, "the connection ended after %d of %d bytes of the body", b.text.Len(), announced)
		}
		return nil
	}
}
