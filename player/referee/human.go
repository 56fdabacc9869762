package referee

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/protocol"
)

// Terminal is where people sit, one or several: legal moves are shown on w,
// and a number or a move is read from r, a line each. Who sits there is asked
// one after the other, in the order of the seats, also where the rules let
// them move at once. Reading cannot be interrupted, so a goroutine waits for
// the next line of r until there is one, even after the match.
type Terminal struct {
	r     io.Reader
	w     io.Writer
	once  sync.Once
	lines chan string
	err   error // why lines was closed

	mu     sync.Mutex
	people []*human
	moved  chan struct{} // closed, and made anew, when one of them is through with a turn
}

// NewTerminal makes a terminal with nobody at it.
func NewTerminal(r io.Reader, w io.Writer) *Terminal {
	return &Terminal{r: r, w: w, lines: make(chan string), moved: make(chan struct{})}
}

// Person is the seat of another person at the terminal. At the end of input
// that person leaves, see ErrLeft.
func (t *Terminal) Person() Seat {
	h := &human{terminal: t, before: len(t.people)}
	h.name, h.simple.choose = "human", h.ask
	t.people = append(t.people, h)
	return h
}

// maxLine is how much of a line is read, in bytes.
const maxLine = 1 << 16

func (t *Terminal) read() {
	defer close(t.lines)
	in := bufio.NewReaderSize(t.r, maxLine)
	for {
		line, more, err := in.ReadLine()
		text := strings.TrimSpace(string(line))
		for more && err == nil {
			_, more, err = in.ReadLine()
		}
		if err != nil {
			t.err = ErrLeft
			if !errors.Is(err, io.EOF) {
				t.err = fmt.Errorf("%w: %w", ErrLeft, err)
			}
			return
		}
		t.lines <- text
	}
}

// line is the next line that somebody has typed.
func (t *Terminal) line(ctx context.Context) (string, error) {
	t.once.Do(func() { go t.read() })
	select {
	case <-ctx.Done():
		fmt.Fprintln(t.w, "\nToo late.")
		return "", timeout(ctx)
	case line, ok := <-t.lines:
		if !ok {
			fmt.Fprintln(t.w)
			return "", t.err
		}
		return line, nil
	}
}

// turn waits until those who sit before h have moved.
func (t *Terminal) turn(ctx context.Context, h *human) error {
	for {
		t.mu.Lock()
		ready := true
		for _, other := range t.people[:h.before] {
			ready = ready && other.through >= h.asked
		}
		moved := t.moved
		t.mu.Unlock()
		if ready {
			return nil
		}
		select {
		case <-ctx.Done():
			return timeout(ctx)
		case <-moved:
		}
	}
}

// choices are what h is offered.
func (t *Terminal) choices(h *human, moves []kif.Term) []choice {
	t.mu.Lock()
	defer t.mu.Unlock()
	var others []numbers
	for _, other := range t.people {
		if other != h {
			others = append(others, other.numbers)
		}
	}
	return h.numbers.choices(moves, others)
}

// human is the seat of one person.
type human struct {
	simple
	terminal *Terminal
	before   int // people before this one

	// The terminal's lock guards these.
	asked, through int // turns that began and that are over
	numbers        numbers
}

// IsHuman marks the seat in the match record.
func (h *human) IsHuman() bool { return true }

// Start begins without the numbers of an earlier match.
func (h *human) Start(ctx context.Context, m protocol.Start) error {
	h.terminal.mu.Lock()
	h.numbers = nil
	h.terminal.mu.Unlock()
	return h.simple.Start(ctx, m)
}

func (h *human) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	t := h.terminal
	t.mu.Lock()
	h.asked++
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		h.through++
		close(t.moved)
		t.moved = make(chan struct{})
	}()
	return h.simple.Play(ctx, m)
}

func (h *human) ask(ctx context.Context, f *follower) (kif.Term, error) {
	role, w := f.board.Machine().Roles()[f.role], h.terminal.w
	moves, all := f.board.FirstMoves(f.role, mostShown)
	switch len(moves) {
	case 0:
		return kif.Term{}, errNoMove
	case 1:
		if !kif.EqualFold(moves[0], kif.Symbol("noop")) { // which is to wait for others
			fmt.Fprintf(w, "%s, your only move: %s\n", spell(role), spell(moves[0]))
		}
		return moves[0], nil
	}
	if err := h.terminal.turn(ctx, h); err != nil {
		return kif.Term{}, err
	}
	choices := h.terminal.choices(h, moves)
	show(w, choices)
	if !all {
		fmt.Fprintln(w, "There are more: type any legal move.")
	}
	for {
		fmt.Fprintf(w, "%s, your move (a number or a move): ", spell(role))
		line, err := h.terminal.line(ctx)
		if err != nil {
			return kif.Term{}, err
		}
		move, several, complaint := pick(line, choices)
		if complaint == "" {
			return move, nil
		}
		if other, ok := findMove(f.board, f.role, line); ok && !all {
			return other, nil
		}
		switch strings.ToLower(line) {
		case "?", "help":
			fmt.Fprint(w, helpText)
		case "moves":
			show(w, choices)
		case "quit", "resign":
			return kif.Term{}, ErrLeft
		default:
			fmt.Fprintln(w, complaint)
			show(w, several)
		}
	}
}

const helpText = `Type the number of a move, or the move: "e2e4", "5 2 5 4" and "(move 5 2 5 4)" are
the same. "e4" is enough where only one move goes there; "e2" shows where that piece can go.
Also: moves (show them again), quit (leave the match), help.
`

// mostShown is how many moves are shown to a person.
const mostShown = 1000

// findMove is a legal move that was not shown, by its text.
func findMove(b *board.Board, role int, line string) (kif.Term, bool) {
	typed, err := kif.ParseTerm(line)
	if err != nil {
		return kif.Term{}, false
	}
	path, ok := b.Find(role, typed)
	if !ok {
		return kif.Term{}, false
	}
	return b.Machine().Move(role, path), true
}
