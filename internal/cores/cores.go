// Package cores lets the heavy jobs of this process take turns on the processor:
// compiling, measuring and learning. What is measured beside other work of ours
// comes out at a fraction of its speed, and decisions rest on it. So no more
// cores are dealt out than there are (runtime.GOMAXPROCS, which follows the
// limits of containers), first come, first served.
//
// A match that must answer does not wait: it takes its cores by force, and jobs
// that can pause stand aside at their next checkpoint (GiveWay).
package cores

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// places are the cores that were dealt out, and who waits for some.
type places struct {
	mu      sync.Mutex
	used    int // more than there are if some were taken by force
	waiting []*waiter
}

type waiter struct {
	cores int
	ready chan struct{}
}

var here places

// Wait takes cores as soon as so many are free; of more than there are, all. leave
// gives them back. It fails when ctx ends before.
func Wait(ctx context.Context, cores int) (leave func(), err error) {
	cores = min(cores, runtime.GOMAXPROCS(0))
	if err := here.wait(ctx, cores); err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { here.add(-cores) }), nil
}

// Force takes cores at once, whether they are free or not, or gives back what it
// took if the number is negative.
func Force(cores int) { here.add(cores) }

// GiveWay is for a job at a checkpoint that holds one core: if others wait, or
// have taken cores by force, it goes behind them. It returns when the job holds a
// core again, or ctx ends; then it holds one in any case.
func GiveWay(ctx context.Context) {
	if !here.crowded() {
		return
	}
	here.add(-1)
	if here.wait(ctx, 1) != nil {
		here.add(1)
	}
}

// Used is the number of cores that are dealt out now.
func Used() int {
	here.mu.Lock()
	defer here.mu.Unlock()
	return here.used
}

func (p *places) crowded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting) > 0 || p.used > runtime.GOMAXPROCS(0)
}

func (p *places) add(cores int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used += cores
	p.deal()
}

// deal gives cores to those who have waited longest. The lock is held.
func (p *places) deal() {
	for len(p.waiting) > 0 {
		first := p.waiting[0]
		if p.used > 0 && p.used+first.cores > runtime.GOMAXPROCS(0) {
			return
		}
		p.used += first.cores
		p.waiting = p.waiting[1:]
		close(first.ready)
	}
}

func (p *places) wait(ctx context.Context, cores int) error {
	w := &waiter{cores, make(chan struct{})}
	p.mu.Lock()
	p.waiting = append(p.waiting, w)
	p.deal()
	p.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.waiting, w)
	if i < 0 {
		return nil // they were dealt out at the same moment
	}
	p.waiting = slices.Delete(p.waiting, i, i+1)
	p.deal()
	return context.Cause(ctx)
}
