// Package referee is the game manager: it runs one match over seats that are
// players on the wire, players in this process, or persons at a terminal.
package referee

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/protocol"
	"semisplit/reasoner"
)

// Config describes a match. The zero value of a field means its default.
type Config struct {
	Match string // id; a new one
	Game  string // name for the record
	// MetaURL is the address of the game in a repository, for the record; may
	// be empty.
	MetaURL string
	Rules   []kif.Term // the description, sent as it is
	// Machine referees the match; a prover made from Rules.
	Machine reasoner.Machine
	// Seats by role. The seat of a role called random may be nil, or missing
	// altogether: the referee then plays it, uniformly.
	Seats                 []Seat
	StartClock, PlayClock time.Duration
	// Grace is what is added to the clocks before a player counts as late:
	// 1 s as with other managers; negative: none.
	Grace time.Duration
	// Forgive lets the match begin without a player that cannot be reached for
	// START, or refuses it: that is a fault, as in any other turn.
	Forgive bool
	// Lead is a line of joint moves, in role order, that are played first, whatever the
	// players reply: see listener. Not after an Opening.
	Lead     [][]kif.Term
	Seed     uint64 // of replacement moves and of the random role
	MaxSteps int    // longer matches are aborted; DefaultMaxSteps
	// Opening are joint moves that lead to the state that the match begins with,
	// for the players as their initial one. They are in the record, and count as
	// steps.
	Opening [][]kif.Term
	// Observe is called from Run's goroutine: for the initial state, and
	// after each joint move.
	Observe func(Event)
	Log     *slog.Logger // nothing is logged without
}

// DefaultMaxSteps bounds matches of games without an end.
const DefaultMaxSteps = 1000

// DefaultGrace is what other managers allow beyond the clock.
const DefaultGrace = time.Second

// Event is a state that was reached, and how. In the initial state (Step 0)
// Moves is nil, and Faults and Elapsed are those of START.
type Event struct {
	Step     int // joint moves played
	Moves    []kif.Term
	Faults   []string        // by role: "", "TO", "CE" or "IL reply"
	Why      []error         // by role: what is known of the fault; nil where nothing is
	Elapsed  []time.Duration // by role: until the seat replied
	State    []kif.Term
	Terminal bool
	Goals    []int // of this state, by role
	// Record is that of the match so far. Who keeps it beyond the call copies
	// the struct: what was recorded stays, and only new entries are added.
	Record *protocol.Record
	// Notes say what else happened in the turn, in lines that name the player.
	Notes []string
	// Back is how many steps a person took back to come to this state; Moves are
	// then those that once led there.
	Back int
}

// Result is how a match ended.
type Result struct {
	Goals   []int // by role, 0 to 100; of the last state
	Steps   int
	Faults  [][]string      // by step and role
	Slowest []time.Duration // by role: the longest time to a reply to PLAY
	Aborted bool
	Reason  string           // why it was aborted
	Failed  []error          // by role: how the player failed, see failure; nil if it did not
	Record  *protocol.Record // nil if the match did not begin
}

// FaultCount is the number of faults of a role.
func (r Result) FaultCount(role int) int {
	n := 0
	for _, step := range r.Faults {
		if step[role] != "" {
			n++
		}
	}
	return n
}

// Run plays one match. It returns an error if the match could not begin, was
// cancelled, came to a state that the rules cannot handle, or was left by a
// person; the result then says how far it came. A match that exceeds MaxSteps
// is aborted without an error.
func Run(ctx context.Context, c Config) (Result, error) {
	stop := new(atomic.Bool)
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	m, err := begin(ctx, c, stop)
	if ctx.Err() != nil && err != nil {
		err = fmt.Errorf("cancelled: %w", context.Cause(ctx))
	}
	if err != nil {
		return Result{Aborted: true, Reason: err.Error()}, err
	}
	err = m.play(ctx)
	if err == nil && !m.result.Aborted {
		return m.result, m.record.Complete(m.result.Goals)
	}
	m.result.Aborted = true
	if err != nil {
		m.result.Reason = err.Error()
	}
	m.abort(ctx)
	if errors.Is(err, ErrStart) {
		m.result.Record = nil
		return m.result, err
	}
	return m.result, errors.Join(err, m.record.Abort())
}

// match is a match that is being played.
type match struct {
	Config
	board  *board.Board
	roles  []kif.Term
	seated []int // roles that have a seat
	random *rand.Rand
	last   []kif.Term // the last joint move
	lost   []lost     // by role

	courses []course // by role
	anew    int      // matches that were started anew at players
	past    []past   // by step
	opened  int      // steps of the opening
	record  *protocol.Record
	result  Result
}

func (m *match) play(ctx context.Context) error {
	if err := m.start(ctx); err != nil {
		return err
	}
	for !m.board.Terminal() {
		if err := context.Cause(ctx); err != nil {
			return fmt.Errorf("cancelled: %w", err)
		}
		if m.result.Steps >= m.MaxSteps { // there may be more in what the match begins with
			m.result.Aborted, m.result.Reason = true, fmt.Sprintf("no end after %d steps", m.MaxSteps)
			return nil
		}
		turn := m.step
		if m.result.Steps < len(m.Lead) {
			turn = m.lead
		}
		var undo *undoing
		err := turn(ctx)
		if errors.As(err, &undo) {
			err = m.takeBack(ctx, undo.role)
		}
		if err != nil {
			return err
		}
	}
	last := m.messages()
	tell(ctx, m, m.PlayClock+m.Grace, func(ctx context.Context, seat Seat, role int) (struct{}, error) {
		return struct{}{}, seat.Stop(ctx, last[role])
	})
	return nil
}

// messages tell each player the last joint move of its match. They are copies: a
// call that is given up may still be about to begin.
func (m *match) messages() []protocol.Play {
	list := make([]protocol.Play, len(m.roles))
	for role, c := range m.courses {
		list[role] = protocol.Play{Match: c.id, Moves: m.last, Received: time.Now()}
		if c.fresh {
			list[role].Moves = nil
		}
	}
	return list
}

// start tells all players the rules. One that is late is in the match all the
// same; one that cannot be reached, or refuses, ends it before it begins.
func (m *match) start(ctx context.Context) error {
	missing := func(role int, err error) error {
		if err == nil || m.Forgive || errors.Is(err, protocol.ErrTimeout) || errors.Is(err, protocol.ErrReply) {
			return nil
		}
		return fmt.Errorf("%w: %s: %w", ErrStart, m.player(role), err)
	}
	replies, err := m.startAt(ctx, m.seated, missing)
	if err != nil {
		return err
	}
	e := m.event(m.last, make([]string, len(m.roles)))
	for i, role := range m.seated {
		e.Faults[role], e.Elapsed[role], e.Why[role] = protocol.FaultOf(replies[i].Err), replies[i].Elapsed, replies[i].Err
		if replies[i].Err != nil {
			m.Log.Warn("start", "match", m.Match, "role", m.roles[role].Short(printable.LogLimit), "error", replies[i].Err)
		}
	}
	m.Observe(e)
	return nil
}

// step asks all players and plays the joint move.
func (m *match) step(ctx context.Context) error {
	for role := range m.roles {
		if err := m.movable(ctx, role); err != nil {
			return err
		}
	}
	steps := m.result.Steps // a late call may look after this step
	left := func(role int, err error) error {
		switch {
		case errors.Is(err, ErrUndo):
			return &undoing{role}
		case errors.Is(err, ErrResigned):
			return fmt.Errorf("%s resigned after %s: %w", m.player(role), words.Count(steps, "step", "steps"), err)
		case errors.Is(err, ErrLeft):
			return fmt.Errorf("%s left after %s: %w", m.player(role), words.Count(steps, "step", "steps"), err)
		}
		return nil
	}
	replies, err := m.ask(ctx, m.seated, left)
	if err != nil {
		return err
	}
	notes, err := m.askAgain(ctx, replies, left)
	if err != nil {
		return err
	}
	faults := make([]string, len(m.roles))
	elapsed := make([]time.Duration, len(m.roles))
	why := make([]error, len(m.roles))
	paths := make([][]uint32, len(m.roles))
	for i, role := range m.seated {
		elapsed[role] = replies[i].Elapsed
		m.result.Slowest[role] = max(m.result.Slowest[role], elapsed[role])
		paths[role], faults[role], why[role] = m.accept(role, replies[i])
		m.lost[role].count(faults[role], why[role])
		m.result.Failed[role] = m.lost[role].failure(m.player(role))
		if m.lost[role].row == failedRow {
			notes = append(notes, fmt.Sprintf("%s has failed in %d turns in a row: random moves take the place of its own", m.player(role), failedRow))
		}
		if faults[role] != "" {
			m.Log.Warn("move replaced", "match", m.Match, "step", m.result.Steps, "role", m.roles[role].Short(printable.LogLimit),
				"fault", faults[role], "error", why[role])
		}
	}
	for role := range m.roles {
		if paths[role] == nil {
			var ok bool
			if paths[role], ok = m.board.Random(role, m.random); !ok {
				return cmp.Or(m.movable(ctx, role), fmt.Errorf("%w: no legal move of %v was found after %d steps", ErrRules, m.roles[role], m.result.Steps))
			}
		}
	}
	return m.turn(paths, faults, why, elapsed, notes)
}

// turn plays a joint move, and tells of it.
func (m *match) turn(paths [][]uint32, faults []string, why []error, elapsed []time.Duration, notes []string) error {
	var joint []uint32
	moves := make([]kif.Term, len(m.roles))
	for role := range m.roles {
		moves[role] = m.Machine.Move(role, paths[role])
		joint = append(joint, paths[role]...)
	}
	if err := m.board.Moved(joint); err != nil {
		return fmt.Errorf("%w after %v: %w", ErrRules, kif.List(moves...), err)
	}
	e := m.moved(moves, faults)
	e.Why, e.Elapsed, e.Notes = why, elapsed, notes
	if err := m.record.Turn(moves, faults, e.State, time.Now()); err != nil {
		return err
	}
	m.Observe(e)
	return nil
}

// ask asks roles for their moves; the results are in their order.
func (m *match) ask(ctx context.Context, roles []int, fatal func(role int, err error) error) ([]protocol.Result[kif.Term], error) {
	asks := m.messages()
	return gather(ctx, m, roles, m.PlayClock+m.Grace, fatal, func(ctx context.Context, seat Seat, role int) (kif.Term, error) {
		return seat.Play(ctx, asks[role])
	})
}

// accept is the path of a legal reply; no path and a fault for any other, and
// what more is known of it. A move in another spelling than that of the rules
// is illegal.
func (m *match) accept(role int, r protocol.Result[kif.Term]) ([]uint32, string, error) {
	if r.Err != nil {
		return nil, protocol.FaultOf(r.Err), r.Err
	}
	path, ok := m.board.Find(role, r.Value)
	if ok && kif.Equal(m.Machine.Move(role, path), r.Value) {
		return path, "", nil
	}
	var why error
	if isBusy(r.Value) {
		why = ErrBusy
	}
	return nil, protocol.FaultIllegal(r.Value.String()), why
}

// moved counts a step that was played.
func (m *match) moved(moves []kif.Term, faults []string) Event {
	m.last = moves
	m.result.Steps++
	m.result.Faults = append(m.result.Faults, faults)
	m.result.Goals = m.board.Goals()
	for role := range m.courses {
		m.courses[role].fresh = false
	}
	m.remember()
	return m.event(moves, faults)
}

func (m *match) event(moves []kif.Term, faults []string) Event {
	return Event{
		Step: m.result.Steps, Moves: moves, Faults: faults,
		Why: make([]error, len(m.roles)), Elapsed: make([]time.Duration, len(m.roles)),
		State: m.board.Fluents(), Terminal: m.board.Terminal(), Goals: m.result.Goals,
		Record: m.record,
	}
}

// abort tells all players, even when ctx has ended.
func (m *match) abort(ctx context.Context) {
	ids := m.ids()
	tell(context.WithoutCancel(ctx), m, time.Second, func(ctx context.Context, seat Seat, role int) (struct{}, error) {
		return struct{}{}, seat.Abort(ctx, ids[role])
	})
}

// tell is gather for what needs no answer.
func tell(ctx context.Context, m *match, limit time.Duration, ask func(ctx context.Context, seat Seat, role int) (struct{}, error)) {
	_, _ = gather(ctx, m, m.seated, limit, func(int, error) error { return nil }, ask)
}

// gather asks the seats of roles at once; the results are in their order. A
// seat in this process that panics has lost its connection. An error of a
// seat which fatal makes an error of the match is returned at once, without
// waiting for the others.
func gather[T any](
	ctx context.Context, m *match, roles []int, limit time.Duration,
	fatal func(role int, err error) error, ask func(ctx context.Context, seat Seat, role int) (T, error),
) ([]protocol.Result[T], error) {
	asking, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	replies := protocol.Gather(asking, len(roles), limit, func(ctx context.Context, i int) (answer T, err error) {
		role := roles[i]
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%w: panic: %v", protocol.ErrConnection, r)
			}
			if end := fatal(role, err); end != nil {
				giveUp(end)
			}
		}()
		return ask(ctx, m.Seats[role], role)
	})
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("cancelled: %w", err)
	}
	return replies, context.Cause(asking)
}

// movable fails if a role has no legal move.
func (m *match) movable(ctx context.Context, role int) error {
	found, all := m.board.List(role, 1)
	switch {
	case len(found) > 0:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("cancelled: %w", context.Cause(ctx))
	case !all:
		return fmt.Errorf("%w: no legal move of %v was found after %d steps: too many beginnings of moves lead nowhere", ErrRules, m.roles[role], m.result.Steps)
	}
	return fmt.Errorf("%w: %v has no legal move after %d steps", ErrRules, m.roles[role], m.result.Steps)
}
