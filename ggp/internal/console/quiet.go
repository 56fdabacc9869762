package console

import "io"

// QuietFlag is that of commands that tell how far they are.
type QuietFlag struct {
	Quiet bool `short:"q" help:"Print results only, and errors: nothing about progress."`
}

// Of is the session of a command, silent about progress where that is asked for.
func (f QuietFlag) Of(s *Session) *Session {
	if !f.Quiet {
		return s
	}
	silent := *s
	silent.Errout = io.Discard
	return &silent
}
