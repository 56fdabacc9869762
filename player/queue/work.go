package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"semisplit/player/jobs"
)

// WorkerOptions say who works.
type WorkerOptions struct {
	Name     string
	Slots    int // jobs at a time
	Handlers map[string]jobs.Handler
	Speed    float64 // of a core of this machine, see Options
	// Observe is called when a job ends here, with its kind and how: "done", "failed",
	// "parked", "returned" (since this process ends) or "known" (it was done before).
	// May be nil.
	Observe func(kind, how string, took time.Duration)
}

const (
	lookForPlaces = 30 * time.Second       // for places that others have made, if nobody tells
	idleWait      = time.Second            // for a job, with one place to look at
	idleShort     = 150 * time.Millisecond // with several
	heartbeat     = ackWait / 3
	failedPause   = time.Second // before a job that failed is tried again
	handBackTime  = 5 * time.Second
	// alike is how far apart the speeds of machines may be that play by the same clock,
	// as a factor.
	alike = 1.25
	// mostStretch bounds by how much clocks are stretched or shortened.
	mostStretch = 10
)

// worker does jobs.
type worker struct {
	*Queue
	o WorkerOptions

	mu        sync.Mutex
	consumers map[string]jetstream.Consumer // by place
	order     []string
}

// Work does jobs until ctx ends. What is under way then is handed back at once, and
// counts as no try.
func (q *Queue) Work(ctx context.Context, o WorkerOptions) error {
	if o.Observe == nil {
		o.Observe = func(string, string, time.Duration) {}
	}
	observe := o.Observe
	o.Observe = func(kind, how string, took time.Duration) {
		if o.Handlers[kind] == nil {
			kind = "unknown" // it comes from outside
		}
		observe(kind, how, took)
	}
	w := &worker{Queue: q, o: o, consumers: map[string]jetstream.Consumer{}}
	if err := q.consumer(ctx, anyPlace); err != nil {
		return err
	}
	told := make(chan struct{}, 1)
	sub, err := q.conn.Subscribe(placesSubject, func(*nats.Msg) {
		select {
		case told <- struct{}{}:
		default: // the next look sees it
		}
	})
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	defer func() { _ = sub.Unsubscribe() }() // the connection may be closed
	calls, err := w.answerCalls()
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	defer func() { _ = calls.Unsubscribe() }()
	if err := w.look(ctx); err != nil {
		return err
	}
	var group sync.WaitGroup
	for range max(1, o.Slots) {
		group.Go(func() {
			for ctx.Err() == nil {
				if m, place := w.next(ctx); m != nil {
					w.do(ctx, m, place)
				}
			}
		})
	}
	group.Go(func() {
		tick := time.NewTicker(lookForPlaces)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-told:
			case <-ctx.Done():
				return
			}
			if err := w.look(ctx); err != nil && ctx.Err() == nil {
				q.log.Warn("queue", "error", err)
			}
		}
	})
	group.Wait()
	return context.Cause(ctx)
}

// look finds the places whose jobs this worker may do.
func (w *worker) look(ctx context.Context) error {
	var places []string
	err := w.insist(ctx, func(ctx context.Context) error {
		places = nil
		stream, err := w.js.Stream(ctx, jobStream)
		if err != nil {
			return err
		}
		names := stream.ConsumerNames(ctx)
		for name := range names.Name() {
			if place, ok := strings.CutPrefix(name, consumerName("")); ok && w.serves(place) {
				places = append(places, place)
			}
		}
		return names.Err()
	})
	if err != nil {
		return err
	}
	found := map[string]jetstream.Consumer{}
	for _, place := range places {
		err := w.insist(ctx, func(ctx context.Context) error {
			c, err := w.js.Consumer(ctx, jobStream, consumerName(place))
			if errors.Is(err, jetstream.ErrConsumerNotFound) {
				return nil
			}
			found[place] = c
			return err
		})
		if err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.order = nil
	for _, place := range places {
		if found[place] != nil {
			w.order = append(w.order, place)
		}
	}
	w.consumers = found
	return nil
}

func (w *worker) serves(place string) bool {
	if place == anyPlace {
		return true
	}
	if speed, ok := speedOf(place); ok {
		return soAlike(w.o.Speed, speed)
	}
	group, home := strings.CutPrefix(place, homePlace(""))
	w.Queue.mu.Lock()
	defer w.Queue.mu.Unlock()
	return home && w.groups[group] != nil
}

// places are those to look at now: those that are known, and homes of groups that
// were asked for since.
func (w *worker) places(ctx context.Context) (list []jetstream.Consumer, names []string) {
	w.Queue.mu.Lock()
	var fresh bool
	for place, made := range w.made {
		if made && place != anyPlace {
			w.mu.Lock()
			fresh = fresh || w.consumers[place] == nil
			w.mu.Unlock()
		}
	}
	w.Queue.mu.Unlock()
	if fresh {
		if err := w.look(ctx); err != nil && ctx.Err() == nil {
			w.log.Warn("queue", "error", err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, place := range w.order {
		list = append(list, w.consumers[place])
	}
	return list, append([]string{}, w.order...)
}

// next is a job to do; nil: there is none at the moment. Nothing is taken in advance, so
// that a job waits for nobody while others are free.
func (w *worker) next(ctx context.Context) (jetstream.Msg, string) {
	consumers, places := w.places(ctx)
	for i, c := range consumers {
		wait := idleShort
		if len(consumers) == 1 {
			wait = idleWait
		}
		var batch jetstream.MessageBatch
		var err error
		if i < len(consumers)-1 {
			batch, err = c.FetchNoWait(1)
		} else {
			batch, err = c.Fetch(1, jetstream.FetchMaxWait(wait))
		}
		if err != nil {
			w.log.Debug("queue", "error", err)
			pause(ctx, retryPause)
			continue
		}
		for m := range batch.Messages() {
			return m, places[i]
		}
	}
	if len(consumers) == 0 {
		pause(ctx, retryPause)
	}
	return nil, ""
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// do does one job.
func (w *worker) do(ctx context.Context, m jetstream.Msg, place string) {
	var e envelope
	err := json.Unmarshal(m.Data(), &e)
	if err == nil {
		err = e.check()
	}
	if err == nil && !strings.HasSuffix(m.Subject(), "."+e.Kind+"."+e.key()) {
		err = errors.New("a job stands under the name of another one")
	}
	if err != nil {
		w.refuse(ctx, m, err)
		return
	}
	defer w.beat(m)()
	_, known, err := w.find(ctx, e.key())
	if known {
		w.acknowledge(ctx, m)
		w.o.Observe(e.Kind, "known", 0)
		return
	}
	var t tried
	if err == nil {
		t, err = w.history(ctx, m, e.key())
	}
	if err != nil {
		if ctx.Err() != nil {
			w.handBackUnread(m, e)
		}
		return
	}
	if t.failed >= jobs.Tries {
		w.park(ctx, m, e, t.text)
		return
	}
	begin := time.Now()
	payload, err := w.try(ctx, e, place)
	took := time.Since(begin)
	if err == nil {
		err = w.answer(ctx, e.key(), result{Version: Version, Worker: w.o.Name, Took: took, Payload: payload})
	}
	switch {
	case ctx.Err() != nil:
		w.handBack(m, e, t)
	case err != nil:
		w.log.Warn("a job failed", "job", e.key(), "kind", e.Kind, "try", t.failed+1, "error", err)
		w.o.Observe(e.Kind, "failed", took)
		t.text = fmt.Sprintf("%s: %v", w.o.Name, err)
		if t.failed+1 >= jobs.Tries {
			w.park(ctx, m, e, t.text)
			return
		}
		w.note(ctx, e.key(), t)
		if err := m.NakWithDelay(failedPause); err != nil {
			w.log.Debug("queue", "error", err)
		}
	default:
		w.acknowledge(ctx, m)
		w.o.Observe(e.Kind, "done", took)
	}
}

func (w *worker) try(ctx context.Context, e envelope, place string) ([]byte, error) {
	h := w.o.Handlers[e.Kind]
	if h == nil {
		return nil, fmt.Errorf("this worker does no jobs of the kind %s", e.Kind)
	}
	stretch := 1.0
	if e.Place == jobs.Scaled && e.Speed > 0 && w.o.Speed > 0 {
		stretch = min(max(e.Speed/w.o.Speed, 1.0/mostStretch), mostStretch)
	}
	payload, err := jobs.Try(ctx, h, jobs.Task{Payload: e.Payload, Files: w.Queue, Stretch: stretch, Home: place == homePlace(e.Group)}, e.Limit)
	if err == nil && len(payload) > maxFile {
		err = fmt.Errorf("an outcome of %d bytes: at most %d can be sent", len(payload), maxFile)
	}
	return payload, err
}

// beat says that the job is being done, until stop is called.
func (w *worker) beat(m jetstream.Msg) (stop func()) {
	over := make(chan struct{})
	go func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := m.InProgress(); err != nil {
					w.log.Debug("queue", "error", err)
				}
			case <-over:
				return
			}
		}
	}()
	return func() { close(over) }
}

// answer keeps an outcome, unless there is one. An error: the server does not take it, or
// ctx has ended.
func (w *worker) answer(ctx context.Context, key string, r result) error {
	if len(r.Payload) > maxPayload/2 {
		hash, err := w.Put(ctx, r.Payload)
		if err != nil {
			return fmt.Errorf("the outcome was not kept: %w", err)
		}
		r.Payload, r.File = nil, hash
	}
	data, err := json.Marshal(r)
	if err != nil {
		r.Payload, r.Error = nil, "the outcome cannot be sent: "+err.Error()
		data, _ = json.Marshal(r) // plain data now
	}
	err = w.insist(ctx, func(ctx context.Context) error {
		_, err := w.js.Publish(ctx, resultSubject(key), data, jetstream.WithExpectLastSequencePerSubject(0))
		return err
	})
	var api jetstream.JetStreamError
	if errors.As(err, &api) && (api.APIError().ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.APIError().ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
		w.log.Info("an outcome was there already", "job", key)
		return nil
	}
	if err != nil {
		return fmt.Errorf("the outcome was not kept: %w", err)
	}
	return nil
}

// acknowledge takes the job out of the queue. If that fails, it comes again, and its
// outcome is found.
func (w *worker) acknowledge(ctx context.Context, m jetstream.Msg) {
	attempt, end := context.WithTimeout(context.WithoutCancel(ctx), callTime)
	defer end()
	if err := m.DoubleAck(attempt); err != nil {
		w.log.Debug("queue", "error", err)
	}
}

// tried is how a job was tried before.
type tried struct {
	Returned int    `json:"returned"`        // tries that ended with their process, in order
	Error    string `json:"error,omitempty"` // of the last one that failed

	failed int
	text   string
}

// history tells how often a job was tried. A worker that was lost has left no word; it
// counts.
func (w *worker) history(ctx context.Context, m jetstream.Msg, key string) (t tried, err error) {
	meta, err := m.Metadata()
	if err != nil || meta.NumDelivered <= 1 {
		return t, err
	}
	err = w.insist(ctx, func(ctx context.Context) error {
		entry, err := w.tries.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		if err == nil {
			err = json.Unmarshal(entry.Value(), &t)
		}
		return err
	})
	t.failed = int(meta.NumDelivered) - 1 - t.Returned
	if t.text = t.Error; t.text == "" {
		t.text = "its workers were lost"
	}
	return t, err
}

// note keeps the history of a job.
func (w *worker) note(ctx context.Context, key string, t tried) {
	t.Error = t.text[:min(len(t.text), maxError)]
	data, err := json.Marshal(t)
	if err == nil {
		err = w.insist(ctx, func(ctx context.Context) error {
			_, err := w.tries.Put(ctx, key, data)
			return err
		})
	}
	if err != nil {
		w.log.Debug("queue", "error", err)
	}
}

// maxError bounds what is kept of an error, in bytes.
const maxError = 4 << 10

// handBack gives a job to others at once.
func (w *worker) handBack(m jetstream.Msg, e envelope, t tried) {
	ctx, end := context.WithTimeout(context.Background(), handBackTime)
	defer end()
	if t.Returned < math.MaxInt32 {
		t.Returned++
	}
	w.note(ctx, e.key(), t)
	if err := m.Nak(); err != nil {
		w.log.Debug("queue", "error", err)
	}
	if err := w.conn.FlushWithContext(ctx); err != nil {
		w.log.Debug("queue", "error", err)
	}
	w.o.Observe(e.Kind, "returned", 0)
}

// handBackUnread gives back a job that came when this process was ending, before its
// history was looked up.
func (w *worker) handBackUnread(m jetstream.Msg, e envelope) {
	ctx, end := context.WithTimeout(context.Background(), handBackTime)
	defer end()
	if t, err := w.history(ctx, m, e.key()); err == nil {
		w.handBack(m, e, t)
	}
}

// park gives a job up: who asked for it is told so, and it is kept to be looked at.
func (w *worker) park(ctx context.Context, m jetstream.Msg, e envelope, why string) {
	data, err := json.Marshal(struct {
		envelope
		Error string    `json:"error"`
		Time  time.Time `json:"time"`
	}{e, why, time.Now().UTC()})
	if err == nil {
		err = w.insist(ctx, func(ctx context.Context) error {
			_, err := w.js.Publish(ctx, parkedSubject(e.key()), data)
			return err
		})
	}
	if err != nil {
		return // it comes again
	}
	w.log.Error("a job was given up", "job", e.key(), "kind", e.Kind, "error", why)
	if err := w.answer(ctx, e.key(), result{Version: Version, Worker: w.o.Name, Error: why}); err != nil {
		w.log.Error("queue", "job", e.key(), "error", err)
		return // it comes again
	}
	w.acknowledge(ctx, m)
	w.o.Observe(e.Kind, "parked", 0)
}

// refuse takes a message out of the queue that is no job that this program knows.
func (w *worker) refuse(ctx context.Context, m jetstream.Msg, why error) {
	w.log.Error("a job was refused", "subject", m.Subject(), "error", why)
	parts := strings.Split(m.Subject(), ".")
	if len(parts) > 2 {
		if key := strings.Join(parts[len(parts)-2:], "."); name.MatchString(parts[len(parts)-2]) && name.MatchString(parts[len(parts)-1]) {
			if err := w.answer(ctx, key, result{Version: Version, Worker: w.o.Name, Error: why.Error()}); err != nil {
				w.log.Error("queue", "job", key, "error", err)
				return
			}
		}
	}
	if err := m.TermWithReason("refused"); err != nil {
		w.log.Debug("queue", "error", err)
	}
}

// Parked is a job that was given up.
type Parked struct {
	Group, ID, Kind, Error string
	Time                   time.Time
}

// Parked lists the jobs that were given up, at most so many, and counts all of them.
func (q *Queue) Parked(ctx context.Context, most int) (list []Parked, all int, err error) {
	stream, err := q.js.Stream(ctx, parkedStream)
	if err != nil {
		return nil, 0, err
	}
	all = int(stream.CachedInfo().State.Msgs)
	if most = min(most, all); most < 1 {
		return nil, all, nil
	}
	c, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return nil, all, err
	}
	batch, err := c.FetchNoWait(most)
	if err != nil {
		return nil, all, err
	}
	for m := range batch.Messages() {
		var p Parked
		if err := json.Unmarshal(m.Data(), &p); err != nil {
			return nil, all, fmt.Errorf("a job that was given up cannot be read: %w", err)
		}
		list = append(list, p)
	}
	return list, all, batch.Error()
}
