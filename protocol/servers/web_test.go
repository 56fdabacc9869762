package servers

import (
	"net/http"
	"testing"
	"time"
)

// The waits between attempts, as docs/servers.md gives them: doubled, bounded,
// and stretched by the server within the bound only.
func TestBackoff(t *testing.T) {
	with := func(after string) *http.Response {
		return &http.Response{Header: http.Header{"Retry-After": {after}}}
	}
	const least, most = 500 * time.Millisecond, 10 * time.Second
	for _, x := range []struct {
		n    int
		resp *http.Response
		want time.Duration
	}{
		{0, nil, 500 * time.Millisecond},
		{1, nil, time.Second},
		{2, nil, 2 * time.Second},
		{5, nil, 10 * time.Second},
		{1 << 30, nil, 10 * time.Second},
		{0, with("3"), 3 * time.Second},
		{2, with("1"), 2 * time.Second},
		{0, with("99999999"), 10 * time.Second},
		{0, with("99999999999999999999"), 500 * time.Millisecond},
		{0, with("-5"), 500 * time.Millisecond},
		{0, with("Wed, 21 Oct 2099 07:28:00 GMT"), 500 * time.Millisecond},
	} {
		if got := backoff(least, most, x.n, x.resp); got != x.want {
			t.Errorf("attempt %d, %v: got %v, want %v", x.n, x.resp, got, x.want)
		}
	}
}

// A redirection leads to the server that was named, and to no other service on its host.
func TestRedirectionsStay(t *testing.T) {
	for _, x := range []struct {
		from, to string
		stays    bool
	}{
		{"http://games.example/base", "http://games.example/other", true},
		{"http://games.example/base", "http://GAMES.example:80/other", true},
		{"http://games.example/base", "https://games.example/base", true},
		{"http://games.example:8080/base", "http://games.example:8080/x", true},
		{"https://games.example/base", "http://games.example/base", false},
		{"http://games.example/base", "http://games.example:9148/metrics", false},
		{"http://127.0.0.1:8080/", "https://127.0.0.1:8443/", false},
		{"http://games.example/base", "http://127.0.0.1/", false},
		{"http://games.example/base", "http://169.254.169.254/latest", false},
		{"http://games.example/base", "file:///etc/passwd", false},
	} {
		first, err := http.NewRequest(http.MethodGet, x.from, nil)
		if err != nil {
			t.Fatal(err)
		}
		next, err := http.NewRequest(http.MethodGet, x.to, nil)
		if err != nil {
			t.Fatal(err)
		}
		if followed := mayFollow(next, []*http.Request{first}) == nil; followed != x.stays {
			t.Errorf("from %s to %s: followed is %v", x.from, x.to, followed)
		}
	}
}
