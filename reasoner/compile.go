package reasoner

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"semisplit/internal/guard"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/split"
)

// Compilation is the making of machines for one game: the prover at once,
// better machines in the background as they are ready.
type Compilation struct {
	better chan Machine
	done   chan struct{}

	mu     sync.Mutex
	best   Machine
	trials []Trial
	err    error
}

// Trial is what became of one plan.
type Trial struct {
	Plan    string
	SetUp   time.Duration // of the circuit, while others may have been made beside it
	Circuit *Circuit
	Machine Machine // of the quickest width
	Lanes   int
	Speed   float64 // states/s in random playouts; 0 if there is no machine
	Err     error
}

// Compile starts the work. It ends when the last machine is ready or when ctx
// ends; Best serves throughout.
func Compile(ctx context.Context, p *gdl.Program, l Limits) (*Compilation, error) {
	first, err := newProver(ctx, p, l)
	if err != nil {
		return nil, err
	}
	c := &Compilation{best: first, better: make(chan Machine, maxBetter), done: make(chan struct{})}
	go c.run(ctx, p, l)
	return c, nil
}

// maxBetter is more than all plans can make: one machine each, and two more.
const maxBetter = 64

// worthwhile is how much quicker a machine must be than the one before: a
// match that changes its machine loses its tree.
const worthwhile = 1.15

func (c *Compilation) run(ctx context.Context, p *gdl.Program, l Limits) {
	defer close(c.done)
	defer close(c.better)
	var analysis *Analysis
	err := compileSlots.do(ctx, func() error { analysis = newAnalysis(ctx, p); return nil })
	if err == nil {
		all := contest{lead: worthwhile}
		err = analysis.explore(ctx, l, func(t Trial, circuit *Circuit) {
			if circuit != nil {
				t.Err = all.enter(circuit, &t, c.publish)
			}
			c.note(t)
		})
		if all.best.machine != nil {
			_ = compileSlots.do(ctx, func() error { all.final(c.publish); return nil })
			return
		}
		_ = compileSlots.do(ctx, func() error { c.provers(ctx, analysis, l); return nil })
	}
	c.mu.Lock()
	c.err = err
	c.mu.Unlock()
}

// provers lets the split games compete on the prover, where nothing could be
// grounded: it never looks at whole moves then, of which there may be many.
func (c *Compilation) provers(ctx context.Context, analysis *Analysis, l Limits) {
	all := contest{lead: worthwhile}
	all.best = contender{c.best, measured(c.best)}
	for _, plan := range analysis.plans {
		if ctx.Err() != nil {
			return
		}
		if plan.Name == split.WholeMoves {
			continue
		}
		m, err := analysis.prover(ctx, plan.Name, l)
		if err != nil {
			continue
		}
		all.prefer(contender{m, measured(m)}, c.publish)
	}
}

func (c *Compilation) note(t Trial) {
	c.mu.Lock()
	c.trials = append(c.trials, t)
	c.mu.Unlock()
}

func (c *Compilation) publish(m Machine) {
	c.mu.Lock()
	c.best = m
	c.mu.Unlock()
	c.better <- m // buffered: nobody need be listening
}

// Once there is a machine, the search for better ones goes on for a while
// after it: what takes much longer to set up is larger, and seldom quicker to
// play.
const (
	patience      = 3 // times the set-up time of the first machine
	leastPatience = 2 * time.Second
)

var errSlow = errors.New("set-up takes much longer than that of other plans")

// explore grounds the game under each plan, whole moves in turns with split ones, so
// that neither waits for what is too large for the other, and hands on what
// comes of it, one at a time. The error is that of the last plan that failed.
func (a *Analysis) explore(ctx context.Context, l Limits, done func(Trial, *Circuit)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	begin := time.Now()
	var mu sync.Mutex
	var last error
	var limit *time.Timer
	try := func(plan string, turn *turn, l Limits) {
		defer turn.end()
		// For all plans, so in no turn of one. Circuits can do without.
		if fault := guard.Run(func() error { a.invariants(give(ctx)); return nil }); fault != nil {
			mu.Lock()
			last = fault
			mu.Unlock()
		}
		var circuit *Circuit
		turn.begin()
		err := guard.Run(func() (err error) {
			circuit, err = a.Circuit(turn, plan, l)
			return err
		})
		setUp := turn.took()
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			last = err
			circuit = nil
		} else if limit == nil {
			took := time.Since(begin)
			limit = time.AfterFunc(max(leastPatience, patience*took)-took, func() { cancel(errSlow) })
		}
		if fault := guard.Run(func() error { done(Trial{Plan: plan, SetUp: setUp, Circuit: circuit, Err: err}, circuit); return nil }); fault != nil {
			last = fault
		}
	}
	var group sync.WaitGroup
	own := l
	own.Ground.Progress = new(ground.Progress)
	if whole, ok := takeTurn(ctx, compileSlots, wholeTurn, own.Ground.Progress.Grounded.Load); ok { // the first turn is theirs
		group.Go(func() { try(split.WholeMoves, whole, own) })
	}
	for _, plan := range a.plans {
		if plan.Name == split.WholeMoves {
			continue
		}
		if turn, ok := takeTurn(ctx, compileSlots, 0, nil); ok {
			try(plan.Name, turn, l)
		}
	}
	group.Wait()
	if limit != nil {
		limit.Stop()
	} else if last == nil {
		last = context.Cause(ctx)
	}
	return last
}

// quickest compiles to the end and returns the best machine of a width, or of
// all widths if it is 0.
func quickest(ctx context.Context, p *gdl.Program, width int, l Limits) (Machine, error) {
	all := contest{width: width}
	var refused error // of a circuit that has no machine of this width
	err := newAnalysis(ctx, p).explore(ctx, l, func(t Trial, circuit *Circuit) {
		if circuit != nil {
			refused = all.enter(circuit, &t, func(Machine) {}) // another plan may do
		}
	})
	_ = compileSlots.do(ctx, func() error { all.final(func(Machine) {}); return nil })
	if all.best.machine == nil {
		return nil, cmp.Or(refused, err)
	}
	return all.best.machine, nil
}

// Best is the best machine so far.
func (c *Compilation) Best() Machine {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.best
}

// Better delivers machines that are better than those before, and is closed
// when no more will come. Nobody need listen: all of them have room in it.
func (c *Compilation) Better() <-chan Machine { return c.better }

// Done is closed when the work has ended.
func (c *Compilation) Done() <-chan struct{} { return c.done }

// Trials tells what became of the plans that were tried so far.
func (c *Compilation) Trials() []Trial {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Trial(nil), c.trials...)
}

// Err says, once Done is closed, why no better machine could be made.
func (c *Compilation) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
