// Package console is what every command has of the world: input and output
// that nobody else's text can steer, flags, exit codes, signals, progress.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"semisplit/internal/printable"
)

// Exit codes, relied on by scripts.
const (
	ExitOK     = 0 // the command did what it was asked
	ExitFailed = 1 // it could not, or what it checked does not hold
	ExitUsage  = 2 // the command line was wrong

	ExitInterrupted = 130 // a signal cut it short
)

// Session is what a command may touch of the world. What it prints may hold
// names, moves and messages of anybody, so Out and Errout show no control
// character as it is.
type Session struct {
	Ctx     context.Context
	In      io.Reader
	Out     io.Writer
	Errout  io.Writer
	Fetch   RepositoryFlags // how games of repositories are fetched
	Learned KnowledgeFlags  // where what was learned of games is kept
	Tell    TellFlags       // how much is told beside results

	interruption *interruption // nil: no signal ends Ctx
}

// Data is the way past the cleaning of Out: for JSON and other data, and for
// drawings, which clean their names themselves and have colours.
func (s *Session) Data() io.Writer { return printable.Raw(s.Out) }

// Standard is the session of this process. complete tells afterwards whether
// all that was printed went out.
func Standard() (s *Session, complete func() error) {
	ctx, interruption := interruptible(os.Stderr)
	out := &output{w: os.Stdout}
	s = &Session{Ctx: ctx, In: os.Stdin, Out: os.Stdout, Errout: os.Stderr, interruption: interruption}
	if !IsTerminal(os.Stdout) { // which is never full, and is known as what it is
		s.Out = out
	}
	return s, out.err
}

// ErrQuiet makes the command fail without a further message: what there is
// to say has been printed.
var ErrQuiet = errors.New("failed")

// GlobalFlags are those of all commands.
type GlobalFlags struct {
	RepositoryFlags
	KnowledgeFlags
	TellFlags
}

// Set gives the session its flags.
func (s *Session) Set(f GlobalFlags) error {
	s.Fetch, s.Learned, s.Tell = f.RepositoryFlags, f.KnowledgeFlags, f.TellFlags
	return f.check()
}

// RepositoryFlags say how games of repositories are fetched, by any command.
type RepositoryFlags struct {
	Cache   string `type:"folder" env:"GGP_CACHE" placeholder:"FOLDER" help:"Where games of repositories are kept; default: ggp/games in the user's cache folder. \"none\" keeps nothing."`
	Offline bool   `env:"GGP_OFFLINE" help:"Ask no game repository: use what was fetched before."`
}

// Folder is that of the cache; empty for none.
func (f RepositoryFlags) Folder() string {
	switch f.Cache {
	case "none":
		return ""
	case "":
		if dir, err := os.UserCacheDir(); err == nil {
			return filepath.Join(dir, "ggp", "games")
		}
		return ""
	}
	return f.Cache
}

// KnowledgeFlags say where what was learned of games is kept, by any command.
type KnowledgeFlags struct {
	Knowledge string `type:"folder" env:"GGP_KNOWLEDGE" placeholder:"FOLDER" help:"Where what was learned of games is kept (see ggp learn); default: ggp/knowledge in the user's cache folder. \"none\": nothing is looked up."`
}

// Folder is that of the knowledge; empty for none.
func (f KnowledgeFlags) Folder() string {
	switch f.Knowledge {
	case "none":
		return ""
	case "":
		if dir, err := os.UserCacheDir(); err == nil {
			return filepath.Join(dir, "ggp", "knowledge")
		}
		return ""
	}
	return f.Knowledge
}

// ErrorLine bounds a line of an error, in bytes: it may quote what somebody
// sent.
const ErrorLine = 2000

func errorText(err error) string {
	lines := strings.Split(err.Error(), "\n")
	for i := range lines {
		lines[i] = printable.Text(lines[i], ErrorLine)
	}
	return strings.Join(lines, "\n")
}

// usageError is a command line that parses and makes no sense.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

// Usagef makes an error of a command line that makes no sense.
func Usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}
