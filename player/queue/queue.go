// Package queue hands out jobs to workers through NATS JetStream, on this machine or on
// any number of them: at least once, and again if a worker is lost. Outcomes are kept
// once, by the name of the job.
package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"semisplit/player/jobs"
)

// Version is that of the format of jobs and outcomes. It is part of their subjects, so
// that a worker never gets a job of a format that it does not know.
const Version = 1

// Names in JetStream.
const (
	jobStream    = "GGP_JOBS"    // ggp.jobs.vN.PLACE.KIND.GROUP.ID: a job, until it is done
	resultStream = "GGP_RESULTS" // ggp.results.vN.GROUP.ID: its outcome
	parkedStream = "GGP_PARKED"  // ggp.parked.vN.GROUP.ID: a job that was given up, with its error
	fileStore    = "ggp-files"   // rules, agents, what was learned, by hash
	tryBucket    = "ggp-tries"   // GROUP.ID: how tries ended that did not do the job
)

const (
	callTime   = 5 * time.Second        // for one call of JetStream
	retryPause = 200 * time.Millisecond // after one that failed
	ackWait    = 30 * time.Second       // a worker that says nothing for so long is lost
	resultAge  = 7 * 24 * time.Hour
	parkedAge  = 90 * 24 * time.Hour
	triesAge   = 7 * 24 * time.Hour
	// mostJobs may wait; who asks for more has to wait as well.
	mostJobs = 100_000
	// maxFile bounds a file and an outcome, in bytes.
	maxFile = 256 << 20
)

// Options say which queue.
type Options struct {
	URL         string // of NATS servers, with commas between; "": Node
	Node        *Node  // in this process
	Credentials string // file of NATS, with the user's token and key; "": none
	CA          string // file with the certificates that servers are checked against; "": those of the system
	Cert, Key   string // files of the client's own certificate; "": none
	Replicas    int    // copies of everything, on as many nodes of a cluster; 0: 1
	Name        string // of this process, for people who look at the servers
	// Speed is what a core of this machine gives, in a measure that all machines share.
	// Jobs that are asked for here with the place Alike or Scaled go by it.
	Speed float64
	Log   *slog.Logger // nil: nothing is logged
}

// Queue is a connection to a queue. Safe for use by several goroutines.
type Queue struct {
	options Options
	log     *slog.Logger
	conn    *nats.Conn
	js      jetstream.JetStream
	files   jetstream.ObjectStore
	tries   jetstream.KeyValue
	results jetstream.Stream

	mu      sync.Mutex
	waiting map[string][]chan result // by group and ID
	groups  map[string]*nats.Subscription
	made    map[string]bool      // consumers that are known to be there
	known   map[string]bool      // files that were put
	cached  map[string][]byte    // files that were read
	held    int                  // bytes of cached
	missed  map[string]time.Time // when workers of a place were missed
	ended   bool
}

// Open connects to a queue and makes its streams where they are missing. It waits for
// servers until ctx ends.
func Open(ctx context.Context, o Options) (*Queue, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Replicas = max(1, o.Replicas)
	q := &Queue{
		options: o, log: o.Log, waiting: map[string][]chan result{}, groups: map[string]*nats.Subscription{},
		made: map[string]bool{}, known: map[string]bool{}, cached: map[string][]byte{}, missed: map[string]time.Time{},
	}
	if err := q.connect(); err != nil {
		return nil, err
	}
	if err := q.insist(ctx, q.makeStreams); err != nil {
		q.conn.Close()
		return nil, fmt.Errorf("queue: %w", err)
	}
	return q, nil
}

func (q *Queue) connect() (err error) {
	o := q.options
	options := []nats.Option{
		nats.Name("ggp " + o.Name), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.Timeout(callTime),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				q.log.Warn("queue is out of reach", "error", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { q.log.Info("queue is back", "server", c.ConnectedUrlRedacted()) }),
	}
	if o.URL == "" {
		if o.Node == nil {
			return errors.New("BUG: a queue without a server")
		}
		options = append(options, nats.InProcessServer(o.Node.server))
	}
	if o.Credentials != "" {
		options = append(options, nats.UserCredentials(o.Credentials))
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA))
	}
	if o.Cert != "" || o.Key != "" {
		options = append(options, nats.ClientCert(o.Cert, o.Key))
	}
	if q.conn, err = nats.Connect(o.URL, options...); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	q.js, err = jetstream.New(q.conn)
	return err
}

// makeStreams makes what is missing. What others have made differently stays.
func (q *Queue) makeStreams(ctx context.Context) (err error) {
	r := q.options.Replicas
	for _, c := range []jetstream.StreamConfig{
		{
			Name: jobStream, Subjects: []string{"ggp.jobs.>"}, Retention: jetstream.WorkQueuePolicy, Replicas: r,
			// A job is in it once, and who asks for too many is told so.
			MaxMsgsPerSubject: 1, DiscardNewPerSubject: true, Discard: jetstream.DiscardNew, MaxMsgs: mostJobs,
		},
		{Name: resultStream, Subjects: []string{"ggp.results.>"}, MaxMsgsPerSubject: 1, MaxAge: resultAge, Replicas: r},
		{Name: parkedStream, Subjects: []string{"ggp.parked.>"}, MaxMsgsPerSubject: 1, MaxAge: parkedAge, Replicas: r},
	} {
		stream, err := q.js.Stream(ctx, c.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			if stream, err = q.js.CreateStream(ctx, c); errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
				stream, err = q.js.Stream(ctx, c.Name) // another one was quicker
			}
		}
		if err != nil {
			return err
		}
		if c.Name == resultStream {
			q.results = stream
		}
	}
	if q.files, err = q.js.ObjectStore(ctx, fileStore); errors.Is(err, jetstream.ErrBucketNotFound) {
		q.files, err = q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: fileStore, Replicas: r})
	}
	if err != nil {
		return err
	}
	if q.tries, err = q.js.KeyValue(ctx, tryBucket); errors.Is(err, jetstream.ErrBucketNotFound) {
		q.tries, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: tryBucket, TTL: triesAge, Replicas: r})
	}
	return err
}

// insist calls JetStream until it answers: a stream without a leader, or a server that
// is gone for a moment, is no reason to give up. Errors that will not go away end it.
func (q *Queue) insist(ctx context.Context, call func(context.Context) error) error {
	for {
		attempt, end := context.WithTimeout(ctx, callTime)
		err := call(attempt)
		end()
		var api jetstream.JetStreamError
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case slices.ContainsFunc(final, func(f error) bool { return errors.Is(err, f) }):
			return err
		case errors.As(err, &api) && api.APIError() != nil && api.APIError().Code >= 400 && api.APIError().Code < 500:
			return err
		}
		q.log.Debug("queue", "error", err)
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// final are errors without an answer of a server that calling again does not mend.
var final = []error{
	nats.ErrConnectionClosed, nats.ErrMaxPayload, jetstream.ErrObjectNotFound, jetstream.ErrBucketNotFound, jetstream.ErrKeyNotFound,
	jetstream.ErrDigestMismatch, jetstream.ErrInvalidDigestFormat, errTooLong,
}

var errTooLong = errors.New("it is too long")

// Close ends the connection. Jobs that were asked for stay in the queue.
func (q *Queue) Close() {
	q.mu.Lock()
	q.ended = true
	q.mu.Unlock()
	q.conn.Close()
}

// envelope is a job as it is sent.
type envelope struct {
	Version int             `json:"version"`
	Group   string          `json:"group"`
	ID      string          `json:"id"`
	Kind    string          `json:"kind"`
	Limit   time.Duration   `json:"limit,omitempty"`
	Place   jobs.Place      `json:"place,omitempty"`
	Speed   float64         `json:"speed,omitempty"` // of who asks
	Payload json.RawMessage `json:"payload"`
}

// result is an outcome as it is sent.
type result struct {
	Version int             `json:"version"`
	Worker  string          `json:"worker"`
	Took    time.Duration   `json:"took"`
	Error   string          `json:"error,omitempty"` // the job was given up
	Payload json.RawMessage `json:"payload,omitempty"`
	File    string          `json:"file,omitempty"` // that holds the payload, where it is long
}

// name is what a group, a kind or an ID may be: a part of a subject.
var name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

func (e *envelope) check() error {
	if e.Version != Version {
		return fmt.Errorf("a job of format %d, and this program knows %d", e.Version, Version)
	}
	for _, text := range []string{e.Group, e.ID, e.Kind} {
		if !name.MatchString(text) {
			return fmt.Errorf("%.40q cannot name a job", text)
		}
	}
	if e.Place < jobs.Anywhere || e.Place > jobs.Home || e.Limit < 0 || !(e.Speed >= 0) {
		return errors.New("a job makes no sense")
	}
	return nil
}

func (e *envelope) key() string { return e.Group + "." + e.ID }

func resultSubject(key string) string { return fmt.Sprintf("ggp.results.v%d.%s", Version, key) }

func parkedSubject(key string) string { return fmt.Sprintf("ggp.parked.v%d.%s", Version, key) }

// readResult reads a message of the result stream.
func (q *Queue) readResult(ctx context.Context, data []byte) (r result, err error) {
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("an outcome cannot be read: %w", err)
	}
	if r.Version != Version {
		return r, fmt.Errorf("an outcome of format %d, and this program knows %d", r.Version, Version)
	}
	if r.File != "" {
		r.Payload, err = q.Get(ctx, r.File)
	}
	return r, err
}
