package main

import (
	"crypto/rsa"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/internal/wholefile"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// keepFlags say what becomes of the record of a match.
type keepFlags struct {
	Record string `type:"path" placeholder:"FILE" help:"Write the record of the match (JSON), as it goes on."`
	publishFlags
}

// kept is who takes care of the record of one match.
type kept struct {
	publisher *publisher
	keeper    *keeper
	thoughts  *thoughts // for comments; nil: none
	last      *lastRecord
}

// lastRecord is that of the last state, for who saves it while the match goes on.
type lastRecord struct {
	mu     sync.Mutex
	record *protocol.Record
}

func (l *lastRecord) set(r *protocol.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := *r
	l.record = &taken
}

// save writes the record to a file.
func (l *lastRecord) save(path string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.record == nil {
		return errors.New("the match has not begun")
	}
	if err := checkRecordPath(path); err != nil {
		return err
	}
	return (&keeper{}).write(*l.record, path)
}

// open looks, before the match, whether its record can be kept as asked for.
func (f keepFlags) open(s *console.Session, game games.Game) (kept, error) {
	path := f.Record
	if target, err := filepath.EvalSymlinks(path); err == nil && path != "" {
		path = target // what a link points to is replaced, and not the link
	}
	if err := checkRecordPath(path); err != nil {
		return kept{}, err
	}
	p, err := f.publisher(s, game)
	if err != nil {
		return kept{}, err
	}
	return kept{publisher: p, keeper: newKeeper(s, path, p), last: new(lastRecord)}, nil
}

// watch makes a match tell of each state.
func (k kept) watch(c *referee.Config) {
	before := c.Observe
	c.Observe = func(e referee.Event) {
		k.thoughts.comment(e)
		k.last.set(e.Record)
		k.keeper.offer(e.Record)
		k.publisher.offer(e.Record)
		if before != nil {
			before(e)
		}
	}
}

// finish keeps the whole record, if the match has one.
func (k kept) finish(r *protocol.Record) error {
	written := k.keeper.finish(r) // first: a server may take its time
	return errors.Join(k.publisher.finish(r), written)
}

// newest holds the newest record that waits for somebody, at most one: it has
// in it all that was in those before. Only one goroutine offers.
type newest chan protocol.Record

func (n newest) offer(r *protocol.Record) {
	select {
	case <-n:
	default:
	}
	n <- *r
}

// keeper writes the record of a match to a file as the match goes on, so that
// what was played is there whatever happens. A nil one does nothing.
type keeper struct {
	session *console.Session
	path    string
	key     *rsa.PrivateKey // that signs; nil: none
	queue   newest
	done    chan struct{}
	failed  error // of the last attempt; owned by work until done is closed
}

// checkRecordPath tries to write as much as a usual record to the place of one.
func checkRecordPath(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("match record: %s is no file that can be replaced", path)
	}
	temporary, err := wholefile.Beside(path, make([]byte, 64<<10), 0o644) // a full disk may still take a few bytes
	if err == nil {
		err = os.Remove(temporary)
	}
	if err != nil {
		return fmt.Errorf("match record: %w", err)
	}
	return nil
}

// newKeeper is nil without a path.
func newKeeper(s *console.Session, path string, signer *publisher) *keeper {
	if path == "" {
		return nil
	}
	k := &keeper{session: s, path: path, queue: make(newest, 1), done: make(chan struct{})}
	if signer != nil {
		k.key = signer.key
	}
	go k.work()
	return k
}

func (k *keeper) offer(r *protocol.Record) {
	if k != nil {
		k.queue.offer(r)
	}
}

// work writes until the queue is closed.
func (k *keeper) work() {
	defer close(k.done)
	for record := range k.queue {
		k.take(record)
	}
}

// take writes a record. A failure is told when it comes, while there is time to
// mend it.
func (k *keeper) take(r protocol.Record) {
	before := k.failed
	if k.failed = k.write(r, k.path); k.failed != nil && before == nil {
		fmt.Fprintf(k.session.Errout, "ggp: %v; the match goes on, and the next turn tries again\n", k.failed)
	}
}

// write replaces the file whole, so that a reader never sees half of it.
func (k *keeper) write(r protocol.Record, path string) error {
	if k.key != nil {
		if err := r.Sign(k.key); err != nil {
			return fmt.Errorf("match record: %w", err)
		}
	}
	data, err := r.MarshalJSON()
	if err != nil {
		return fmt.Errorf("match record: %w", err)
	}
	if err := wholefile.Write(path, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("match record: %w", err)
	}
	return nil
}

// finish writes the whole record, if there is one. Where its folder no longer
// takes it, it goes to the folder for temporary files.
func (k *keeper) finish(r *protocol.Record) error {
	if k == nil {
		return nil
	}
	if r != nil {
		k.queue.offer(r)
	}
	close(k.queue)
	<-k.done
	if k.failed == nil || r == nil {
		return k.failed
	}
	rescue := filepath.Join(os.TempDir(), fmt.Sprintf("ggp-record-%d.json", os.Getpid()))
	if err := k.write(*r, rescue); err != nil {
		return errors.Join(k.failed, err)
	}
	return fmt.Errorf("%w; it is in %s", k.failed, rescue)
}
