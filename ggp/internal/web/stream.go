package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// stream is what the pages of one thing are told: a log that grows, and beside it
// things of which only the newest counts, such as a board and what the player thinks.
// Every event is spelled once, however many look on. A page that comes late, or is
// slow, gets the whole log and of everything else the newest.
type stream struct {
	mu      sync.Mutex
	first   int64 // what the events are numbered from: no later stream of that address has a number of this one
	seq     int64 // of the last event
	log     []event
	newest  map[string]event
	changed chan struct{} // closed, and made anew, with each event
	closed  bool          // nothing more will come
	looking int           // pages
	seen    time.Time     // when a page last came or went
}

type event struct {
	seq  int64
	text []byte // as it goes over the wire
}

// mostEvents bounds a log. What comes later is told to nobody but those who look at
// the newest.
const mostEvents = 1 << 16

func newStream() *stream {
	now := time.Now()
	return &stream{first: now.UnixMicro(), seq: now.UnixMicro(), newest: map[string]event{}, changed: make(chan struct{}), seen: now}
}

// add puts an event into the log.
func (s *stream) add(name string, v any) { s.put(name, "", v) }

// set puts an event in the place of the one with that key.
func (s *stream) set(name, key string, v any) { s.put(name, key, v) }

func (s *stream) put(name, key string, v any) {
	data := spellJSON(v)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.seq++
	e := event{s.seq, fmt.Appendf(nil, "id: %d\nevent: %s\ndata: %s\n\n", s.seq, name, data)}
	if key != "" {
		s.newest[key] = e
	} else if len(s.log) < mostEvents {
		s.log = append(s.log, e)
	}
	s.wake()
}

// spellJSON is on one line, and leaves < and > as they are: events are data and no page.
func spellJSON(v any) []byte {
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("BUG: event: " + err.Error())
	}
	return bytes.TrimSuffix(data.Bytes(), []byte("\n"))
}

// drop forgets what has a key.
func (s *stream) drop(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.newest, key)
}

func (s *stream) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// close tells the pages that nothing more will come.
func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		s.wake()
	}
}

// since is what came after a number, in order.
func (s *stream) since(seq int64) (texts [][]byte, last int64, changed <-chan struct{}, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from, _ := slices.BinarySearchFunc(s.log, seq+1, func(e event, seq int64) int { return int(e.seq - seq) })
	events := slices.Clone(s.log[from:])
	for _, e := range s.newest {
		if e.seq > seq {
			events = append(events, e)
		}
	}
	slices.SortFunc(events, func(a, b event) int { return int(a.seq - b.seq) })
	for _, e := range events {
		texts = append(texts, e.text)
	}
	return texts, s.seq, s.changed, s.closed
}

// has tells whether a number can be that of an event.
func (s *stream) has(seq int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return seq >= s.first && seq <= s.seq
}

// watched counts who looks on, and tells since when nobody has come or gone.
func (s *stream) watched() (looking int, seen time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.looking, s.seen
}

func (s *stream) come(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looking += n
	s.seen = time.Now()
}

// How streams are written: with pauses, so that what comes in quick succession goes out
// together, and with a sign of life where nothing happens. A page that does not read
// for as long as the limit is given up.
const (
	pause      = 150 * time.Millisecond
	signOfLife = 20 * time.Second
	writeLimit = 10 * time.Second
)

// serve writes the stream to a page until it goes, or nothing more will come.
func (s *stream) serve(w http.ResponseWriter, r *http.Request, stop <-chan struct{}) {
	s.come(1)
	defer s.come(-1)
	out := beginEvents(w)
	seq := lastEventID(r)
	if seq > 0 && !s.has(seq) { // of an earlier program
		out.write([]byte("event: anew\ndata: {}\n\n"))
		return
	}
	for {
		texts, last, changed, closed := s.since(seq)
		if len(texts) > 0 {
			if seq = last; !out.write(bytes.Join(texts, nil)) {
				return
			}
		}
		if closed {
			out.write([]byte("event: over\ndata: {}\n\n"))
			return
		}
		if !out.wait(r, stop, changed) {
			return
		}
		if !out.wait(r, stop, nil) {
			return
		}
	}
}

// eventWriter writes server-sent events.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func beginEvents(w http.ResponseWriter) eventWriter {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // of a proxy, which would hold events back
	return eventWriter{w, http.NewResponseController(w)}
}

// write is false when the page is gone.
func (e eventWriter) write(data []byte) bool {
	_ = e.control.SetWriteDeadline(time.Now().Add(writeLimit)) // not every writer in tests has one
	if _, err := e.w.Write(data); err != nil {
		return false
	}
	return e.control.Flush() == nil
}

// wait waits for a change, and without one for a pause; false: the page is gone, or
// the server stops.
func (e eventWriter) wait(r *http.Request, stop, changed <-chan struct{}) bool {
	limit := signOfLife
	if changed == nil {
		limit = pause
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case <-r.Context().Done():
			return false
		case <-stop:
			return false
		case <-changed:
			return true
		case <-timer.C:
			if changed == nil {
				return true
			}
			if !e.write([]byte(": \n\n")) {
				return false
			}
			timer.Reset(limit)
		}
	}
}

// lastEventID is where a page that comes back goes on; 0: at the beginning.
func lastEventID(r *http.Request) (seq int64) {
	if _, err := fmt.Sscan(r.Header.Get("Last-Event-ID"), &seq); err != nil || seq < 0 {
		return 0
	}
	return seq
}
