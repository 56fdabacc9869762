package load

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// Read loads and reads a description. Warnings are not an error.
func Read(s *console.Session, name string) (games.Game, *gdl.Program, gdl.Diagnostics, error) {
	game, err := Game(s, name)
	if err != nil {
		return games.Game{}, nil, nil, err
	}
	program, diagnostics := reasoner.Read(game.Rules)
	if err := diagnostics.Err(); err != nil {
		return game, nil, diagnostics, fmt.Errorf("%s cannot be played: %w (ggp check %s shows all)", game.Name, err, name)
	}
	return game, program, diagnostics, nil
}

// Engine makes the machine that is asked for and tells how long that took.
func Engine(ctx context.Context, program *gdl.Program, v reasoner.Variant) (reasoner.Machine, time.Duration, error) {
	begin := time.Now()
	m, err := reasoner.Build(ctx, program, v, reasoner.DefaultLimits)
	if errors.Is(err, reasoner.ErrLimit) {
		err = fmt.Errorf("%w; --engine prover plays every game", err)
	}
	return m, time.Since(begin), err
}

// Lanes is the number of lanes of a flag; 0 for auto and all.
func Lanes(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// circuit is what lanes machines tell beyond reasoner.Machine.
type circuit interface {
	Gates() int
	Net() *propnet.Net
}

// Gates of a machine's circuit; 0 without one.
func Gates(m reasoner.Machine) int {
	if c, ok := m.(circuit); ok {
		return c.Gates()
	}
	return 0
}

// RoleNames are those of a game, in the order of the rules.
func RoleNames(program *gdl.Program) []string {
	names := make([]string, len(program.Roles))
	for i, role := range program.Roles {
		names[i] = program.Symbols.Name(role.Name)
	}
	return names
}
