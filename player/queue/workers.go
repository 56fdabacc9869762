package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"semisplit/player/jobs"
)

// Worker is one of those that are at work.
type Worker struct {
	Name  string  `json:"name"`
	Slots int     `json:"slots"` // jobs at a time
	Speed float64 `json:"speed"` // as in Options
}

func (w Worker) String() string {
	return fmt.Sprintf("%s: %d at a time, %.3g/s", w.Name, w.Slots, w.Speed)
}

// workersSubject asks all workers who they are.
const workersSubject = "ggp.workers"

const (
	answerTime = time.Second // for workers to say who they are
	// mostWorkers are told of; the others are there as well.
	mostWorkers = 10_000
	// missedAgain is how often it is told that nobody does a job.
	missedAgain = 10 * time.Minute
)

// answerCalls says who this worker is to those who ask.
func (w *worker) answerCalls() (*nats.Subscription, error) {
	own, err := json.Marshal(Worker{Name: w.o.Name, Slots: max(1, w.o.Slots), Speed: w.o.Speed})
	if err != nil {
		return nil, err
	}
	return w.conn.Subscribe(workersSubject, func(m *nats.Msg) {
		_ = m.Respond(own) // who asked may be gone
	})
}

// Workers are those that are there now, by name: who answers within a second.
func (q *Queue) Workers(ctx context.Context) (list []Worker, err error) {
	inbox := q.conn.NewInbox()
	answers := make(chan *nats.Msg, mostWorkers)
	sub, err := q.conn.ChanSubscribe(inbox, answers)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	defer func() { _ = sub.Unsubscribe() }() // the connection may be closed
	if err := q.conn.PublishRequest(workersSubject, inbox, nil); err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	enough := time.NewTimer(answerTime)
	defer enough.Stop()
	for len(list) < mostWorkers {
		select {
		case m := <-answers:
			var w Worker
			if json.Unmarshal(m.Data, &w) == nil && w.Name != "" {
				list = append(list, w)
			}
			continue
		case <-enough.C:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		break
	}
	slices.SortFunc(list, func(a, b Worker) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// missWorkers tells who asks for jobs that nobody who is there does them, at first and
// then from time to time.
func (q *Queue) missWorkers(ctx context.Context, e envelope) {
	place := q.place(e)
	q.mu.Lock()
	early := time.Since(q.missed[place]) < missedAgain
	if !early {
		q.missed[place] = time.Now()
	}
	q.mu.Unlock()
	if early || e.Place == jobs.Home {
		return
	}
	list, err := q.Workers(ctx)
	if err != nil || slices.ContainsFunc(list, func(w Worker) bool { return e.Place != jobs.Alike || soAlike(w.Speed, e.Speed) }) {
		return
	}
	if len(list) == 0 {
		q.log.Warn("jobs wait: no worker answers")
		return
	}
	names := make([]string, len(list))
	for i, w := range list {
		names[i] = w.String()
	}
	q.log.Warn("jobs with clocks wait: no worker's speed is within a quarter of that of this machine",
		"speed", fmt.Sprintf("%.3g/s", e.Speed), "workers", strings.Join(names, "; "))
}

// soAlike tells whether machines of these speeds may play by the same clock.
func soAlike(a, b float64) bool { return a > 0 && b > 0 && a <= b*alike && b <= a*alike }
