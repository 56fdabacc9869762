// Command ggp is a general game player, the manager to play it against, and
// the tools to look into rules and engines.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// Exit codes, relied on by scripts.
const (
	exitOK     = 0 // the command did what it was asked
	exitFailed = 1 // it could not, or what it checked does not hold
	exitUsage  = 2 // the command line was wrong
)

// commands is the command line.
type commands struct {
	repositoryFlags

	Serve      serveCmd      `cmd:"" help:"Run the player: an HTTP server that game managers send matches to."`
	Match      matchCmd      `cmd:"" help:"Manage one match between players: over HTTP, in process, or at the terminal."`
	Practice   practiceCmd   `cmd:"" help:"Play a whole match over HTTP on this machine: players, manager, live view."`
	Check      checkCmd      `cmd:"" help:"Read a description: diagnostics, roles, fluents, moves, circuit, speed."`
	Explain    explainCmd    `cmd:"" help:"Choose a way to play a game as at the start of a match, and tell why."`
	Bench      benchCmd      `cmd:"" help:"Measure random playouts from the initial state, on one thread."`
	Perf       perfCmd       `cmd:"" help:"The process interface of the gdl-perf framework."`
	Verify     verifyCmd     `cmd:"" help:"Replay recorded matches and report the first difference."`
	Experiment experimentCmd `cmd:"" help:"Play agents against baselines over games, and keep the results."`
	Report     reportCmd     `cmd:"" help:"Make tables and charts of experiments."`
	Register   registerCmd   `cmd:"" help:"Make the player known to a server, and watch how the server sees it."`
	Record     recordCmd     `cmd:"" help:"Verify match records: signature, form, and the rules of their game."`
	Games      gamesCmd      `cmd:"" help:"List the bundled games, or those of a repository."`
	Agents     agentsCmd     `cmd:"" help:"List the agents that come with the program, or show one."`
}

const description = `A general game player: it reads the rules of a game that it has never seen (GDL), makes them fast, searches, and answers legal moves in time.

Everywhere GAME is a bundled name (see "ggp games"), a path to a description, a folder with one, or a game of a repository, ROOT#KEY or ROOT#KEY/vN.

Try "ggp practice" for a match on this machine, "ggp serve" to be found by game managers.

Exit status: 0 done; 1 failed, or what was checked does not hold; 2 wrong command line.`

// session is what a command may touch of the world.
type session struct {
	ctx    context.Context
	in     io.Reader
	out    io.Writer
	errout io.Writer
	fetch  repositoryFlags // how games of repositories are fetched
}

// errQuiet makes the command fail without a further message: what there is
// to say has been printed.
var errQuiet = errors.New("failed")

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	code := run(&session{ctx: ctx, in: os.Stdin, out: os.Stdout, errout: os.Stderr}, os.Args[1:])
	cancel()
	os.Exit(code)
}

// run is main without the process around it.
func run(s *session, args []string) (code int) {
	var cli commands
	helped := false
	parser, err := kong.New(&cli,
		kong.Name("ggp"), kong.Description(description),
		kong.Writers(s.out, s.errout),
		kong.Exit(func(int) { helped = true; panic(errHelped) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		panic("BUG: command line: " + err.Error())
	}
	defer func() {
		if r := recover(); r != nil {
			if helped && r == any(errHelped) {
				code = exitOK
				return
			}
			panic(r)
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(s.errout, "ggp: %v\nTry \"ggp --help\" or \"ggp COMMAND --help\".\n", err)
		return exitUsage
	}
	s.fetch = cli.repositoryFlags
	if err := parsed.Run(s); err != nil {
		if !errors.Is(err, errQuiet) {
			fmt.Fprintf(s.errout, "ggp: %v\n", err)
		}
		var usage *usageError
		if errors.As(err, &usage) {
			return exitUsage
		}
		return exitFailed
	}
	return exitOK
}

// errHelped leaves the parser after it has printed help.
var errHelped = errors.New("help was printed")

// usageError is a command line that parses and makes no sense.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}
