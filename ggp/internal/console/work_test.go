package console

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

// TestShowWork: after a second of silence there is a line, and one every ten
// seconds from then on.
func TestShowWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(bytes.Buffer)
		s := &Session{Errout: out}
		for _, length := range []time.Duration{900 * time.Millisecond, 25 * time.Second} {
			stop := ShowWork(s, "counting sheep", func() string { return "many" })
			time.Sleep(length)
			stop()
		}
		const want = "counting sheep ... 1s, many\ncounting sheep ... 11s, many\ncounting sheep ... 21s, many\n"
		if out.String() != want {
			t.Errorf("got:\n%s", out)
		}
	})
}
