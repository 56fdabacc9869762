package player

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/internal/guard"
	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/reasoner"
	"semisplit/search"
)

// position is where a match stands: the state, the tree that knows it, and the moves
// that led there.
type position struct {
	seed   uint64
	quit   *atomic.Bool
	prover reasoner.Machine // the machine that is always right
	board  *board.Board
	tree   search.Algorithm // nil: none yet
	rooted bool             // the tree's root is the board's state
	lost   func(error)      // told why the tree was given up

	history      [][]kif.Term // joint moves as they were played
	numbers      []int        // of the turns that they led to
	madeUp       int          // the first turn whose state rests on moves that nobody told; 0: none does
	historyBytes int64        // what they take, or would take
}

// newPosition is the initial one, on the prover.
func newPosition(prover reasoner.Machine, seed uint64, quit *atomic.Bool, lost func(error)) (*position, error) {
	b, err := board.New(prover, seed, quit)
	if err != nil {
		return nil, err
	}
	return &position{seed: seed, quit: quit, prover: prover, board: b, lost: lost}, nil
}

// root makes sure that there is a tree, and that its root is the board's state.
func (p *position) root(newTree func(m reasoner.Machine) search.Algorithm) error {
	if p.tree == nil {
		p.tree, p.rooted = newTree(p.board.Machine()), false
	}
	if p.rooted {
		return nil
	}
	if err := p.tree.SetRoot(p.board.State()); err != nil {
		return fmt.Errorf("root of the tree: %w", err)
	}
	p.rooted = true
	return nil
}

// follow plays a joint move. If the machine cannot, the prover decides: it replays
// the match from the start, and the match stays on it if it can follow. mended says
// so. If it cannot either, what is illegal on the machine is illegal.
func (p *position) follow(moves []kif.Term) (mended string, err error) {
	err = guard.Run(func() error { return p.play(moves) })
	if err == nil || p.board.Machine() == p.prover {
		return "", err
	}
	if onProver := guard.Run(func() error { return p.replay(moves) }); onProver != nil {
		if errors.Is(err, board.ErrIllegal) {
			return "", err
		}
		return "", onProver
	}
	return fmt.Sprintf("replayed on the prover after: %v", err), nil
}

// play moves board and tree. The board has not moved if it fails; a tree that fails
// is given up.
func (p *position) play(moves []kif.Term) error {
	joint, err := p.board.Joint(moves)
	if err != nil {
		return err
	}
	if err := p.board.Moved(joint); err != nil {
		// The engine holds nothing after a failed step.
		return fmt.Errorf("%w (then %v)", err, p.board.Look())
	}
	p.remember(moves)
	if p.tree == nil {
		return nil
	}
	if err := guard.Run(func() error { p.rooted = p.tree.Advance(joint); return nil }); err != nil {
		p.lost(err)
		p.tree, p.rooted = nil, false
	}
	return nil
}

// replay goes through the whole match again on the prover, and on to moves.
func (p *position) replay(moves []kif.Term) error {
	b, err := p.again(p.prover, len(p.history))
	if err == nil {
		err = b.Play(moves)
	}
	if err != nil {
		return err
	}
	p.board, p.tree, p.rooted = b, nil, false
	p.remember(moves)
	return nil
}

// again is a board that stands where so many moves of the match led.
func (p *position) again(m reasoner.Machine, moves int) (*board.Board, error) {
	if p.historyBytes > historyLimit {
		return nil, errForgotten
	}
	b, err := board.New(m, p.seed, p.quit)
	for i := 0; i < moves && err == nil; i++ {
		if p.history[i] != nil { // else the match stayed where it was
			err = b.Play(p.history[i])
		}
	}
	return b, err
}

// back takes back what was played after a turn.
func (p *position) back(turn int) error {
	kept := len(p.numbers)
	for kept > 0 && p.numbers[kept-1] > turn {
		kept--
	}
	if kept == len(p.numbers) {
		return nil
	}
	b, err := p.again(p.board.Machine(), kept)
	if err != nil {
		return err
	}
	for _, moves := range p.history[kept:] {
		p.historyBytes -= weight(moves)
	}
	p.board, p.tree, p.rooted = b, nil, false
	p.history, p.numbers = p.history[:kept], p.numbers[:kept]
	if p.madeUp > turn {
		p.madeUp = 0
	}
	return nil
}

// reached notes which turn what was played led to.
func (p *position) reached(turn int) {
	for len(p.numbers) < len(p.history) {
		p.numbers = append(p.numbers, turn)
	}
}

// turn is the number of the turn where the position stands.
func (p *position) turn() int {
	if len(p.numbers) == 0 {
		return 0
	}
	return p.numbers[len(p.numbers)-1]
}

var errForgotten = errors.New("the moves of this match are too long to be kept")

// remember adds a joint move to the history, or only counts it where the
// history has become too large to be kept.
func (p *position) remember(moves []kif.Term) {
	if p.historyBytes += weight(moves); p.historyBytes > historyLimit {
		clear(p.history)
		moves = nil
	}
	p.history = append(p.history, moves)
}

// force plays moves that are not legal in some way, and says how. Managers send none, so
// where nothing was made up before, a message was lost on its way: any moves take the
// place of what it told after which these are legal. Otherwise the match would be a turn
// behind its manager to its end.
func (p *position) force(a advance, why error, random *rand.Rand) (how string, err error) {
	missed := false
	err = guard.Run(func() error {
		if p.madeUp == 0 {
			p.madeUp = a.turn
			missed = p.guessMissed(a.moves, random)
		}
		if missed {
			return p.play(a.moves)
		}
		return p.play(p.substitute(a.moves))
	})
	if missed {
		return fmt.Sprintf("made up a turn that was not told, after: %v", why), err
	}
	return fmt.Sprintf("played other moves after: %v", why), err
}

// guessMissed plays random moves after which others are legal, if some are soon found.
func (p *position) guessMissed(moves []kif.Term, random *rand.Rand) bool {
	const tries = 8
	before := p.board.State()
	for range tries {
		var joint []uint32
		made := make([]kif.Term, p.board.Roles())
		for role := range made {
			path, ok := p.board.Draw(role, random)
			if !ok {
				return false
			}
			joint, made[role] = append(joint, path...), p.board.Machine().Move(role, path)
		}
		if p.board.Moved(joint) == nil {
			if _, err := p.board.Joint(moves); err == nil {
				p.remember(made)
				p.tree, p.rooted = nil, false
				return true
			}
		}
		if p.board.Set(before) != nil {
			return false
		}
	}
	return false
}

// substitute replaces what is not legal by the first legal move of its role.
func (p *position) substitute(moves []kif.Term) []kif.Term {
	mended := make([]kif.Term, p.board.Roles())
	for role := range mended {
		if role < len(moves) {
			if _, ok := p.board.Find(role, moves[role]); ok {
				mended[role] = moves[role]
				continue
			}
		}
		if legal := p.board.FirstPaths(role, 1); len(legal) > 0 {
			mended[role] = p.board.Machine().Move(role, legal[0])
		}
	}
	return mended
}

// transfer goes to a machine, without the tree. The match stays where it is if that
// fails.
func (p *position) transfer(m reasoner.Machine) error {
	return guard.Run(func() error {
		p.tree, p.rooted = nil, false
		b, err := p.board.Transfer(m, p.seed)
		if err == nil {
			p.board = b
		}
		return err
	})
}
