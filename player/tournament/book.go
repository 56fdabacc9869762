package tournament

import (
	"errors"
	"fmt"
	"io"
	"os"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// Bounds on a book.
const (
	maxBookBytes = 4 << 20
	maxBookLines = 10_000
)

// loadBook reads the book of a game and plays every line.
func loadBook(path string, program *gdl.Program) ([][][]kif.Term, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxBookBytes+1))
	if err != nil {
		return nil, err
	}
	lines, err := ReadBook(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m, err := reasoner.NewProver(program)
	if err != nil {
		return nil, err
	}
	for i, line := range lines {
		if err := follows(m, line); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, i+1, err)
		}
	}
	return lines, nil
}

// ReadBook reads openings: an expression in KIF for each, a list of joint moves,
// each a list of a move for every role, as in ((noop (mark 1 1)) ((mark 2 2) noop)).
// Comments begin with a semicolon.
func ReadBook(text []byte) (lines [][][]kif.Term, err error) {
	if len(text) > maxBookBytes {
		return nil, fmt.Errorf("longer than %d bytes", maxBookBytes)
	}
	terms, err := kif.Parse(string(text))
	if err != nil {
		return nil, err
	}
	if len(terms) == 0 || len(terms) > maxBookLines {
		return nil, fmt.Errorf("it has %d lines, not 1 to %d", len(terms), maxBookLines)
	}
	for i, term := range terms {
		if !term.IsList() || len(term.Items) > maxPlies {
			return nil, fmt.Errorf("line %d is no list of at most %d joint moves", i+1, maxPlies)
		}
		var line [][]kif.Term
		for _, joint := range term.Items {
			if !joint.IsList() || len(joint.Items) == 0 {
				return nil, fmt.Errorf("line %d: %.60q is no joint move, which is a list", i+1, joint.String())
			}
			line = append(line, joint.Items)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// follows plays a line.
func follows(m reasoner.Machine, line [][]kif.Term) error {
	b, err := board.New(m, 1, nil)
	if err != nil {
		return err
	}
	for step, moves := range line {
		if len(moves) != b.Roles() {
			return fmt.Errorf("step %d has %d moves for %d roles", step+1, len(moves), b.Roles())
		}
		if err := b.Play(moves); err != nil {
			return fmt.Errorf("step %d: %w", step+1, err)
		}
		if b.Terminal() {
			return fmt.Errorf("step %d: %w", step+1, errEnds)
		}
	}
	return nil
}

var errEnds = errors.New("the match is over: nobody would have played")
