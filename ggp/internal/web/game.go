package web

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/internal/guard"
	"semisplit/kif"
	"semisplit/player/agent"
	matchboard "semisplit/player/board"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/prover"
)

// game is a description, and what was made of it so far.
type game struct {
	Key    string // in addresses
	Pasted bool
	games.Game

	limits reasoner.Limits
	within time.Duration

	once sync.Once
	done chan struct{} // closed when read is through; then these are set
	readGame

	mu   sync.Mutex
	fast *fastMachine // nil: nobody has asked for it lately
}

// readGame is what reading gives.
type readGame struct {
	diagnostics gdl.Diagnostics
	program     *gdl.Program // nil: it cannot be played
	machine     reasoner.Machine
	roles       []string
	initial     []kif.Term
	possible    []kif.Term // fluents that may come to hold
	drawing     *board.Drawing
	problem     string // why it cannot be played, or drawn as it wants to be
}

// pastedLimits are those of what visitors bring: less than a quarter of the usual ones.
var pastedLimits = reasoner.Limits{
	Prover: prover.Limits{Facts: 5_000_000, Terms: 300_000, Size: prover.DefaultLimits.Size, Depth: prover.DefaultLimits.Depth, State: 1 << 17, Moves: 1 << 13},
	Ground: ground.Limits{Instances: 3_000_000, Atoms: 1_000_000, Gates: 2_000_000, Bytes: 512 << 20},
}

func newGame(key string, g games.Game, pasted bool, within time.Duration) *game {
	one := &game{Key: key, Pasted: pasted, Game: g, limits: reasoner.DefaultLimits, within: within, done: make(chan struct{})}
	if pasted {
		one.limits = pastedLimits
	}
	return one
}

// errTooLong is for rules that take longer to be read than a visitor may ask for.
var errTooLong = errors.New("reading these rules takes too long")

// reading is how many games are read at a time: it takes a processor each.
var reading = newSlots(2)

// read reads the game, once, and waits for that. Rules that are deaf to the end of
// their time are left behind.
func (g *game) read(ctx context.Context) error {
	g.once.Do(func() {
		go func() {
			defer close(g.done)
			reading <- struct{}{}
			defer reading.give()
			if err := guard.Run(g.make); err != nil {
				g.problem = err.Error()
			}
		}()
	})
	timer := time.NewTimer(g.within + time.Second)
	defer timer.Stop()
	select {
	case <-g.done:
		return nil
	case <-timer.C:
		return errTooLong
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *game) make() error {
	ctx, cancel := context.WithTimeout(context.Background(), g.within)
	defer cancel()
	program, diagnostics := reasoner.Read(g.Rules)
	g.diagnostics = diagnostics
	if g.Drawing != "" {
		var err error
		if g.drawing, err = board.Parse(g.Drawing); err != nil {
			g.problem = fmt.Sprintf("the drawing file: %v; the board is drawn without it", err)
		}
	}
	if program == nil {
		return errors.New("the rules cannot be played")
	}
	machine, err := reasoner.Build(ctx, program, reasoner.Variant{Engine: agent.EngineProver}, g.limits)
	if err != nil {
		return err
	}
	stop := new(atomic.Bool)
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	b, err := matchboard.New(machine, 1, stop)
	if err != nil {
		return fmt.Errorf("the initial state: %w", err)
	}
	for _, role := range machine.Roles() {
		g.roles = append(g.roles, role.String())
	}
	g.initial, g.possible, g.machine, g.program = b.Fluents(), program.Fluents(), machine, program
	return nil
}

// playable tells why a game that was read cannot be played; nil: it can.
func (g *game) playable() error {
	if g.program == nil {
		return fmt.Errorf("%s cannot be played: %s", g.Title, g.problem)
	}
	return nil
}

// options say how states are drawn.
func (g *game) options() board.Options {
	if g == nil {
		return board.Options{}
	}
	return board.Options{Drawing: g.drawing, Frame: g.initial, Possible: g.possible}
}

// fastMachine is the machine for searches, made when it is first asked for.
type fastMachine struct {
	done    chan struct{} // closed when it is made, or cannot be
	machine reasoner.Machine
	err     error
}

// compileLimit bounds the making of a quick machine, without which the prover plays on.
const compileLimit = 2 * time.Minute

// compiling is how many of them are made at a time: each takes a processor and up to some
// hundred megabytes.
var compiling = newSlots(2)

// quick begins to make the quickest machine, unless that is done.
func (g *game) quick() *fastMachine {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fast != nil {
		return g.fast
	}
	f := &fastMachine{done: make(chan struct{})}
	g.fast = f
	go func() {
		defer close(f.done)
		compiling <- struct{}{}
		defer compiling.give()
		if !g.wants(f) {
			return
		}
		f.err = guard.Run(func() (err error) {
			ctx, cancel := context.WithTimeout(context.Background(), compileLimit)
			defer cancel()
			a := agent.Default()
			f.machine, err = machines.NewCache(g.program, g.limits).ForAgent(ctx, a, a.Variant())
			return err
		})
	}()
	return f
}

// wants tells whether a quick machine has not been forgotten.
func (g *game) wants(f *fastMachine) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.fast == f
}

// forget frees the quick machine, unless somebody still thinks on it.
func (g *game) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fast = nil
}

// quickest is the best machine that is ready, or the one that somebody has had of it.
func (g *game) quickest(had reasoner.Machine) reasoner.Machine {
	g.mu.Lock()
	f := g.fast
	g.mu.Unlock()
	if f != nil {
		select {
		case <-f.done:
			if f.err == nil && f.machine != nil {
				return f.machine
			}
		default:
		}
	}
	if had != nil {
		return had
	}
	return g.machine
}
