package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"semisplit/internal/words"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/peer"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/reasoner"
)

// peerError says what a player of others did, for which a play is left out.
type peerError struct{ error }

func (e *peerError) Unwrap() error { return e.error }

// checkHTTP tells why the matches of the plan cannot be played over HTTP.
func (r *runner) checkHTTP() error {
	for _, c := range r.plan.contenders() {
		if err := r.checkContender(c); err != nil {
			return fmt.Errorf("player %s: %w", c.Label, err)
		}
	}
	return nil
}

func (r *runner) checkContender(c Contender) error {
	switch {
	case c.Peer == nil && r.options.Serve == nil:
		return errors.New("there is no command that serves agents")
	case c.Peer == nil:
		return nil
	case c.Peer.URL != "":
		for _, g := range r.plan.Games {
			if len(g.players) > 2 {
				return fmt.Errorf("a player at an address has one seat, and %s has several for each side: name a command", g.Label)
			}
		}
		return nil
	}
	command, err := c.Peer.Start()
	return cmp.Or(err, command.Check())
}

// Start is the command that starts the player, with the variables of the environment.
func (p *Peer) Start() (peer.Command, error) {
	if len(p.Command) == 0 {
		return peer.Command{}, errors.New(`it has neither "url" nor "command" in the spec, and no --peer NAME=COMMAND`)
	}
	c := peer.Command{Dir: p.dir}
	for _, word := range p.Command {
		word, err := expand(word)
		if err != nil {
			return c, err
		}
		c.Args = append(c.Args, word)
	}
	return c, nil
}

// confinement tells about the cores of the sides, for the report.
func (r *runner) confinement() string {
	if !r.confined {
		return "the sides share all cores, since there are too few or the system keeps no process on some of them"
	}
	text := fmt.Sprintf("each side on %s of its own", words.Count(r.plan.Spec.Cores, "core", "cores"))
	if r.plan.hasAddress() {
		text += ", but for the player at an address"
	}
	return text
}

// matchHTTP plays one match between processes that are new, and adds its
// outcome.
func (r *runner) matchHTTP(ctx context.Context, j job, sides local.Seating, p *Play) error {
	s := j.series
	machine, err := s.game.machines.ForAgent(ctx, agent.Default(), reasoner.Variant{Engine: agent.EngineProver})
	if err != nil {
		return err
	}
	client := protocol.NewClient(protocol.ClientOptions{})
	seats := make([]referee.Seat, len(sides))
	for role, who := range sides {
		if who == local.Chance {
			continue
		}
		remote, stop, err := r.serve(ctx, j, who, role)
		if err != nil {
			return err
		}
		defer stop()
		seats[role] = referee.HTTP(client, remote)
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	o := observer{series: s, sides: sides, play: p, most: *r.plan.Spec.PeerFaults, giveUp: giveUp}
	config := referee.Config{
		Game: s.game.Label, Rules: s.game.rules, Machine: machine, Seats: seats, Forgive: true, Grace: r.grace,
		StartClock: duration(s.setting.Start), PlayClock: duration(s.setting.Seconds),
		Seed: p.Seed, MaxSteps: r.plan.Spec.Turns, Observe: o.observe,
	}
	ended := r.showConfig(s, &config, sides)
	result, err := referee.Run(ctx, config)
	ended(err)
	if left, ok := errors.AsType[*peerError](context.Cause(ctx)); ok {
		return left
	}
	if err == nil && result.Aborted {
		err = errors.New(result.Reason)
	}
	if err != nil {
		return err
	}
	p.score(sides, result.Goals)
	p.Turns += result.Steps
	return nil
}

// observer notes how long the players took, and their faults, and gives a match
// up in which a player of others has too many.
type observer struct {
	series *series
	sides  local.Seating
	play   *Play
	most   int
	giveUp context.CancelCauseFunc
}

func (o *observer) observe(e referee.Event) {
	efforts := [2]*local.Effort{&o.play.AgentEffort, &o.play.BaseEffort}
	for role, who := range o.sides {
		if who == local.Chance {
			continue
		}
		faults := &o.play.Faults[who]
		faults.add(e.Step, e.Faults[role])
		if e.Step > 0 {
			efforts[who].Join(local.Effort{Moves: 1, Time: e.Elapsed[role], Longest: e.Elapsed[role]})
		}
		if c := o.series.sides()[who]; c.Peer != nil && faults.Turns() > o.most {
			o.giveUp(&peerError{fmt.Errorf("%s was at fault in more than %s: %d late, %d lost, %d illegal", c.Label,
				words.Count(o.most, "turn", "turns"), faults.Late, faults.Lost, faults.Illegal)})
		}
	}
}

// serve starts who plays a role, if it is no player at an address.
func (r *runner) serve(ctx context.Context, j job, who, role int) (remote protocol.Remote, stop func(), err error) {
	c := j.series.sides()[who]
	if c.Peer != nil && c.Peer.URL != "" {
		remote, err = protocol.ParseRemote(c.Peer.URL)
		return remote, func() {}, err
	}
	command, remove, err := r.command(c)
	if err != nil {
		return remote, nil, fmt.Errorf("%s: %w", c.Label, err)
	}
	command.Own, command.Wait = j.own[who], r.wait
	if key := j.series.key; r.options.Logs != "" {
		command.Log = filepath.Join(r.options.Logs, fileName(key.Game), fileName(fmt.Sprintf("%s, %s, %s, %d, %s %d.log",
			key.Setting, key.Agent, key.Baseline, j.number, c.Label, role)))
	}
	p, err := peer.Start(ctx, command)
	if err != nil {
		remove()
		if err = fmt.Errorf("%s: %w", c.Label, err); c.Peer != nil && ctx.Err() == nil && !errors.Is(err, peer.ErrOwn) {
			err = &peerError{err}
		}
		return remote, nil, err
	}
	return p.Remote, func() {
		p.Stop()
		remove()
	}, nil
}

// command starts a player. remove removes its agent file.
func (r *runner) command(c Contender) (command peer.Command, remove func(), err error) {
	remove = func() {}
	if c.Peer != nil {
		command, err = c.Peer.Start()
		return command, remove, err
	}
	if c.Agent.General.Threads == 0 {
		c.Agent.General.Threads = r.plan.Spec.Cores
	}
	text, err := json.Marshal(c.Agent)
	if err != nil {
		return command, nil, err
	}
	file, err := os.CreateTemp("", "agent-*.json")
	if err != nil {
		return command, nil, err
	}
	remove = func() { _ = os.Remove(file.Name()) }
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		remove()
		return command, nil, err
	}
	return r.options.Serve(file.Name()), remove, nil
}

var notInFileNames = regexp.MustCompile(`[^\pL\pN._ ,=-]`)

// fileName is a text as the name of a file.
func fileName(text string) string {
	text = notInFileNames.ReplaceAllString(text, "_")
	return cmp.Or(strings.TrimLeft(text[max(0, len(text)-200):], "."), "_")
}
