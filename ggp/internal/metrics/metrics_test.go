package metrics

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestMetrics(t *testing.T) {
	m := New("v1")
	var told strings.Builder
	log := slog.New(m.Log(slog.NewTextHandler(&told, &slog.HandlerOptions{Level: slog.LevelWarn})))
	log.Info("move", "source", "search", "iterations", int64(500), "used", time.Second, "left", 50*time.Millisecond)
	log.With("match", "x").Warn("match dropped: the manager is silent")
	log.Warn("broken request", "times", 40)
	log.Warn("broken request")
	m.Match("started", 1)
	m.Job("match", "done", time.Second)
	m.Depth(func(context.Context) (int, error) { return 7, nil })
	if strings.Contains(told.String(), "msg=move") || !strings.Contains(told.String(), "dropped") {
		t.Errorf("the log: %s", told.String())
	}
	var ill error
	var address string
	addresses := slog.New(&finds{&address})
	stop, err := m.Serve(t.Context(), "127.0.0.1:0", addresses, func(context.Context) error { return ill })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	text, status := get(t, "http://"+address+"/metrics")
	for _, line := range []string{
		`ggp_moves_total{source="search"} 1`, `ggp_iterations_total 500`, `ggp_move_left_seconds_bucket{le="0.05"} 1`, `ggp_move_left_seconds_bucket{le="0"} 0`,
		`ggp_faults_total{kind="match dropped: the manager is silent"} 1`, `ggp_faults_total{kind="broken request"} 41`, `ggp_matches_total{how="started"} 1`, `ggp_jobs_total{how="done",kind="match"} 1`,
		`ggp_queue_depth 7`, `ggp_build_info{version="v1"} 1`,
	} {
		if !regexp.MustCompile("(?m)^"+regexp.QuoteMeta(line)+"$").MatchString(text) || status != http.StatusOK {
			t.Errorf("no line %s", line)
		}
	}
	if !strings.Contains(text, "process_resident_memory_bytes") && !strings.Contains(text, "go_memstats_heap_alloc_bytes") {
		t.Error("nothing is said of memory")
	}
	if text, status := get(t, "http://"+address+"/healthz"); text != "ok\n" || status != http.StatusOK {
		t.Errorf("%d %q", status, text)
	}
	ill = errors.New("the queue is gone")
	if text, status := get(t, "http://"+address+"/healthz"); text != "the queue is gone\n" || status != http.StatusServiceUnavailable {
		t.Errorf("%d %q", status, text)
	}
}

func get(t *testing.T, url string) (string, int) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), r.StatusCode
}

// finds is a log that remembers the address it is told.
type finds struct{ address *string }

func (f *finds) Enabled(context.Context, slog.Level) bool { return true }

func (f *finds) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "address" {
			*f.address = a.Value.String()
		}
		return true
	})
	return nil
}

func (f *finds) WithAttrs([]slog.Attr) slog.Handler { return f }

func (f *finds) WithGroup(string) slog.Handler { return f }

// Without a host the figures are for this machine alone, and those who say nothing keep
// nobody out for good.
func TestServesThisMachine(t *testing.T) {
	var address string
	stop, err := New("v1").Serve(t.Context(), ":0", slog.New(&finds{&address}), func(context.Context) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Errorf("served at %s", address)
	}
	for range mostConns + 10 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	if text, status := get(t, "http://"+address+"/healthz"); text != "ok\n" || status != http.StatusOK {
		t.Errorf("%d %q", status, text)
	}
	if _, err := New("v1").Serve(t.Context(), "nowhere", slog.New(&finds{&address}), nil); err == nil {
		t.Error("an address without a port was taken")
	}
}
