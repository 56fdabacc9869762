package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/player/board"
	"semisplit/reasoner"
)

// kindPlies bounds the matches that tell the kind of a game. They are played
// by the prover, which takes up to 60 ms a ply in the largest bundled games.
const kindPlies = 10

// kindOf tells how the roles of a game move: a puzzle has one role; in a game
// by turns nobody else has a choice while one has. The latter is seen in the
// first plies of a random match. A role called random is chance and no player.
func kindOf(ctx context.Context, m reasoner.Machine) (string, error) {
	players, chance := 0, ""
	for _, role := range m.Roles() {
		if board.IsChance(role) {
			chance = ", with chance"
		} else {
			players++
		}
	}
	if players == 1 {
		return "puzzle" + chance, nil
	}
	together, err := chooseTogether(ctx, m)
	if err != nil {
		return "", err
	}
	if together {
		return "simultaneous" + chance, nil
	}
	return "turns" + chance, nil
}

// chooseTogether tells whether two roles had a choice at once.
func chooseTogether(ctx context.Context, m reasoner.Machine) (bool, error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	b, err := board.New(m, 1, &stop)
	if err != nil {
		return false, err
	}
	random := rand.New(rand.NewPCG(1, 1))
	for ply := 0; ply < kindPlies && !b.Terminal(); ply++ {
		choosing := 0
		var joint []uint32
		for role := range b.Roles() {
			path, ok := b.Random(role, random)
			if !ok {
				return false, fmt.Errorf("%v has no legal move after %d plies", m.Roles()[role], ply)
			}
			if b.HasChoice(role) {
				choosing++
			}
			joint = append(joint, path...)
		}
		if choosing > 1 {
			return true, nil
		}
		if err := b.Moved(joint); err != nil {
			return false, err
		}
	}
	return false, nil
}
