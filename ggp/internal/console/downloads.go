package console

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Downloads shows the progress of downloads that take long, on a terminal.
type Downloads struct {
	session *Session
	mu      sync.Mutex
	begun   time.Time
	pool    *mpb.Progress
	bar     *mpb.Bar
	url     string
}

// NewDownloads shows them where a session tells of progress.
func NewDownloads(s *Session) *Downloads { return &Downloads{session: s} }

// showAfter is how long a download may take without a bar.
const showAfter = 500 * time.Millisecond

// Progress is told the bytes so far, and of how many (-1: unknown).
func (p *Downloads) Progress(url string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := ProgressOutput(p.session)
	if out == nil {
		return
	}
	if url != p.url || p.begun.IsZero() {
		p.drop()
		p.url, p.begun = url, time.Now()
	}
	if time.Since(p.begun) < showAfter {
		return
	}
	if p.bar == nil {
		if p.pool == nil {
			p.pool = mpb.NewWithContext(context.WithoutCancel(p.session.Ctx), mpb.WithOutput(out))
		}
		p.bar = p.pool.AddBar(max(0, total), mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name("fetching "+filepath.Base(url)+" "), decor.CountersKibiByte("% .1f / % .1f")),
			mpb.AppendDecorators(decor.AverageSpeed(decor.SizeB1024(0), "% .1f")))
	}
	if total < 0 {
		p.bar.SetTotal(done+1, false)
	}
	p.bar.SetCurrent(done)
}

func (p *Downloads) drop() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bar = nil
	}
}

// Stop takes the bars away.
func (p *Downloads) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop()
	if p.pool != nil {
		p.pool.Wait()
		p.pool = nil
	}
}
