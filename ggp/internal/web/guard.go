package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
)

// policy lets a page load what is part of the program and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// cookie is what holds the token in browsers, which keep one of a name for all ports of a
// machine.
func (s *Server) cookie() string { return "semisplit-token-" + sumUp(s.config.Token).sum }

// guarded lets through what may come in. Only this machine can connect to a loopback
// address, but a page of anybody in its browser can, too: so the name that was asked for
// has to be one of this machine, and what changes something has to come from pages of
// this server. On other addresses changes need the token as well.
func (s *Server) guarded(next http.Handler) http.Handler {
	crossing := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !s.open && !ownHost(r.Host) {
			http.Error(w, "this server is for this machine only", http.StatusForbidden)
			return
		}
		if given := r.URL.Query().Get("token"); given != "" && r.Method == http.MethodGet {
			s.keepToken(w, r, given)
			return
		}
		if r.Header.Get("Sec-Fetch-Site") == "cross-site" && strings.HasPrefix(r.URL.Path, "/api/") || crossing.Check(r) != nil {
			fail(w, http.StatusForbidden, "this comes from another site")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// keepToken moves a token from the address into a cookie, where nobody sees it.
func (s *Server) keepToken(w http.ResponseWriter, r *http.Request, given string) {
	if !s.isToken(given) {
		http.Error(w, "this is not the token of this server", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: s.cookie(), Value: given, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/\\")} // never another host
	http.Redirect(w, r, to.EscapedPath(), http.StatusSeeOther)
}

func (s *Server) isToken(given string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(s.config.Token)) == 1
}

// trusted tells whether a request may change something.
func (s *Server) trusted(r *http.Request) bool {
	if !s.open {
		return true
	}
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return s.isToken(given)
	}
	c, err := r.Cookie(s.cookie())
	return err == nil && s.isToken(c.Value)
}

// changes is for handlers that change something, or take time.
func (s *Server) changes(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.config.WatchOnly:
			fail(w, http.StatusForbidden, "here one can only look on: ggp web lets people play")
		case !s.trusted(r):
			fail(w, http.StatusForbidden, "this needs the token of this server: open the address that it printed")
		default:
			next(w, r)
		}
	}
}

// ownHost tells whether a name that was asked for is one of this machine.
func ownHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = strings.Trim(name, "[]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// ownName is what others may call this machine.
func ownName() string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return name
}

// newID is a name that nobody guesses.
func newID() string { return strings.ToLower(rand.Text())[:20] }

// read reads the JSON of a request within a limit.
func read(w http.ResponseWriter, r *http.Request, limit int64, into any) bool {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, "JSON is expected")
		return false
	}
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, limit)).Decode(into)
	var large *http.MaxBytesError
	switch {
	case err == nil:
		return true
	case errors.As(err, &large):
		fail(w, http.StatusRequestEntityTooLarge, "this is too large")
	default:
		fail(w, http.StatusBadRequest, "this is not the JSON that is expected")
	}
	return false
}

// fail answers with an error that people can read.
func fail(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]string{"error": message})
}

func answer(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil { // a program's mistake, which pages should be told of
		status, text = http.StatusInternalServerError, []byte(`{"error": "the answer cannot be written"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // or the page is gone
}
