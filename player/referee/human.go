package referee

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"semisplit/kif"
	"semisplit/protocol"
)

// Human is the seat of a person: legal moves are shown on w, and a number or
// a move is read from r, a line each. The end of r counts as a lost
// connection. Reading cannot be interrupted, so a goroutine waits for the
// next line of r until there is one, even after the match.
func Human(r io.Reader, w io.Writer) Seat {
	h := &human{r: r, w: w, lines: make(chan string)}
	h.name, h.simple.choose = "human", h.ask
	return h
}

type human struct {
	simple
	r     io.Reader
	w     io.Writer
	once  sync.Once
	lines chan string
}

// IsHuman marks the seat in the match record.
func (h *human) IsHuman() bool { return true }

func (h *human) read() {
	defer close(h.lines)
	in := bufio.NewScanner(h.r)
	for in.Scan() {
		h.lines <- strings.TrimSpace(in.Text())
	}
}

func (h *human) ask(ctx context.Context, f *follower) (kif.Term, error) {
	moves := f.board.Moves(f.role)
	switch len(moves) {
	case 0:
		return kif.Term{}, errNoMove
	case 1:
		fmt.Fprintf(h.w, "Your only move: %v\n", moves[0])
		return moves[0], nil
	}
	h.once.Do(func() { go h.read() })
	show(h.w, moves)
	for {
		fmt.Fprintf(h.w, "%v, your move (a number or a move): ", f.board.Machine().Roles()[f.role])
		select {
		case <-ctx.Done():
			fmt.Fprintln(h.w, "\nToo late.")
			return kif.Term{}, timeout(ctx)
		case line, ok := <-h.lines:
			if !ok {
				return kif.Term{}, fmt.Errorf("%w: end of input", protocol.ErrConnection)
			}
			move, complaint := pick(line, moves)
			if complaint == "" {
				return move, nil
			}
			fmt.Fprintln(h.w, complaint)
		}
	}
}

// show numbers the moves, in columns.
func show(w io.Writer, moves []kif.Term) {
	const width = 78
	longest := 0
	for _, move := range moves {
		longest = max(longest, len(move.String()))
	}
	cell := longest + 7
	columns := max(1, width/cell)
	for i, move := range moves {
		fmt.Fprintf(w, "%4d  %-*s", i+1, longest+1, move)
		if (i+1)%columns == 0 || i == len(moves)-1 {
			fmt.Fprintln(w)
		}
	}
}

// pick finds the move that a line means: by number, exactly, or without case
// and parentheses if that is unambiguous.
func pick(line string, moves []kif.Term) (move kif.Term, complaint string) {
	if line == "" {
		return kif.Term{}, "Type the number of a move."
	}
	for _, m := range moves {
		if m.String() == line {
			return m, ""
		}
	}
	if n, err := strconv.Atoi(line); err == nil {
		if n < 1 || n > len(moves) {
			return kif.Term{}, fmt.Sprintf("There is no move %d: 1 to %d.", n, len(moves))
		}
		return moves[n-1], ""
	}
	var found []kif.Term
	for _, m := range moves {
		if bare(m.String()) == bare(line) {
			found = append(found, m)
		}
	}
	if len(found) == 1 {
		return found[0], ""
	}
	return kif.Term{}, fmt.Sprintf("%q is not a legal move.", line)
}

func bare(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("() \t,", r) }), " "))
}
