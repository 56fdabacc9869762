package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"semisplit/player/jobs"
)

func startNode(t *testing.T, dir string) *Node {
	t.Helper()
	n, err := StartNode(NodeOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

func openQueue(t *testing.T, o Options) *Queue {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	q, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// work starts a worker; stop ends it in order.
func work(t *testing.T, q *Queue, o WorkerOptions) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = q.Work(ctx, o)
	}()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(stop)
	return stop
}

// echo answers with the payload.
func echo(_ context.Context, t jobs.Task) ([]byte, error) { return t.Payload, nil }

func do(t *testing.T, q *Queue, j jobs.Job) (jobs.Outcome, error) {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	return q.Do(ctx, j)
}

// empties waits until so many jobs are left: an outcome is told before its job is taken
// out of the queue.
func empties(t *testing.T, q *Queue, left int) {
	t.Helper()
	depth, err := -1, error(nil)
	for limit := time.Now().Add(time.Minute); time.Now().Before(limit); time.Sleep(10 * time.Millisecond) {
		if depth, err = q.Depth(t.Context()); depth == left && err == nil {
			return
		}
	}
	t.Errorf("%d jobs are left, %v", depth, err)
}

// TestDo: jobs are done by several workers, each once; outcomes are found again; data is
// found by its hash.
func TestDo(t *testing.T) {
	n := startNode(t, t.TempDir())
	asks := openQueue(t, Options{Node: n, Speed: 1000})
	var times sync.Map
	counting := func(_ context.Context, task jobs.Task) ([]byte, error) {
		count, _ := times.LoadOrStore(string(task.Payload), new(atomic.Int32))
		count.(*atomic.Int32).Add(1)
		return task.Payload, nil
	}
	for i := range 2 {
		work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: fmt.Sprint("w", i), Slots: 2, Speed: 1000, Handlers: map[string]jobs.Handler{"count": counting}})
	}
	var group sync.WaitGroup
	for i := range 40 {
		place := []jobs.Place{jobs.Anywhere, jobs.Alike, jobs.Scaled}[i%3]
		group.Go(func() {
			out, err := do(t, asks, jobs.Job{Group: "g", ID: fmt.Sprint("j", i), Kind: "count", Payload: fmt.Append(nil, i), Place: place})
			if err != nil || string(out.Payload) != fmt.Sprint(i) || !strings.HasPrefix(out.Worker, "w") {
				t.Errorf("%d: %s by %q, %v", i, out.Payload, out.Worker, err)
			}
		})
	}
	group.Wait()
	again, err := do(t, openQueue(t, Options{Node: n}), jobs.Job{Group: "g", ID: "j7", Kind: "count", Payload: []byte("7")})
	if err != nil || string(again.Payload) != "7" {
		t.Errorf("asked for again: %s, %v", again.Payload, err)
	}
	times.Range(func(key, count any) bool {
		if got := count.(*atomic.Int32).Load(); got != 1 {
			t.Errorf("job %v was done %d times", key, got)
		}
		return true
	})
	empties(t, asks, 0)
}

// TestForgetOne: a job whose outcome is forgotten is done again, others are not.
func TestForgetOne(t *testing.T) {
	q := openQueue(t, Options{Node: startNode(t, t.TempDir())})
	var times atomic.Int32
	work(t, q, WorkerOptions{Name: "w", Handlers: map[string]jobs.Handler{"count": func(context.Context, jobs.Task) ([]byte, error) {
		return fmt.Append(nil, times.Add(1)), nil
	}}})
	ask := func(id, want string) {
		t.Helper()
		if out, err := do(t, q, jobs.Job{Group: "g", ID: id, Kind: "count", Payload: []byte("1")}); err != nil || string(out.Payload) != want {
			t.Errorf("%s: %s, %v, want %s", id, out.Payload, err, want)
		}
	}
	ask("a", "1")
	ask("b", "2")
	empties(t, q, 0)
	if err := q.ForgetOne(t.Context(), "g", "a"); err != nil {
		t.Fatal(err)
	}
	ask("b", "2")
	ask("a", "3")
}

// TestWorkers: workers say that they are there until they end; who asks for jobs with
// clocks is told once where none of them may do those.
func TestWorkers(t *testing.T) {
	n := startNode(t, t.TempDir())
	var log strings.Builder
	asks := openQueue(t, Options{Node: n, Speed: 1000, Log: slog.New(slog.NewTextHandler(&log, nil))})
	said := func(place jobs.Place) string {
		t.Helper()
		log.Reset()
		clear(asks.missed)
		asks.missWorkers(t.Context(), envelope{Group: "g", ID: "a", Kind: "echo", Place: place, Speed: 1000})
		first := log.String()
		asks.missWorkers(t.Context(), envelope{Group: "g", ID: "b", Kind: "echo", Place: place, Speed: 1000})
		if log.String() != first {
			t.Errorf("told again: %s", log.String())
		}
		return first
	}
	if text := said(jobs.Anywhere); !strings.Contains(text, "no worker answers") {
		t.Errorf("nobody there: %q", text)
	}
	stop := work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: "slow", Slots: 3, Speed: 700, Handlers: map[string]jobs.Handler{"echo": echo}})
	list, err := asks.Workers(t.Context())
	for limit := time.Now().Add(time.Minute); len(list) == 0 && time.Now().Before(limit); {
		list, err = asks.Workers(t.Context())
	}
	if want := (Worker{"slow", 3, 700}); err != nil || len(list) != 1 || list[0] != want {
		t.Fatalf("%v, %v", list, err)
	}
	if text := said(jobs.Alike); !strings.Contains(text, "within a quarter") || !strings.Contains(text, "slow: 3 at a time, 700/s") {
		t.Errorf("a slow worker: %q", text)
	}
	if text := said(jobs.Scaled) + said(jobs.Anywhere) + said(jobs.Home); text != "" {
		t.Errorf("a worker that may: %q", text)
	}
	stop()
	if list, err := asks.Workers(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("after its end: %v, %v", list, err)
	}
}

// TestFiles: data goes through the queue by its hash, also an outcome that is long.
func TestFiles(t *testing.T) {
	n := startNode(t, t.TempDir())
	asks := openQueue(t, Options{Node: n})
	hash, err := asks.Put(t.Context(), []byte("rules"))
	if err != nil {
		t.Fatal(err)
	}
	long := func(ctx context.Context, task jobs.Task) ([]byte, error) {
		var hash string
		if err := json.Unmarshal(task.Payload, &hash); err != nil {
			return nil, err
		}
		data, err := task.Files.Get(ctx, hash)
		if err != nil {
			return nil, err
		}
		return json.Marshal(strings.Repeat(string(data), 1<<19))
	}
	work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: "w", Handlers: map[string]jobs.Handler{"long": long}})
	out, err := do(t, asks, jobs.Job{Group: "g", ID: "long", Kind: "long", Payload: []byte(`"` + hash + `"`)})
	if err != nil || len(out.Payload) != 5<<19+2 {
		t.Errorf("%d bytes, %v", len(out.Payload), err)
	}
	if _, err := asks.Get(t.Context(), jobs.Hash([]byte("never put"))); err == nil {
		t.Error("a file that nobody has put was found")
	}
}

// TestPoison: a job that fails is tried three times, then parked with its error, and who
// asks is told. A panic is a failure.
func TestPoison(t *testing.T) {
	n := startNode(t, t.TempDir())
	q := openQueue(t, Options{Node: n})
	var tries atomic.Int32
	work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: "w", Handlers: map[string]jobs.Handler{
		"bad": func(context.Context, jobs.Task) ([]byte, error) { panic(fmt.Sprint("boom ", tries.Add(1))) },
	}})
	_, err := do(t, q, jobs.Job{Group: "g", ID: "bad", Kind: "bad", Payload: []byte("1")})
	if !errors.Is(err, jobs.ErrParked) || !strings.Contains(err.Error(), "boom 3") || tries.Load() != jobs.Tries {
		t.Errorf("%d tries: %v", tries.Load(), err)
	}
	for most, want := range map[int]int{-1: 0, 0: 0, 1: 1, 10: 1, math.MaxInt: 1} {
		parked, all, err := q.Parked(t.Context(), most)
		if err != nil || all != 1 || len(parked) != want || want > 0 && (parked[0].ID != "bad" || !strings.Contains(parked[0].Error, "boom 3")) {
			t.Errorf("%d: %+v of %d, %v", most, parked, all, err)
		}
	}
}

// TestOutcomeNotKept: an outcome that the server does not keep is a job that failed, and is
// parked with the reason. Who waits for it hears of it all the same.
func TestOutcomeNotKept(t *testing.T) {
	q := openQueue(t, Options{Node: startNode(t, t.TempDir())})
	stream, err := q.js.Stream(t.Context(), resultStream)
	if err != nil {
		t.Fatal(err)
	}
	c := stream.CachedInfo().Config
	c.MaxMsgSize = 1000
	if _, err := q.js.UpdateStream(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	long := fmt.Appendf(nil, "%q", strings.Repeat("x", 2000))
	work(t, q, WorkerOptions{Name: "w", Handlers: map[string]jobs.Handler{"long": func(context.Context, jobs.Task) ([]byte, error) { return long, nil }}})
	if out, err := do(t, q, jobs.Job{Group: "g", ID: "a", Kind: "long", Payload: []byte("1")}); err != nil || len(out.Payload) != len(long) {
		t.Errorf("%d bytes, %v", len(out.Payload), err)
	}
	empties(t, q, 0)
	if parked, _, err := q.Parked(t.Context(), 1); err != nil || len(parked) != 1 || !strings.Contains(parked[0].Error, "the outcome was not kept") {
		t.Errorf("%+v, %v", parked, err)
	}
}

// TestHandedBack: a worker that ends hands its job back at once, however often, and that
// counts as no try.
func TestHandedBack(t *testing.T) {
	n := startNode(t, t.TempDir())
	q := openQueue(t, Options{Node: n})
	begun := make(chan struct{})
	waits := map[string]jobs.Handler{"wait": func(ctx context.Context, _ jobs.Task) ([]byte, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	answer := make(chan error, 1)
	go func() {
		out, err := do(t, q, jobs.Job{Group: "g", ID: "long", Kind: "wait", Payload: []byte("5")})
		if err == nil && out.Worker != "last" {
			err = fmt.Errorf("it was done by %s", out.Worker)
		}
		answer <- err
	}()
	for i := range jobs.Tries + 2 {
		stop := work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: fmt.Sprint("w", i), Handlers: waits})
		<-begun
		stop()
	}
	work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: "last", Handlers: map[string]jobs.Handler{"wait": echo}})
	if err := <-answer; err != nil {
		t.Error(err)
	}
}

// TestHandedBackUnread: a worker hands back a job that reaches it when it has ended
// already.
func TestHandedBackUnread(t *testing.T) {
	n := startNode(t, t.TempDir())
	q := openQueue(t, Options{Node: n})
	if err := q.consumer(t.Context(), anyPlace); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	asked, giveUp := context.WithCancel(t.Context())
	answer := make(chan error, 1)
	go func() {
		_, err := q.Do(asked, jobs.Job{Group: "g", ID: "j", Kind: "echo", Payload: []byte("7")})
		answer <- err
	}()
	how := ""
	w := &worker{Queue: q, consumers: map[string]jetstream.Consumer{}, o: WorkerOptions{Name: "ended", Observe: func(_, done string, _ time.Duration) { how = done }}}
	if err := w.look(t.Context()); err != nil {
		t.Fatal(err)
	}
	var m jetstream.Msg
	for m == nil && t.Context().Err() == nil {
		m, _ = w.next(t.Context())
	}
	end()
	w.do(ended, m, anyPlace)
	if how != "returned" {
		t.Errorf("the job was %q", how)
	}
	again, _ := w.next(t.Context())
	if again == nil {
		t.Fatal("the job does not come again at once")
	}
	if h, err := w.history(t.Context(), again, "g.j"); err != nil || h.failed != 0 {
		t.Errorf("%d tries, %v", h.failed, err)
	}
	giveUp()
	if err := <-answer; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestRestart: jobs outlive the node and who asked for them.
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	n := startNode(t, dir)
	q := openQueue(t, Options{Node: n})
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan error, 1)
	go func() {
		_, err := q.Do(ctx, jobs.Job{Group: "g", ID: "j", Kind: "echo", Payload: []byte("3")})
		asked <- err
	}()
	for { // until it is in the queue
		if depth, err := q.Depth(t.Context()); err == nil && depth == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if err := <-asked; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	q.Close()
	n.Close()
	n = startNode(t, dir)
	q = openQueue(t, Options{Node: n})
	if depth, err := q.Depth(t.Context()); depth != 1 || err != nil {
		t.Errorf("%d jobs, %v", depth, err)
	}
	work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: "w", Handlers: map[string]jobs.Handler{"echo": echo}})
	if out, err := do(t, q, jobs.Job{Group: "g", ID: "j", Kind: "echo", Payload: []byte("3")}); err != nil || string(out.Payload) != "3" {
		t.Errorf("%s, %v", out.Payload, err)
	}
	empties(t, q, 0)
}

// TestRelease: jobs of workers that are gone are handed out again at once.
func TestRelease(t *testing.T) {
	n := startNode(t, t.TempDir())
	q := openQueue(t, Options{Node: n})
	lost := openQueue(t, Options{Node: n})
	begun, end := make(chan struct{}, 1), make(chan struct{})
	stop := work(t, lost, WorkerOptions{Name: "lost", Handlers: map[string]jobs.Handler{"j": func(context.Context, jobs.Task) ([]byte, error) {
		begun <- struct{}{}
		<-end
		return nil, nil
	}}})
	done := make(chan error, 1)
	go func() {
		_, err := do(t, q, jobs.Job{Group: "g", ID: "j", Kind: "j", Payload: []byte("1")})
		done <- err
	}()
	<-begun
	lost.Close() // it says nothing any more
	if err := q.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	q.mu.Lock()
	clear(q.made)
	q.mu.Unlock()
	work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: "next", Handlers: map[string]jobs.Handler{"j": echo}})
	if err := <-done; err != nil {
		t.Error(err)
	}
	close(end)
	stop()
}

// TestVersions: a job of a newer format is not handed out to this program, and one that
// says so under an old name is refused.
func TestVersions(t *testing.T) {
	n := startNode(t, t.TempDir())
	q := openQueue(t, Options{Node: n})
	data, err := json.Marshal(envelope{Version: Version + 1, Group: "g", ID: "new", Kind: "echo", Payload: []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.js.Publish(t.Context(), fmt.Sprintf("ggp.jobs.v%d.any.echo.g.new", Version+1), data); err != nil {
		t.Fatal(err)
	}
	if _, err := q.js.Publish(t.Context(), fmt.Sprintf("ggp.jobs.v%d.any.echo.g.new", Version), data); err != nil {
		t.Fatal(err)
	}
	work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: "w", Handlers: map[string]jobs.Handler{"echo": echo}})
	_, err = do(t, q, jobs.Job{Group: "g", ID: "new", Kind: "echo", Payload: []byte("1")})
	if !errors.Is(err, jobs.ErrParked) || !strings.Contains(err.Error(), "format 2") {
		t.Errorf("%v", err)
	}
	empties(t, q, 1) // that of the newer format
}

// TestPlaces: home stays at home, alike goes to machines alike, and scaled says by how
// much.
func TestPlaces(t *testing.T) {
	n := startNode(t, t.TempDir())
	asks := openQueue(t, Options{Node: n, Speed: 1000})
	where := func(name string) map[string]jobs.Handler {
		return map[string]jobs.Handler{"where": func(_ context.Context, task jobs.Task) ([]byte, error) {
			return json.Marshal(fmt.Sprintf("%s %.2f %v", name, task.Stretch, task.Home))
		}}
	}
	work(t, asks, WorkerOptions{Name: "home", Speed: 100, Handlers: where("home")})
	work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: "alike", Speed: 1100, Handlers: where("alike")})
	work(t, openQueue(t, Options{Node: n}), WorkerOptions{Name: "slow", Speed: 200, Handlers: where("slow")})
	for i := range 6 {
		for place, want := range map[jobs.Place][]string{
			jobs.Home: {`"home 1.00 true"`}, jobs.Alike: {`"alike 1.00 false"`},
			jobs.Scaled: {`"home 10.00 false"`, `"alike 0.91 false"`, `"slow 5.00 false"`},
		} {
			out, err := do(t, asks, jobs.Job{Group: "g", ID: fmt.Sprintf("%d-%d", place, i), Kind: "where", Payload: []byte("0"), Place: place})
			if err != nil || !strings.Contains(strings.Join(want, " "), string(out.Payload)) {
				t.Errorf("place %d: %s, %v", place, out.Payload, err)
			}
		}
	}
}

func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(`{"version": 1, "group": "g", "id": "a", "kind": "match", "payload": {}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var e envelope
		if json.Unmarshal(data, &e) != nil || e.check() != nil {
			return
		}
		if strings.ContainsAny(e.Group+e.ID+e.Kind, ".*> \t\r\n") {
			t.Errorf("%q is part of a subject", e.key()+"."+e.Kind)
		}
	})
}
