package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"semisplit/player/jobs"
)

// lookAgain is how often an outcome is looked up that nobody has told of: a message
// about it may have got lost while a server was gone.
const lookAgain = 15 * time.Second

// Do asks for a job and waits for its outcome. A job that is in the queue already, asked
// for by a process that has ended since, is not asked for again.
func (q *Queue) Do(ctx context.Context, j jobs.Job) (jobs.Outcome, error) {
	e := envelope{Version: Version, Group: j.Group, ID: j.ID, Kind: j.Kind, Limit: j.Limit, Place: j.Place, Speed: q.options.Speed, Payload: j.Payload}
	if err := e.check(); err != nil {
		return jobs.Outcome{}, err
	}
	if err := q.listen(e.Group); err != nil {
		return jobs.Outcome{}, err
	}
	told, forget := q.wait(e.key())
	defer forget()
	if r, ok, err := q.find(ctx, e.key()); err != nil || ok {
		return outcome(r, err)
	}
	if err := q.publish(ctx, e); err != nil {
		return jobs.Outcome{}, fmt.Errorf("ask for a job: %w", err)
	}
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	for {
		select {
		case r := <-told:
			return outcome(r, nil)
		case <-look.C:
			if r, ok, err := q.find(ctx, e.key()); err != nil || ok {
				return outcome(r, err)
			}
			q.missWorkers(ctx, e)
		case <-ctx.Done():
			return jobs.Outcome{}, context.Cause(ctx)
		}
	}
}

func outcome(r result, err error) (jobs.Outcome, error) {
	if err == nil && r.Error != "" {
		err = fmt.Errorf("%w: %s", jobs.ErrParked, r.Error)
	}
	return jobs.Outcome{Payload: r.Payload, Worker: r.Worker, Took: r.Took}, err
}

// listen hears of all outcomes of a group, as they are kept.
func (q *Queue) listen(group string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.groups[group] != nil {
		return nil
	}
	sub, err := q.conn.Subscribe(resultSubject(group+".*"), func(m *nats.Msg) {
		key := strings.TrimPrefix(m.Subject, resultSubject(""))
		ctx, end := context.WithTimeout(context.Background(), time.Minute)
		defer end()
		r, err := q.readResult(ctx, m.Data)
		if err != nil {
			q.log.Warn("outcome", "job", key, "error", err)
			return // it is looked up again
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		for _, told := range q.waiting[key] {
			select {
			case told <- r:
			default: // it has been told
			}
		}
	})
	if err == nil {
		err = sub.SetPendingLimits(-1, -1)
	}
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	q.groups[group] = sub
	return nil
}

func (q *Queue) wait(key string) (told chan result, forget func()) {
	told = make(chan result, 1)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting[key] = append(q.waiting[key], told)
	return told, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.waiting[key] = slices.DeleteFunc(q.waiting[key], func(c chan result) bool { return c == told })
		if len(q.waiting[key]) == 0 {
			delete(q.waiting, key)
		}
	}
}

// find looks an outcome up.
func (q *Queue) find(ctx context.Context, key string) (r result, found bool, err error) {
	err = q.insist(ctx, func(ctx context.Context) error {
		m, err := q.results.GetLastMsgForSubject(ctx, resultSubject(key))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err == nil {
			r, err = q.readResult(ctx, m.Data)
			found = err == nil
		}
		return err
	})
	return r, found, err
}

// publish puts a job into the queue, as soon as there is room for it.
func (q *Queue) publish(ctx context.Context, e envelope) error {
	place := q.place(e)
	if err := q.consumer(ctx, place); err != nil {
		return err
	}
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if len(data) > maxPayload {
		return fmt.Errorf("the job has %d bytes, more than %d", len(data), maxPayload)
	}
	subject := fmt.Sprintf("ggp.jobs.v%d.%s.%s.%s", Version, place, e.Kind, e.key())
	for {
		err := q.insist(ctx, func(ctx context.Context) error {
			_, err := q.js.Publish(ctx, subject, data)
			if err != nil && strings.Contains(err.Error(), "maximum messages") {
				return &full{err}
			}
			return err
		})
		var f *full
		switch {
		case !errors.As(err, &f):
			return err
		case strings.Contains(err.Error(), "per subject"):
			return nil // it is there already
		}
		select { // the queue is full
		case <-time.After(retryPause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// full is the error of a stream that takes no more.
type full struct{ error }

func (f *full) APIError() *jetstream.APIError { return &jetstream.APIError{Code: 400} }

// place is the part of a job's subject that says who may do it.
func (q *Queue) place(e envelope) string {
	switch e.Place {
	case jobs.Home:
		return homePlace(e.Group)
	case jobs.Alike:
		return alikePlace(e.Speed)
	}
	return anyPlace
}

const anyPlace = "any"

func homePlace(group string) string { return "home-" + group }

// alikePlace is for machines of a speed, in steps of a thousandth.
func alikePlace(speed float64) string {
	return fmt.Sprintf("alike-%d", int(math.Round(1000*math.Log(max(1, speed)))))
}

// speedOf is the speed of an alikePlace; false: it is none.
func speedOf(place string) (float64, bool) {
	var thousandths int
	if n, err := fmt.Sscanf(place, "alike-%d", &thousandths); n != 1 || err != nil {
		return 0, false
	}
	return math.Exp(float64(thousandths) / 1000), true
}

// consumer makes what hands out the jobs of a place, if it is not there.
func (q *Queue) consumer(ctx context.Context, place string) error {
	q.mu.Lock()
	known := q.made[place]
	q.mu.Unlock()
	if known {
		return nil
	}
	err := q.insist(ctx, func(ctx context.Context) error {
		_, err := q.js.CreateOrUpdateConsumer(ctx, jobStream, jetstream.ConsumerConfig{
			Durable: consumerName(place), FilterSubject: fmt.Sprintf("ggp.jobs.v%d.%s.>", Version, place),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: -1,
		})
		return err
	})
	if err != nil {
		return err
	}
	q.mu.Lock()
	q.made[place] = true
	q.mu.Unlock()
	if err := q.conn.Publish(placesSubject, nil); err != nil {
		q.log.Debug("queue", "error", err)
	}
	return nil
}

// placesSubject tells workers that there are other places than before.
const placesSubject = "ggp.places"

func consumerName(place string) string { return fmt.Sprintf("v%d-%s", Version, place) }

// Forget removes a group: the jobs that still wait, the outcomes, and what hands out jobs
// to its home.
func (q *Queue) Forget(ctx context.Context, group string) error {
	return q.insist(ctx, func(ctx context.Context) error {
		err := q.js.DeleteConsumer(ctx, jobStream, consumerName(homePlace(group)))
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			err = nil
		}
		if err != nil {
			return err
		}
		stream, err := q.js.Stream(ctx, jobStream)
		if err != nil {
			return err
		}
		if err := stream.Purge(ctx, jetstream.WithPurgeSubject(fmt.Sprintf("ggp.jobs.v%d.*.*.%s.*", Version, group))); err != nil {
			return err
		}
		return q.results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject(group+".*")))
	})
}

// ForgetOne removes the outcome of a job: who asks for the same again has it done again.
func (q *Queue) ForgetOne(ctx context.Context, group, id string) error {
	return q.insist(ctx, func(ctx context.Context) error {
		return q.results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject(group+"."+id)))
	})
}

// Release makes jobs that were handed out wait again: those of workers that are known to
// be gone, since nobody but this process has ever reached the queue.
func (q *Queue) Release(ctx context.Context) error {
	return q.insist(ctx, func(ctx context.Context) error {
		stream, err := q.js.Stream(ctx, jobStream)
		if err != nil {
			return err
		}
		var list []string
		names := stream.ConsumerNames(ctx)
		for name := range names.Name() {
			list = append(list, name)
		}
		if err := names.Err(); err != nil {
			return err
		}
		for _, name := range list {
			if err := stream.DeleteConsumer(ctx, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
				return err
			}
		}
		return nil
	})
}

// Depth is the number of jobs that are in the queue, those being done included.
func (q *Queue) Depth(ctx context.Context) (int, error) {
	stream, err := q.js.Stream(ctx, jobStream)
	if err != nil {
		return 0, err
	}
	return int(stream.CachedInfo().State.Msgs), nil
}
