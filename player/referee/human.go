package referee

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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
	err   error       // why lines was closed
	late  atomic.Bool // a line was waited for in vain

	// Hint thinks about a position for a person and says what it found; nil: there
	// is no help of that kind.
	Hint func(ctx context.Context, p Position) (string, error)
	// Board shows the state again; nil: nobody does.
	Board func()
	// Save keeps the record of the match so far in a file; nil: it cannot.
	Save func(file string) error
	// Clock is told the time that is left, at once and each second, while a person
	// thinks, and a last time with 0; nil: nobody shows it.
	Clock func(role string, left time.Duration)
	// Columns is how long the lines of w are, in characters.
	Columns int
	// NoUndo says why no move can be taken back; empty: it can.
	NoUndo string

	mu     sync.Mutex
	people []*human
	moved  chan struct{} // closed, and made anew, when one of them is through with a turn
}

// Position is where a person stands, for who gives a hint.
type Position struct {
	Rules []kif.Term   // as START told them
	Moves [][]kif.Term // joint moves since then
	Role  int
}

// NewTerminal makes a terminal with nobody at it, of 80 columns.
func NewTerminal(r io.Reader, w io.Writer) *Terminal {
	return &Terminal{r: r, w: w, Columns: 80, lines: make(chan string, typedAhead), moved: make(chan struct{})}
}

// Person is the seat of another person at the terminal. At the end of input
// that person leaves, see ErrLeft.
func (t *Terminal) Person() Seat {
	h := &human{terminal: t, before: len(t.people)}
	h.name, h.simple.choose = "human", h.ask
	t.people = append(t.people, h)
	return h
}

// typedAhead is how many lines wait for somebody who asks.
const typedAhead = 100

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
			t.err = leaving("no more input")
			if !errors.Is(err, io.EOF) {
				t.err = leaving(err.Error())
			}
			return
		}
		t.lines <- text
	}
}

// line is the next line that somebody has typed. One that came too late is not for a
// later turn.
func (t *Terminal) line(ctx context.Context) (string, error) {
	t.once.Do(func() { go t.read() })
	for late := t.late.Swap(false); late; {
		select {
		case line, ok := <-t.lines:
			if late = ok; ok {
				fmt.Fprintf(t.w, "That was too late: %.40q\n", line)
			}
		default:
			late = false
		}
	}
	select {
	case <-ctx.Done():
		fmt.Fprintln(t.w)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			fmt.Fprintln(t.w, "Too late.")
			t.late.Store(true)
		}
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

	// The seat's own goroutine has these: the referee asks for one thing at a time.
	position Position
	clock    time.Duration // of each move
	chosen   int           // turns of this person that can be taken back
}

// IsHuman marks the seat in the match record.
func (h *human) IsHuman() bool { return true }

// Start begins at the state of the rules. Moves keep their numbers, as the match
// may be the rest of an earlier one.
func (h *human) Start(ctx context.Context, m protocol.Start) error {
	err := h.simple.Start(ctx, m)
	h.simple.mu.Lock()
	defer h.simple.mu.Unlock()
	h.position, h.clock = Position{Rules: m.Rules}, m.PlayClock
	if h.simple.match != nil {
		h.position.Role = h.simple.match.role
	}
	return err
}

func (h *human) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	t := h.terminal
	t.mu.Lock()
	h.through = h.asked
	h.asked++
	t.mu.Unlock()
	h.simple.mu.Lock()
	if m.Moves != nil {
		h.position.Moves = append(h.position.Moves, m.Moves)
	}
	h.simple.mu.Unlock()
	move, err := h.simple.Play(ctx, m)
	if errors.Is(err, ErrResigned) || errors.Is(err, ErrLeft) || errors.Is(err, ErrUndo) {
		return move, err // nobody else is asked in this turn
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	h.through = h.asked
	close(t.moved)
	t.moved = make(chan struct{})
	return move, err
}

// ask lets the person choose.
func (h *human) ask(ctx context.Context, f *follower) (kif.Term, error) {
	end := time.Now().Add(h.clock)
	role, w := f.board.Machine().Roles()[f.role], h.terminal.w
	moves, all := f.board.FirstMoves(f.role, mostOffered)
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
	defer h.terminal.showClock(ctx, spell(role), end)()
	choices := h.terminal.choices(h, moves)
	show(w, choices, h.terminal.Columns)
	if !all {
		fmt.Fprintln(w, "There are more: type any legal move.")
	}
	for {
		left := ""
		if h.clock > 0 {
			left = ", " + Remaining(time.Until(end)) + " left"
		}
		fmt.Fprintf(w, "%s, your move (a number or a move%s): ", spell(role), left)
		line, err := h.terminal.line(ctx)
		if err != nil {
			return kif.Term{}, err
		}
		move, several, complaint := pick(line, choices)
		if complaint == "" {
			h.chosen++
			return move, nil
		}
		if other, ok := findMove(f.board, f.role, line); ok && !all {
			h.chosen++
			return other, nil
		}
		known, err := h.obey(ctx, line, choices)
		if err != nil {
			return kif.Term{}, err
		}
		if !known {
			fmt.Fprintln(w, complaint)
			show(w, several, h.terminal.Columns)
		}
	}
}

// Remaining writes the time that is left as clocks show it: 1:45, in full seconds.
func Remaining(left time.Duration) string {
	seconds := max(0, int(left.Round(time.Second)/time.Second))
	if seconds < 60 {
		return strconv.Itoa(seconds) + " s"
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// showClock tells the time that is left until stop is called.
func (t *Terminal) showClock(ctx context.Context, role string, end time.Time) (stop func()) {
	if t.Clock == nil {
		return func() {}
	}
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		defer t.Clock(role, 0)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			t.Clock(role, time.Until(end))
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			case <-over:
				return
			}
		}
	}()
	return func() {
		close(over)
		<-gone
	}
}

// mostOffered is how many legal moves of a turn a person's words are held against.
const mostOffered = 1 << 13

// findMove is a legal move that was not offered, by its text.
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
