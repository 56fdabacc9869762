package minimax

import "iter"

// task is a search of one state that goes on beside others: it runs until it needs moves
// to be played, or what other tasks find, and another one runs meanwhile. So the moves of
// all of them stand side by side in the lanes. One runs at a time.
type task struct {
	s      *AlphaBeta
	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
	left   int   // families that are missing
	join   *join // that its state belongs to; nil: the root
	job    job
}

// job is a state to be searched.
type job struct {
	family  *family // that it is a child of
	child   int
	depth   int
	reduced int // depth of the first try; depth: there is none
	lo, hi  score
	ply     int
	hash    uint64 // of the child, while threads tell each other where they are; 0: they do not
}

// join is what tasks search that one task waits for.
type join struct {
	parent *task
	outer  *join // the parent's
	open   int   // tasks that have not ended
	waited bool  // the parent waits until there are none
	cut    bool  // what they find is not wanted any more
	hi     score // a result of this is enough
	found  []found
}

// found is the result of a search.
type found struct {
	value score
	whole bool // no estimate was used
	ok    bool // false: it was ended before it was known
}

// newTask makes one that waits for jobs.
func (s *AlphaBeta) newTask() *task {
	t := &task{s: s}
	t.resume, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		for t.run() && yield(struct{}{}) {
		}
	})
	return t
}

// run does the job. False: everything ends.
func (t *task) run() bool {
	s := t.s
	if t.join == nil {
		s.searchRoot(t)
		return !s.halted
	}
	j, job := t.join, t.job
	s.unborn--
	var result found
	if !t.isCut() {
		result = t.searchChild(&job)
	}
	s.busy.remove(job.hash)
	if j.found[job.child] = result; result.ok && result.value >= j.hi {
		j.cut = true
	}
	if j.open--; j.open == 0 && j.waited {
		s.ready = append(s.ready, j.parent)
	}
	t.join = nil
	s.idle = append(s.idle, t)
	return !s.halted
}

// wait lets others run. False: the search has ended.
func (t *task) wait() bool {
	if !t.yield(struct{}{}) {
		t.s.halted = true
	}
	return !t.s.halted && !t.isCut()
}

// isCut tells whether nobody wants the result any more.
func (t *task) isCut() bool {
	for j := t.join; j != nil; j = j.outer {
		if j.cut {
			return true
		}
	}
	return false
}

// ask has the moves of a family played, later.
func (t *task) ask(m *family) {
	m.task = t
	t.left++
	t.s.asked = append(t.s.asked, m)
	t.s.waiting += m.left
}

// await waits for all families that were asked for.
func (t *task) await() bool {
	ok := !t.s.halted && !t.isCut()
	for t.left > 0 && !t.s.halted {
		ok = t.wait() && ok
	}
	return ok && !t.s.halted && !t.isCut()
}

// spawn has another task do a job.
func (t *task) spawn(j *join, job job) {
	s := t.s
	var to *task
	if n := len(s.idle); n > 0 {
		to = s.idle[n-1]
		s.idle = s.idle[:n-1]
	} else {
		to = s.newTask()
		s.tasks = append(s.tasks, to)
	}
	to.join, to.job = j, job
	j.open++
	s.unborn++
	s.ready = append(s.ready, to)
}
