package player

import (
	"sync"
	"sync/atomic"
)

// queue holds the tasks of a worker. It has no bound of its own: a push must
// never wait, and the core takes in no more moves than movesLimit ahead.
type queue struct {
	mu     sync.Mutex
	filled *sync.Cond
	tasks  []task
	closed bool
}

// task is an order in the queue, with the flag that halts it if it is a search.
type task struct {
	what any
	stop *atomic.Bool
}

func newQueue() *queue {
	q := &queue{}
	q.filled = sync.NewCond(&q.mu)
	return q
}

func (q *queue) push(t task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.tasks = append(q.tasks, t)
		q.filled.Signal()
	}
}

// finish drops what is waiting, and ends the queue after one last task.
func (q *queue) finish(last task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.tasks, q.closed = []task{last}, true
		q.filled.Signal()
	}
}

// pop waits for a task; false: there will be none any more.
func (q *queue) pop() (task, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.tasks) == 0 && !q.closed {
		q.filled.Wait()
	}
	if len(q.tasks) == 0 {
		return task{}, false
	}
	t := q.tasks[0]
	q.tasks = q.tasks[1:]
	return t, true
}
