package referee

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/protocol"
	"semisplit/reasoner"
)

// begin makes a match ready: its machine, seats, opening and record.
func begin(ctx context.Context, c Config, stop *atomic.Bool) (*match, error) {
	if c.Match == "" {
		c.Match = fmt.Sprintf("match.%016x", rand.Uint64())
	}
	switch {
	case c.Grace == 0:
		c.Grace = DefaultGrace
	case c.Grace < 0:
		c.Grace = 0
	}
	if c.MaxSteps <= 0 {
		c.MaxSteps = DefaultMaxSteps
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	if c.Machine == nil {
		program, diagnostics := reasoner.Analyze(c.Rules)
		if err := diagnostics.Err(); err != nil {
			return nil, fmt.Errorf("rules: %w", err)
		}
		machine, err := reasoner.Build(ctx, program, reasoner.Variant{Engine: "prover"}, reasoner.DefaultLimits)
		if err != nil {
			return nil, err
		}
		c.Machine = machine
	}
	m := &match{Config: c, roles: c.Machine.Roles(), random: rand.New(rand.NewPCG(c.Seed, 3))}
	if err := m.assign(); err != nil {
		return nil, err
	}
	b, err := board.New(c.Machine, c.Seed, stop)
	if err != nil {
		return nil, fmt.Errorf("%w: the initial state: %w", ErrRules, err)
	}
	m.board = b
	m.lost = make([]lost, len(m.roles))
	m.result = Result{
		Goals: b.Goals(), Slowest: make([]time.Duration, len(m.roles)), Failed: make([]error, len(m.roles)), Record: m.newRecord(),
	}
	m.record, m.courses = m.result.Record, make([]course, len(m.roles))
	if err := m.record.Begin(b.Fluents(), time.Now()); err != nil {
		return nil, err
	}
	m.remember()
	return m, m.open()
}

// open plays the opening.
func (m *match) open() error {
	for i, moves := range m.Opening {
		if err := m.board.Play(moves); err != nil {
			return fmt.Errorf("step %d of the opening: %w", i+1, err)
		}
		faults := make([]string, len(m.roles))
		m.moved(moves, faults)
		if err := m.record.Turn(moves, faults, m.board.Fluents(), time.Now()); err != nil {
			return err
		}
	}
	if m.opened = len(m.Opening); m.opened > 0 && m.board.Terminal() {
		return fmt.Errorf("the match is over after the %d steps of its opening", m.opened)
	}
	return nil
}

// remember keeps the state for who takes moves back.
func (m *match) remember() {
	m.past = append(m.past, past{slices.Clone(m.board.State()), m.last})
}

// assign gives each role its seat, and the role random none if there is one
// seat less than roles for each of them.
func (m *match) assign() error {
	chance := 0
	for _, role := range m.roles {
		if board.IsChance(role) {
			chance++
		}
	}
	given := m.Seats
	m.Seats = make([]Seat, len(m.roles))
	if len(given) != len(m.roles) && len(given) != len(m.roles)-chance {
		return fmt.Errorf("%d players for %d roles (%v)", len(given), len(m.roles), kif.List(m.roles...))
	}
	next := 0
	for i, role := range m.roles {
		if board.IsChance(role) && len(given) != len(m.roles) {
			continue
		}
		if m.Seats[i] = given[next]; m.Seats[i] == nil && !board.IsChance(role) {
			return fmt.Errorf("no player for role %v", role)
		}
		if next++; m.Seats[i] != nil {
			m.seated = append(m.seated, i)
		}
	}
	return nil
}

func (m *match) newRecord() *protocol.Record {
	roles, names := make([]string, len(m.roles)), make([]string, len(m.roles))
	human := make([]bool, len(m.roles))
	for i, role := range m.roles {
		roles[i], names[i] = role.String(), "random"
		if seat := m.Seats[i]; seat != nil {
			names[i] = seat.Name()
			person, ok := seat.(interface{ IsHuman() bool })
			human[i] = ok && person.IsHuman()
		}
	}
	record := protocol.NewRecord(m.Match, m.Game, roles, names, m.StartClock, m.PlayClock, time.Now())
	record.IsPlayerHuman = human
	record.GameMetaURL = m.MetaURL
	return record
}
