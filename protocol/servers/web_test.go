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
