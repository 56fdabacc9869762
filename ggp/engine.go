package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// readGame loads and reads a description. Warnings are not an error.
func readGame(s *session, name string) (games.Game, *gdl.Program, gdl.Diagnostics, error) {
	game, err := loadGame(s, name)
	if err != nil {
		return games.Game{}, nil, nil, err
	}
	program, diagnostics := reasoner.Read(game.Rules)
	if err := diagnostics.Err(); err != nil {
		return game, nil, diagnostics, fmt.Errorf("%s cannot be played: %w (ggp check %s shows all)", game.Name, err, name)
	}
	return game, program, diagnostics, nil
}

// buildEngine makes the machine that is asked for and tells how long that took.
func buildEngine(ctx context.Context, program *gdl.Program, v reasoner.Variant) (reasoner.Machine, time.Duration, error) {
	begin := time.Now()
	m, err := reasoner.Build(ctx, program, v, reasoner.DefaultLimits)
	if errors.Is(err, reasoner.ErrLimit) {
		err = fmt.Errorf("%w; --engine prover plays every game", err)
	}
	return m, time.Since(begin), err
}

// lanesFlag is the number of lanes of a flag; 0 for auto and all.
func lanesFlag(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// circuit is what lanes machines tell beyond reasoner.Machine.
type circuit interface {
	Gates() int
	Net() *propnet.Net
}

// gates of a machine's circuit; 0 without one.
func gates(m reasoner.Machine) int {
	if c, ok := m.(circuit); ok {
		return c.Gates()
	}
	return 0
}
