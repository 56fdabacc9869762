// Command ggp is a general game player, the manager to play it against, and
// the tools to look into rules and engines.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	"semisplit/ggp/internal/console"
	"semisplit/internal/printable"
	"semisplit/reasoner/split"
)

// commands is the command line.
type commands struct {
	console.GlobalFlags

	Serve      serveCmd      `cmd:"" help:"Run the player: an HTTP server that game managers send matches to."`
	Match      matchCmd      `cmd:"" help:"Manage one match between players: over HTTP, in process, or at the terminal."`
	Web        webCmd        `cmd:"" help:"Play and watch in the browser: games, boards, what the player thinks, records."`
	Practice   practiceCmd   `cmd:"" help:"Play a whole match over HTTP on this machine: players, manager, live view."`
	Check      checkCmd      `cmd:"" help:"Read a description: diagnostics, roles, fluents, moves, circuit, speed."`
	Analyze    analyzeCmd    `cmd:"" help:"Think about a position: candidate moves, values, proven bounds, the best line, as they improve."`
	Explain    explainCmd    `cmd:"" help:"Choose a way to play a game as at the start of a match, and tell why."`
	Learn      learnCmd      `cmd:"" help:"Learn a game before it is played: evaluations, and which way to play is best."`
	Knowledge  knowledgeCmd  `cmd:"" help:"List what was learned of games, and move or forget it."`
	Bench      benchCmd      `cmd:"" help:"Measure random playouts from the initial state, on one thread."`
	Perf       perfCmd       `cmd:"" help:"The process interface of the gdl-perf framework."`
	Verify     verifyCmd     `cmd:"" help:"Replay recorded matches and report the first difference."`
	Experiment experimentCmd `cmd:"" help:"Play agents against baselines over games, and keep the results."`
	Compare    compareCmd    `cmd:"" help:"Tell which of two players is stronger, by a sequential test."`
	Tournament tournamentCmd `cmd:"" help:"Let players meet over games: standings, ratings, a page with every match."`
	jobCommands
	Report   reportCmd   `cmd:"" help:"Make tables and charts of experiments, and the report of a tournament."`
	Perfect  perfectCmd  `cmd:"" help:"Let agents choose in positions whose best moves are known."`
	Register registerCmd `cmd:"" help:"Make the player known to a server, and watch how the server sees it."`
	Record   recordCmd   `cmd:"" help:"Show match records again, and verify them: signature, form, and the rules of their game."`
	New      newCmd      `cmd:"" help:"Begin a game, a drawing, an agent or an experiment with a small example that works."`
	Games    gamesCmd    `cmd:"" help:"List the bundled games, or those of a repository, or show one."`
	Agents   agentsCmd   `cmd:"" help:"List the agents that come with the program, or show one."`
	Help     helpCmd     `cmd:"" help:"Describe a command, as --help does."`
	Man      manCmd      `cmd:"" help:"Print the manual page (ggp man | man -l -)."`

	Completion kongcompletion.Completion `cmd:"" help:"Say how a shell (bash, zsh, fish) completes commands, games and agents."`

	ShowBuild versionCmd `cmd:"" name:"version" help:"Print the version of this program."`

	Version kong.VersionFlag `help:"Print the version of this program."`
}

const description = `A general game player: it reads the rules of a game that it has never seen (GDL), makes them fast, searches, and answers legal moves in time.

Everywhere GAME is a bundled name (see "ggp games"), a path to a description, a folder with one, or a game of a repository, ROOT#KEY or ROOT#KEY/vN.

Try "ggp practice" for a match on this machine, "ggp serve" to be found by game managers.

Exit status: 0 done; 1 failed, or what was checked does not hold; 2 wrong command line; 130 interrupted.`

func main() {
	s, complete := console.Standard()
	code := run(s, os.Args[1:])
	if err := complete(); err != nil && code == console.ExitOK {
		fmt.Fprintf(os.Stderr, "ggp: the output is not complete: %v\n", err)
		code = console.ExitFailed
	}
	os.Exit(code)
}

// run is main without the process around it.
func run(s *console.Session, args []string) (code int) {
	s.Out, s.Errout = printable.Writer(s.Out), printable.Writer(s.Errout)
	config := new(console.Config)
	if !asksForHelp(args) { // help is there also where the file cannot be read
		var err error
		if config, err = console.ReadConfig(); err != nil {
			fmt.Fprintf(s.Errout, "ggp: %v\n", err)
			return console.ExitUsage
		}
	}
	var cli commands
	parser := newParser(&cli, s.Out, s.Errout, kong.Resolvers(config))
	defer func() {
		if r := recover(); r != nil {
			if r != any(errHelped) {
				panic(r)
			}
			code = console.ExitOK
		}
	}()
	completes(parser)
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(s.Errout, "ggp: %v\nTry \"ggp --help\" or \"ggp COMMAND --help\".\n", err)
		return console.ExitUsage
	}
	if err := s.Set(cli.GlobalFlags); err != nil {
		return s.Conclude(err)
	}
	begin := time.Now()
	err = parsed.Run(s)
	s.Log("text").Debug("done", "command", parsed.Command(), "took", time.Since(begin).Round(time.Millisecond), "memory", console.BytesText(console.PeakMemory()))
	return s.Conclude(err)
}

// asksForHelp tells whether a command line does nothing but print what there is to know.
func asksForHelp(args []string) bool {
	if len(args) == 0 || slices.Contains([]string{"help", "man", "version", "completion"}, args[0]) {
		return true
	}
	return slices.ContainsFunc(args, func(arg string) bool { return arg == "--help" || arg == "-h" || arg == "--version" })
}

// newParser reads command lines. After help or the version has been printed, it
// leaves by a panic with errHelped.
func newParser(cli *commands, out, errout io.Writer, more ...kong.Option) *kong.Kong {
	parser, err := kong.New(cli, append(append(console.FlagMappers(), more...),
		kong.Name("ggp"), kong.Description(description),
		kong.Writers(out, errout), kong.Vars{"version": version(), "plans": strings.Join(split.Names(), ",")},
		kong.Exit(func(int) { panic(errHelped) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)...)
	if err != nil {
		panic("BUG: command line: " + err.Error())
	}
	return parser
}

// errHelped leaves the parser after it has printed help.
var errHelped = errors.New("help was printed")
