package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/player/agent"
	"semisplit/player/arena"
	"semisplit/player/tournament"
)

// tournamentCmd plays a tournament.
type tournamentCmd struct {
	Players []string `arg:"" predictor:"player" help:"The tournament (SPEC.json, see docs/tournaments.md); or its players: agents (presets or files), URLs of players, or command:COMMAND, which starts a player of others for each match; {port} stands for its port."`

	Games      []string      `predictor:"game" placeholder:"GAME,..." help:"Bundled names, or paths to descriptions. This and what follows up to --seed is for a tournament without a file."`
	Rounds     int           `default:"1" help:"Rounds."`
	Format     string        `default:"round robin" help:"Who meets whom: \"round robin\", \"swiss\" or \"rating\"."`
	Play       time.Duration `default:"1" help:"Time for each move."`
	Start      time.Duration `default:"5" help:"Time before the first move."`
	Iterations *int          `placeholder:"N" help:"Iterations for each move, in place of time: the same result everywhere, but for agents that learn evaluations."`
	Opening    int           `help:"Random joint moves at the start of each match, the same for those who meet."`
	Proof      bool          `help:"End matches with the goals that the search of an agent has proven."`
	Length     int           `help:"End matches level after so many joint moves."`
	Seed       uint64        `default:"1" help:"Seed of everything random."`

	DB    string `type:"path" placeholder:"FILE" help:"Database of the matches; default: beside the spec, or tournament.db. A tournament that was stopped goes on with it."`
	Out   string `type:"path" placeholder:"FOLDER" help:"Folder of the report; default: beside the database."`
	Again bool   `help:"Play again what has failed."`
	fieldFlags
}

// withoutFile are the flags that say what a file says otherwise.
var withoutFile = []string{"games", "rounds", "format", "play", "start", "iterations", "opening", "proof", "length", "seed"}

func (c *tournamentCmd) Run(s *console.Session, given *kong.Context) error {
	spec, dir, base, err := c.spec(given)
	if err != nil {
		return err
	}
	plan, err := tournament.Read(spec, dir, func(name string) (games.Game, error) { return load.Game(s, name) })
	if err != nil {
		return err
	}
	c.DB = cmp.Or(c.DB, base+".db")
	c.Out = cmp.Or(c.Out, strings.TrimSuffix(c.DB, filepath.Ext(c.DB))+"-report")
	store, err := tournament.Create(c.DB)
	if err != nil {
		return err
	}
	return errors.Join(c.play(s, plan, store), store.Close())
}

// spec is that of the file, or what the flags describe. base is the path of its files
// without an ending.
func (c *tournamentCmd) spec(given *kong.Context) (spec tournament.Spec, dir, base string, err error) {
	if c.Iterations != nil && *c.Iterations < 1 {
		return spec, "", "", console.Usagef("--iterations: must be above 0")
	}
	if len(c.Players) == 1 {
		path := c.Players[0]
		for _, part := range given.Path { // what a configuration file says for all tournaments is no part of it
			if part.Flag != nil && !part.Resolved && slices.Contains(withoutFile, part.Flag.Name) {
				return spec, "", "", console.Usagef("a tournament has two players at least, or one file that names them: with %s, --%s has no place", path, part.Flag.Name)
			}
		}
		spec, dir, err = tournament.LoadSpec(path)
		return spec, dir, strings.TrimSuffix(path, filepath.Ext(path)), err
	}
	if len(c.Games) == 0 {
		return spec, "", "", console.Usagef("--games names the games of a tournament without a file")
	}
	spec = tournament.Spec{
		Name: "tournament", Format: c.Format, Rounds: c.Rounds, Seed: c.Seed, Opening: tournament.Opening{Plies: c.Opening},
		Adjudicate: tournament.Adjudicate{Proof: c.Proof, Length: c.Length},
		Setting:    arena.Setting{Kind: arena.Timed, Seconds: c.Play.Seconds(), Start: c.Start.Seconds()},
	}
	if c.Iterations != nil {
		spec.Setting = arena.Setting{Kind: arena.Iterations, Iterations: *c.Iterations}
	}
	for _, game := range c.Games {
		spec.Games = append(spec.Games, arena.GameEntry{Game: game})
	}
	for i, player := range c.Players {
		entry, err := sideEntry(fmt.Sprintf("player %d", i+1), player)
		if err != nil {
			return spec, "", "", err
		}
		entry.Label = "" // an agent has its own name
		spec.Players = append(spec.Players, entry)
	}
	if err := spec.Check(); err != nil {
		return spec, "", "", console.Usagef("%v", err)
	}
	return spec, ".", "tournament", nil
}

func (c *tournamentCmd) play(s *console.Session, plan *tournament.Plan, store *tournament.Store) error {
	if err := store.Check(plan); err != nil { // before anything of another one is touched
		return err
	}
	if c.Again {
		n, err := store.ForgetFailures()
		if err != nil {
			return err
		}
		fmt.Fprintf(s.Notes(), "played again: %s\n", words.Count(int(n), "failed match", "failed matches"))
	}
	base := strings.TrimSuffix(c.DB, filepath.Ext(c.DB))
	peers := plan.Peers()
	worker := &tournament.Worker{Peers: peers}
	if len(peers) > 0 {
		worker.Logs = base + "-logs"
	}
	defer func() { _ = worker.Close() }() // temporary files
	s.NeedsToEnd(timeToStop)
	log := s.Log("text")
	f, err := c.open(s.Ctx, log, base+"-queue", func(cores int) int { return cores / threadsOf(plan) }, len(peers) > 0, worker.Handlers())
	if err != nil {
		return err
	}
	show := &tournamentView{out: s.Out, labels: plan.Labels()}
	if s.Tell.Quiet {
		show.out = io.Discard
	}
	err = plan.Run(s.Ctx, store, tournament.Options{
		Field: f, Ahead: f.ahead(), Progress: show.progress,
		Log: func(what, text string) {
			fmt.Fprintf(s.Errout, "%s: %s\n", what, printable.Text(text, console.ErrorLine))
		},
	})
	if err != nil {
		f.close()
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("stopped: what was played is in %s; the same command goes on", c.DB)
		}
		return err
	}
	run, err := store.Run()
	if err == nil {
		err = f.finish(s.Ctx, run)
	}
	if err != nil {
		return err
	}
	report, err := tournament.Summarize(store)
	if err != nil {
		return err
	}
	if err := report.Markdown(s.Out, nil); err != nil {
		return err
	}
	page, err := writeTournament(report, store, c.Out, "svg")
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "\n%s\n", page)
	if n := report.Standings.Failed; n > 0 {
		return fmt.Errorf("%s failed; --again tries again", words.Count(n, "match", "matches"))
	}
	return nil
}

// threadsOf are the most threads of an agent.
func threadsOf(plan *tournament.Plan) int {
	threads := 1
	for _, p := range plan.Players {
		if p.Agent == nil {
			continue
		}
		var a agent.Agent
		if err := json.Unmarshal(p.Agent, &a); err == nil {
			threads = max(threads, a.General.Threads)
		}
	}
	return threads
}

// tournamentView tells how a tournament goes.
type tournamentView struct {
	out    io.Writer
	labels []string  // of the players
	last   time.Time // that the standings were shown
}

// standingsEvery is how often running standings are shown, and leaders how many of them.
const (
	standingsEvery = 10 * time.Second
	leaders        = 8
)

func (v *tournamentView) progress(p tournament.Progress) {
	if p.Match == nil {
		fmt.Fprintf(v.out, "%d of %d matches\n", p.Done, p.Total)
		return
	}
	m := p.Match
	var seats []string
	for _, who := range m.Seats {
		if who != tournament.Chance {
			seats = append(seats, v.labels[who])
		}
	}
	outcome := strings.Trim(fmt.Sprint(m.Goals), "[]")
	switch {
	case m.Error != "":
		line, _, _ := strings.Cut(m.Error, "\n")
		outcome = "failed: " + line
	case m.Ended != tournament.ByRules:
		outcome += " by " + m.Ended
	}
	text := fmt.Sprintf("%d of %d  %s  %s: %s", p.Done, p.Total, m.Game, strings.Join(seats, " - "), outcome)
	fmt.Fprintln(v.out, printable.Text(text, console.ErrorLine))
	if time.Since(v.last) < standingsEvery && p.Done < p.Total {
		return
	}
	v.last = time.Now()
	st := p.Standings() // which takes time: ratings are fitted to all matches
	for place, who := range st.Order[:min(len(st.Order), leaders)] {
		l := st.Lines[who]
		fmt.Fprintf(v.out, "    %d. %s  %.1f of %d  %s\n", place+1, printable.Text(st.Labels[who], console.ShownText), l.Points, l.Contests, tournament.Elo(l.Rating))
	}
}
