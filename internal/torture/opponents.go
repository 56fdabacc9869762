package main

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"
)

// listenOpponents starts players that misbehave, each in its own way, and returns their
// addresses.
func listenOpponents(t *tally, trap string) (addresses []string, stop func(), err error) {
	var servers []*http.Server
	stop = func() {
		for _, s := range servers {
			_ = s.Close() // nobody waits for them
		}
	}
	for _, misbehave := range []func(w http.ResponseWriter, r *http.Request){
		func(_ http.ResponseWriter, r *http.Request) { wait(r.Context(), time.Minute) },
		func(w http.ResponseWriter, _ *http.Request) { say(w, strings.Repeat("(", 1<<20)) },
		func(w http.ResponseWriter, _ *http.Request) { say(w, strings.Repeat("a", 8<<20)) },
		func(w http.ResponseWriter, _ *http.Request) {
			say(w, "(fly \x1b[31mred <script>alert(1)</script> | \u202e)")
		},
		func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+trap+"/", http.StatusTemporaryRedirect)
		},
		func(w http.ResponseWriter, r *http.Request) { drip(r.Context(), w) },
		func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, // the connection breaks off
		func(w http.ResponseWriter, _ *http.Request) {
			junk := make([]byte, 1000)
			for i := range junk {
				junk[i] = byte(rand.Uint32())
			}
			say(w, string(junk))
		},
	} {
		address, server, err := listen(http.HandlerFunc(misbehave))
		if err != nil {
			stop()
			return nil, nil, err
		}
		addresses, servers = append(addresses, address), append(servers, server)
	}
	return addresses, stop, nil
}

func listen(h http.Handler) (address string, server *http.Server, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server = &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }() // until it is closed
	return l.Addr().String(), server, nil
}

func say(w io.Writer, text string) { _, _ = io.WriteString(w, text) } // nobody may listen

// drip sends a byte now and then, without an end.
func drip(ctx context.Context, w http.ResponseWriter) {
	for ctx.Err() == nil {
		if _, err := io.WriteString(w, "("); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush() // the next write tells
		wait(ctx, 300*time.Millisecond)
	}
}

// trap is a service that nobody has named: whoever asks it was led there.
type trap struct {
	address string
	close   func()
}

func newTrap(t *tally) (trap, error) {
	address, server, err := listen(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.fail("a request was led elsewhere: %s %s", r.Method, r.URL)
	}))
	return trap{address, func() { _ = server.Close() }}, err
}
