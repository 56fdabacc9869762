package player

import (
	"errors"
	"fmt"

	"semisplit/internal/guard"
	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/reasoner"
)

// advance plays the joint move of a turn. If the machine cannot, the prover
// decides: it replays the match from the start, and the match stays on it if
// it can follow.
func (w *worker) advance(a advance) {
	if w.board == nil {
		return // the stand-in follows
	}
	var mended string
	err := guard.Run(func() error { return w.play(a.moves) })
	if err != nil && w.board.Machine() != w.prover {
		onProver := guard.Run(func() error { return w.replay(a.moves) })
		if onProver == nil {
			mended = fmt.Sprintf("replayed on the prover after: %v", err)
		}
		err = onProver
	}
	if err != nil && !errors.Is(err, board.ErrIllegal) {
		w.giveUp(err)
		return
	}
	if err != nil && a.force {
		mended = fmt.Sprintf("played other moves after: %v", err)
		err = guard.Run(func() error { return w.play(w.substitute(a.moves)) })
	}
	switch {
	case err == nil:
		w.position(a.turn, a.moves, mended)
	case a.force: // nothing can be done: the old state stands for the new one
		w.history = append(w.history, nil)
		w.position(a.turn, nil, fmt.Sprintf("stayed at the state before: %v", err))
	default:
		w.aside.drop(a.turn)
		w.tell(rejected{w.life, a.turn, err})
	}
}

// play moves board and tree. The board has not moved if it fails.
func (w *worker) play(moves []kif.Term) error {
	joint, err := w.board.Joint(moves)
	if err != nil {
		return err
	}
	if err := w.board.Moved(joint); err != nil {
		// The engine holds nothing after a failed step.
		return fmt.Errorf("%w (then %v)", err, w.board.Look())
	}
	w.remember(moves)
	if w.tree == nil {
		return nil
	}
	if err := guard.Run(func() error { w.planted = w.tree.Advance(joint); return nil }); err != nil {
		w.log.Error("the tree was given up", "match", w.start.Match, "error", err)
		w.tree, w.planted = nil, false
	}
	return nil
}

// replay goes through the whole match again on the prover, and on to moves.
func (w *worker) replay(moves []kif.Term) error {
	if w.historyBytes > historyLimit {
		return errForgotten
	}
	b, err := board.New(w.prover, w.seed, &w.quit)
	if err != nil {
		return err
	}
	for _, played := range append(w.history[:len(w.history):len(w.history)], moves) {
		joint, err := b.Joint(played)
		if err != nil {
			return err
		}
		if err := b.Moved(joint); err != nil {
			return err
		}
	}
	w.board, w.tree, w.planted = b, nil, false
	w.remember(moves)
	return nil
}

var errForgotten = errors.New("the moves of this match are too long to be kept")

// remember adds a joint move to the history, or only counts it where the
// history has become too large to be kept.
func (w *worker) remember(moves []kif.Term) {
	if w.historyBytes += weight(moves); w.historyBytes > historyLimit {
		clear(w.history)
		moves = nil
	}
	w.history = append(w.history, moves)
}

// substitute replaces what is not legal by the first legal move of its role.
func (w *worker) substitute(moves []kif.Term) []kif.Term {
	mended := make([]kif.Term, w.board.Roles())
	for role := range mended {
		if role < len(moves) {
			if _, ok := w.board.Find(role, moves[role]); ok {
				mended[role] = moves[role]
				continue
			}
		}
		if legal := w.board.FirstPaths(role, 1); len(legal) > 0 {
			mended[role] = w.board.Machine().Move(role, legal[0])
		}
	}
	return mended
}

// adopt moves the match to the newest machine.
func (w *worker) adopt() {
	select {
	case u := <-w.better:
		if w.transfer(u.machine) {
			w.playing = u.agent
		}
	default:
		w.tell(adopted{life: w.life, err: fmt.Errorf("no better machine")})
	}
}

// retreat goes back to the prover, for what the rules say without any doubt,
// and gives up the tree.
func (w *worker) retreat() { w.transfer(w.prover) }

// transfer goes to a machine without the tree, and tells what came of it. The
// match stays where it is if that fails.
func (w *worker) transfer(m reasoner.Machine) (done bool) {
	err := guard.Run(func() error {
		w.tree, w.planted = nil, false
		b, err := w.board.Transfer(m, w.seed)
		if err == nil {
			w.board = b
		}
		return err
	})
	if err != nil {
		w.tell(adopted{life: w.life, err: err})
		return false
	}
	w.tell(adopted{life: w.life, kind: m.Kind(), plan: m.Plan(), lanes: m.Lanes()})
	return true
}
