package main

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"semisplit/protocol"
)

// tally is what was seen. Its methods may be called by several goroutines.
type tally struct {
	begun time.Time
	took  time.Duration

	mu       sync.Mutex
	refused  map[string]int // requests of hostile managers, by what was said to them
	honest   replies
	matches  int // of the honest managers, to their end
	busy     int // begins of honest matches that found no room
	survived map[string]int
	failed   []string // what did not survive
	skipped  []string
	peak     int64 // resident memory of the player, bytes; 0: the system does not tell
}

// replies are those of the player to honest managers.
type replies struct {
	number        int
	slowest       time.Duration
	late, illegal []string
}

func newTally() *tally { return &tally{refused: map[string]int{}, survived: map[string]int{}} }

func (t *tally) refuse(kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refused[kind]++
}

func (t *tally) survive(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.survived[what]++
}

func (t *tally) fail(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed = append(t.failed, fmt.Sprintf(format, args...))
}

func (t *tally) skip(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.skipped = append(t.skipped, why)
}

func (t *tally) resident(bytes int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.peak = max(t.peak, bytes)
}

// reply counts a reply of the player to PLAY.
func (t *tally) reply(where, fault string, took, clock time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := &t.honest
	h.number++
	h.slowest = max(h.slowest, took)
	switch {
	case took > clock || fault == protocol.FaultTimeout:
		h.late = append(h.late, fmt.Sprintf("%s after %v at %s", where, took, time.Now().UTC().Format(time.TimeOnly)))
	case fault != "":
		h.illegal = append(h.illegal, fmt.Sprintf("%s: %s after %v at %s", where, fault, took, time.Now().UTC().Format(time.TimeOnly)))
	}
}

// verdict tells what makes the torture a failure.
func (t *tally) verdict(s setting) error {
	var wrong []error
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if h := t.honest; len(h.late)+len(h.illegal) > 0 {
		add("late: %v; illegal: %v", h.late, h.illegal)
	}
	if t.honest.number == 0 {
		add("no honest move was made")
	}
	if t.peak > s.memory<<20 {
		add("%d MiB were resident, the bound is %d", t.peak>>20, s.memory)
	}
	for _, f := range t.failed {
		add("not survived: %s", f)
	}
	return errors.Join(wrong...)
}

// table is what was seen, in Markdown.
func (t *tally) table(s setting) string {
	var b strings.Builder
	row := func(what, figure string, args ...any) {
		fmt.Fprintf(&b, "| %s | %s |\n", what, fmt.Sprintf(figure, args...))
	}
	fmt.Fprintf(&b, "`make torture DURATION=%v`, %s, %d cores, %s:\n\n| | |\n|---|---|\n", s.duration, t.begun.Format("January 2006"), runtime.NumCPU(), load())
	row("honest matches played to their end", "%d, by %d managers at a time", t.matches, managers)
	row("honest moves", "%d", t.honest.number)
	row("of them late, illegal", "%d, %d", len(t.honest.late), len(t.honest.illegal))
	row("slowest honest reply, its clock", "%.2f s, %.0f s", t.honest.slowest.Seconds(), s.play.Seconds())
	row("begins of honest matches that found the player busy, and were said again", "%d", t.busy)
	if t.peak > 0 {
		row("peak of resident memory, `--memory`", "%d MiB, %d MiB", t.peak>>20, s.memory)
	} else {
		row("peak of resident memory", "not told by this system")
	}
	for _, kind := range slices.Sorted(maps.Keys(t.refused)) {
		row("hostile requests: "+kind, "%d", t.refused[kind])
	}
	for _, what := range slices.Sorted(maps.Keys(t.survived)) {
		row("survived: "+what, "%d", t.survived[what])
	}
	for _, f := range t.failed {
		row("**not survived**", "%s", cell(f))
	}
	for _, why := range t.skipped {
		row("skipped", "%s", cell(why))
	}
	return b.String()
}

// cell is a text that stays within its cell.
func cell(text string) string {
	text = strings.NewReplacer("|", "/", "\n", " ", "<", "(", ">", ")").Replace(text)
	return text[:min(len(text), 300)]
}

const (
	openMark  = "<!-- torture -->\n"
	closeMark = "<!-- end of torture -->"
)

// between puts a table between the marks of a text.
func between(text, table string) (string, error) {
	before, rest, opened := strings.Cut(text, openMark)
	_, after, closed := strings.Cut(rest, closeMark)
	if !opened || !closed {
		return "", errors.New("the document has no marks for the table")
	}
	return before + openMark + table + closeMark + after, nil
}
