package console

import (
	"io"
	"log/slog"

	"semisplit/internal/printable"
)

// TellFlags say how much a command tells beside its results, for every command.
// Where it is told, they are looked up in the session: see Notes and Log.
type TellFlags struct {
	Quiet   bool `short:"q" help:"Print results and errors only: nothing about progress, no notes, of the log its warnings."`
	Verbose bool `short:"v" help:"Tell more: of a match what the players in this process think, on standard error the log with every detail, and what the command took."`
}

// check refuses what makes no sense.
func (f TellFlags) check() error {
	if f.Quiet && f.Verbose {
		return Usagef("--quiet and --verbose contradict each other")
	}
	return nil
}

// Notes is where a command tells of progress, and what is good to know: standard
// error, or nowhere if it is to be quiet. Errors and warnings go to Errout.
func (s *Session) Notes() io.Writer {
	if s.Errout == nil || s.Tell.Quiet {
		return io.Discard
	}
	return s.Errout
}

// Log is the log of the command on standard error, as text or json: from warnings on
// if it is to be quiet, with every detail if it is to be verbose.
func (s *Session) Log(form string) *slog.Logger {
	if s.Errout == nil {
		return slog.New(slog.DiscardHandler)
	}
	return newLogger(s.Errout, form, s.level())
}

// LogBeside is Log for a command that cannot wait for whoever reads its log: lines that
// are not taken are left out. end is called when there is no more to log.
func (s *Session) LogBeside(form string) (log *slog.Logger, end func()) {
	if s.Errout == nil {
		return s.Log(form), func() {}
	}
	direct := s.Log(form)
	raw := printable.Raw(s.Errout)
	b := newBeside(raw, func(left int64) { direct.Warn("lines of the log were left out: nobody took them", "lines", left) })
	return newLoggerOn(b, form, s.level(), IsTerminal(raw)), b.close
}

func (s *Session) level() slog.Level {
	switch {
	case s.Tell.Quiet:
		return slog.LevelWarn
	case s.Tell.Verbose:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}
