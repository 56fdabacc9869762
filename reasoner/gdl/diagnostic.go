package gdl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"semisplit/kif"
)

// Severity tells whether a game can be played in spite of a finding.
type Severity uint8

const (
	Warning Severity = iota // the game is played, as the message says
	Error                   // the game cannot be played
)

// String gives "warning" or "error".
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Diagnostic is something odd or wrong in a description. Code is a short
// stable name for the kind of finding; Message says what is there and how it
// is read, Advice what its author could write instead.
type Diagnostic struct {
	Severity Severity
	Pos      kif.Pos
	Code     string
	Message  string
	Advice   string
}

// String gives "line:col: severity: message (advice)".
func (d Diagnostic) String() string {
	s := fmt.Sprintf("%d:%d: %s: %s", d.Pos.Line, d.Pos.Col, d.Severity, d.Message)
	if d.Advice != "" {
		s += " (" + d.Advice + ")"
	}
	return s
}

// Diagnostics are findings in the order of the text.
type Diagnostics []Diagnostic

// String gives one finding a line, each line ended.
func (d Diagnostics) String() string {
	var b strings.Builder
	for _, one := range d {
		b.WriteString(one.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Err returns an error that names the findings for which the game cannot be
// played, and nil if there is none.
func (d Diagnostics) Err() error {
	var lines []string
	for _, one := range d {
		if one.Severity == Error {
			lines = append(lines, one.String())
		}
	}
	if lines == nil {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}

// maxPerCode is how many findings of one kind are listed; the last one listed
// says how many more there were.
const maxPerCode = 10

// reporter collects findings.
type reporter struct {
	list   Diagnostics
	counts map[string]int
	failed bool
}

func (r *reporter) warn(code string, pos kif.Pos, advice, format string, args ...any) {
	r.add(Diagnostic{Warning, place(pos), code, fmt.Sprintf(format, args...), advice})
}

func (r *reporter) fail(code string, pos kif.Pos, advice, format string, args ...any) {
	r.failed = true
	r.add(Diagnostic{Error, place(pos), code, fmt.Sprintf(format, args...), advice})
}

// place gives terms that were built, not read, the start of the text.
func place(pos kif.Pos) kif.Pos {
	if pos == (kif.Pos{}) {
		return kif.Pos{Line: 1, Col: 1}
	}
	return pos
}

func (r *reporter) add(d Diagnostic) {
	if r.counts == nil {
		r.counts = make(map[string]int)
	}
	r.counts[d.Code]++
	if r.counts[d.Code] <= maxPerCode {
		r.list = append(r.list, d)
	}
}

// sorted returns the findings in the order of the text.
func (r *reporter) sorted() Diagnostics {
	seen := make(map[string]int)
	for i := range r.list {
		d := &r.list[i]
		if seen[d.Code]++; seen[d.Code] == maxPerCode && r.counts[d.Code] > maxPerCode {
			d.Message += fmt.Sprintf("; and %d more of this kind", r.counts[d.Code]-maxPerCode)
		}
	}
	slices.SortStableFunc(r.list, func(a, b Diagnostic) int {
		switch {
		case a.Pos.Before(b.Pos):
			return -1
		case b.Pos.Before(a.Pos):
			return 1
		}
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), strings.Compare(a.Code, b.Code))
	})
	return r.list
}
