package console

import (
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// When who waits for a part of the work hears of it: at a terminal sooner, for
// what is shown there goes away again.
const (
	workBarAfter  = showAfter
	workLineAfter = time.Second
	workLineEvery = 10 * time.Second
)

// ShowWork tells on standard error what takes long: as a spinner on a
// terminal, elsewhere as a line after a second, and again every ten. detail may
// say how far it is. Before anything else is printed, stop takes the spinner
// away.
func ShowWork(s *Session, name string, detail func() string) (stop func()) {
	if s.Notes() == io.Discard {
		return func() {}
	}
	begin, over, gone := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		if out := ProgressOutput(s); out != nil {
			select {
			case <-over:
				return
			case <-time.After(workBarAfter):
			}
			pool := mpb.New(mpb.WithOutput(out), mpb.WithWidth(1))
			bar := pool.New(0, mpb.SpinnerStyle(), mpb.PrependDecorators(decor.Name(name+" ")),
				mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return workLine(begin, detail) })))
			<-over
			bar.Abort(true)
			pool.Wait()
			return
		}
		for wait := workLineAfter; ; wait = workLineEvery {
			select {
			case <-over:
				return
			case <-time.After(wait):
				fmt.Fprintf(s.Notes(), "%s ... %s\n", name, workLine(begin, detail))
			}
		}
	}()
	return func() {
		close(over)
		<-gone
	}
}

// workLine is how long something has taken, and how far it is.
func workLine(begin time.Time, detail func() string) string {
	line := time.Since(begin).Round(time.Second).String()
	if d := detail(); d != "" {
		line += ", " + d
	}
	return line
}
