// Package metrics counts what a service does, for Prometheus, and tells whether it
// works.
package metrics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"
)

// Metrics are those of one process. Its labels have values of this program alone: none
// comes from a manager or a job.
type Metrics struct {
	registry *prometheus.Registry

	matches    *prometheus.CounterVec // by how: started, refused, stopped, aborted, dropped
	inPlay     prometheus.Gauge
	moves      *prometheus.CounterVec // by source: search, guess, ...
	iterations prometheus.Counter
	used       prometheus.Histogram
	left       prometheus.Histogram
	faults     *prometheus.CounterVec // by kind
	jobs       *prometheus.CounterVec // by kind and how
	jobTime    *prometheus.HistogramVec
}

// New makes the metrics of a process. version is that of the program.
func New(version string) *Metrics {
	m := &Metrics{
		registry:   prometheus.NewRegistry(),
		matches:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ggp_matches_total", Help: "Matches, by what became of them."}, []string{"how"}),
		inPlay:     prometheus.NewGauge(prometheus.GaugeOpts{Name: "ggp_matches_in_play", Help: "Matches that have begun and not ended."}),
		moves:      prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ggp_moves_total", Help: "Moves sent, by where they came from."}, []string{"source"}),
		iterations: prometheus.NewCounter(prometheus.CounterOpts{Name: "ggp_iterations_total", Help: "Iterations of searches that led to moves."}),
		used: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "ggp_move_used_seconds", Help: "From the request of a move to the reply.", Buckets: []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100}}),
		left: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "ggp_move_left_seconds", Help: "What was left of the clock when a move was ready; below 0: it was late.", Buckets: []float64{-10, -1, -0.1, 0, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30}}),
		faults: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ggp_faults_total", Help: "What went wrong, by kind: the warnings and errors of the log."}, []string{"kind"}),
		jobs:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ggp_jobs_total", Help: "Jobs of a queue, by kind and how they ended here."}, []string{"kind", "how"}),
		jobTime: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "ggp_job_seconds", Help: "How long jobs took that were done here.", Buckets: prometheus.ExponentialBuckets(0.01, 4, 10)}, []string{"kind"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "ggp_build_info", Help: "1, with the version of the program.", ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	m.registry.MustRegister(m.matches, m.inPlay, m.moves, m.iterations, m.used, m.left, m.faults, m.jobs, m.jobTime, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Match counts what became of a match, and how many are in play then.
func (m *Metrics) Match(how string, inPlay int) {
	m.matches.WithLabelValues(how).Inc()
	m.inPlay.Set(float64(inPlay))
}

// Job counts a job that ended here.
func (m *Metrics) Job(kind, how string, took time.Duration) {
	m.jobs.WithLabelValues(kind, how).Inc()
	if how == "done" {
		m.jobTime.WithLabelValues(kind).Observe(took.Seconds())
	}
}

// Depth adds the number of jobs in a queue, which is asked for when somebody looks.
func (m *Metrics) Depth(depth func(context.Context) (int, error)) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "ggp_queue_depth", Help: "Jobs in the queue, those being done included; -1: it does not answer."}, func() float64 {
		ctx, end := context.WithTimeout(context.Background(), lookTime)
		defer end()
		n, err := depth(ctx)
		if err != nil {
			return -1
		}
		return float64(n)
	}))
}

// lookTime bounds what is asked of others when somebody looks.
const lookTime = 2 * time.Second

// Log is a handler of a log that counts what it hands on: moves, and what went wrong. So
// nothing is counted that the log does not tell, and the other way round.
func (m *Metrics) Log(inner slog.Handler) slog.Handler { return &counting{inner, m} }

type counting struct {
	slog.Handler
	metrics *Metrics
}

// Enabled lets moves through, which are told at the level of information.
func (c *counting) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo || c.Handler.Enabled(ctx, level)
}

func (c *counting) Handle(ctx context.Context, r slog.Record) error {
	c.metrics.record(r)
	if !c.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return c.Handler.Handle(ctx, r)
}

func (c *counting) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &counting{c.Handler.WithAttrs(attrs), c.metrics}
}

func (c *counting) WithGroup(name string) slog.Handler {
	return &counting{c.Handler.WithGroup(name), c.metrics}
}

// record counts a line. Messages are constants of this program. A line that stands for
// several of its kind says so.
func (m *Metrics) record(r slog.Record) {
	if r.Level >= slog.LevelWarn {
		times := 1
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "times" && a.Value.Kind() == slog.KindInt64 {
				times = max(1, int(a.Value.Int64()))
			}
			return true
		})
		m.faults.WithLabelValues(r.Message).Add(float64(times))
	}
	if r.Message != "move" {
		return
	}
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "source":
			m.moves.WithLabelValues(a.Value.String()).Inc()
		case "iterations":
			m.iterations.Add(float64(max(0, a.Value.Int64())))
		case "used":
			m.used.Observe(a.Value.Duration().Seconds())
		case "left":
			m.left.Observe(a.Value.Duration().Seconds())
		}
		return true
	})
}

// mostConns is how many connections are served at a time. More wait, and none stays long
// that says nothing.
const mostConns = 64

// Serve answers /metrics and /healthz at an address until ctx ends, on loopback where it
// names no host. health tells what is
// wrong; nil: nothing. A failure to begin is returned, one later goes to the log.
func (m *Metrics) Serve(ctx context.Context, address string, log *slog.Logger, health func(context.Context) error) (stop func(), err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("the address %q of the metrics: %w (it is HOST:PORT, or :PORT for this machine alone)", address, err)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port))
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	listener = netutil.LimitListener(listener, mostConns)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		ctx, end := context.WithTimeout(r.Context(), lookTime)
		defer end()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if err := health(ctx); err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintln(w, err)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 20 * time.Second, IdleTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics are no longer served", "error", err)
		}
	}()
	log.Info("metrics are served", "address", listener.Addr().String())
	return func() {
		_ = server.Close() // nobody waits for metrics of a process that ends
		<-done
	}, nil
}
