package console

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Stages tells people what a long command is at, on standard error: one line
// with a bar of the time that is over on a terminal, a line for each stage
// elsewhere.
type Stages struct {
	name   string
	errout io.Writer
	pool   *mpb.Progress // nil: lines
	stage  atomic.Pointer[string]
	stop   chan struct{}
	work   sync.WaitGroup
}

// NewStages begins to tell of a command that takes about so long.
func NewStages(s *Session, name string, total time.Duration) *Stages {
	p := &Stages{name: name, errout: s.Notes(), stop: make(chan struct{})}
	out := ProgressOutput(s)
	if out == nil {
		fmt.Fprintf(p.errout, "%s: takes about %v\n", name, total)
		return p
	}
	p.pool = mpb.New(mpb.WithOutput(out))
	bar := p.pool.AddBar(int64(total),
		mpb.PrependDecorators(decor.Name(name+" "), decor.Elapsed(decor.ET_STYLE_GO), decor.Name(fmt.Sprintf(" / %v", total))),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			if stage := p.stage.Load(); stage != nil {
				return " " + *stage
			}
			return ""
		})))
	p.work.Go(func() { p.move(bar, total) })
	return p
}

// move lets the bar grow with the time, never to its end.
func (p *Stages) move(bar *mpb.Bar, total time.Duration) {
	begin := time.Now()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			bar.SetCurrent(min(int64(time.Since(begin)), int64(total)-1))
		case <-p.stop:
			bar.Abort(true)
			return
		}
	}
}

// Begin tells of the next stage.
func (p *Stages) Begin(stage string) {
	p.stage.Store(&stage)
	if p.pool == nil {
		fmt.Fprintf(p.errout, "%s: %s\n", p.name, stage)
	}
}

// End takes the bar away. It is called once.
func (p *Stages) End() {
	close(p.stop)
	p.work.Wait()
	if p.pool != nil {
		p.pool.Wait()
	}
}

// ProgressOutput shows progress to people only.
func ProgressOutput(s *Session) *os.File {
	if f, ok := FileOf(s.Notes()); ok && IsTerminal(f) {
		return f
	}
	return nil
}
