package protocol

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"semisplit/kif"
	"semisplit/protocol/internal/untrusted"
)

// Kind says which message a Message is.
type Kind uint8

// The kinds of messages that managers send.
const (
	KindUnknown Kind = iota // a message of a name that nobody knows
	KindInfo                // who are you, are you free: answered with name and status
	KindPing                // the same, answered with the status alone
	KindPreview
	KindStart
	KindPlay
	KindStop
	KindAbort
)

// kindRow is what the wire says of the messages of a kind.
type kindRow struct {
	name  string                                       // in upper case; messages may spell it in any case
	parse func(m *Message, arguments []kif.Term) error // nil: a message without arguments
	rules bool                                         // it brings rules, so that it may be long
	match bool                                         // its first argument is the match
	moves bool                                         // its second argument is a list of moves, or in GDL-II a number
	brief bool                                         // its opening says all that matters: the rest stays unread
	// refused is the reply to a message that Player.Admits does not want, whose rest stays
	// unread. Empty: the player has no say in that.
	refused string
}

// kinds is all that the way of a message from the wire to the player depends on: how far it
// is read, how it is parsed, and whether the player wants the rest. What is asked of the
// player then is in answer.go.
var kinds = [...]kindRow{
	KindUnknown: {name: "UNKNOWN", brief: true},
	KindInfo:    {name: "INFO", brief: true},
	KindPing:    {name: "PING", brief: true},
	KindPreview: {name: "PREVIEW", parse: (*Message).preview, rules: true, refused: replyDone},
	KindStart:   {name: "START", parse: (*Message).start, match: true, rules: true, refused: replyBusy},
	KindPlay:    {name: "PLAY", parse: (*Message).turn, match: true, moves: true, refused: replyBusy},
	KindStop:    {name: "STOP", parse: (*Message).turn, match: true, moves: true, refused: replyBusy},
	KindAbort:   {name: "ABORT", parse: (*Message).match, match: true, brief: true},
}

// row is the row of a kind.
func (k Kind) row() *kindRow {
	if int(k) < len(kinds) {
		return &kinds[k]
	}
	return &kinds[KindUnknown]
}

// String returns the name of the kind in upper case.
func (k Kind) String() string { return k.row().name }

// kindOf is the kind of the messages of a name, which comes in any case.
func kindOf(name string) Kind {
	// Managers that want name and status write INFO in capitals; those that write (info)
	// take a bare status and may not read a list.
	if name == "info" {
		return KindPing
	}
	upper := strings.ToUpper(name)
	for k := KindUnknown + 1; int(k) < len(kinds); k++ {
		if kinds[k].name == upper {
			return k
		}
	}
	return KindUnknown
}

// ErrMessage is wrapped by every error of ParseMessage.
var ErrMessage = errors.New("bad message")

// longestClock bounds the clocks that a START may announce: a larger number
// is a fault of the sender, and would overflow later sums.
const longestClock = 30 * 24 * time.Hour

// A Message is one parsed request of a manager. Only the fields of its kind
// are set.
type Message struct {
	Kind  Kind
	Name  string // the message's name as it was spelled; empty for an empty body
	Match string // the match id, case-sensitive
	Role  kif.Term
	Rules []kif.Term
	// StartClock is also the clock of a PREVIEW; 0 if that named none.
	StartClock, PlayClock time.Duration
	Moves                 []kif.Term // in role order; nil for NIL
	// Imperfect marks a PLAY or STOP in the form of GDL-II (turn, last move,
	// percepts), which is recognised so that it can be refused clearly; Turn
	// is its turn number.
	Imperfect bool
	Turn      int
}

// ParseMessage reads the body of a request: the first term counts, and text
// after it is left alone. An empty body is a ping. An error wraps ErrMessage
// and says what was expected.
func ParseMessage(body string) (Message, error) {
	body = strings.TrimPrefix(body, "\ufeff")
	if untrusted.Blank(body) {
		return Message{Kind: KindPing}, nil
	}
	t, _, err := kif.First(body)
	if err != nil {
		return Message{}, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	if !t.IsList() {
		return parseBare(t.Name), nil
	}
	if len(t.Items) == 0 {
		return Message{Kind: KindUnknown}, nil
	}
	if t.Items[0].IsList() {
		return Message{}, bad("a message begins with its name, such as PLAY, not with a list")
	}
	return parseNamed(t.Items[0].Name, t.Items[1:])
}

// parseBare reads a message without parentheses around it: "ping", and the
// infix forms "info()" and "ping()", whose parentheses are trailing text.
func parseBare(name string) Message {
	kind := kindOf(name)
	switch {
	case kind == KindInfo: // they take a bare status
		kind = KindPing
	case kind.row().parse != nil:
		kind = KindUnknown
	}
	return Message{Kind: kind, Name: name}
}

func parseNamed(name string, args []kif.Term) (Message, error) {
	m := Message{Kind: kindOf(name), Name: name}
	if parse := m.Kind.row().parse; parse != nil {
		if err := parse(&m, args); err != nil {
			return Message{}, err
		}
	}
	return m, nil
}

func (m *Message) match(args []kif.Term) error {
	name := strings.ToUpper(m.Name)
	if len(args) == 0 {
		return bad("%s lacks the match id: expected (%s id ...)", name, name)
	}
	if args[0].IsList() {
		return bad("the match id of %s is a list: expected one symbol", name)
	}
	m.Match = args[0].Name
	return nil
}

func (m *Message) preview(args []kif.Term) error {
	if len(args) == 0 || !args[0].IsList() {
		return bad("PREVIEW lacks the rules: expected (PREVIEW (rule ...) clock)")
	}
	m.Rules = args[0].Items
	if len(args) == 1 {
		return nil
	}
	var err error
	m.StartClock, err = parseClock("preview clock", args[1])
	return err
}

func (m *Message) start(args []kif.Term) error {
	const form = "expected (START id role (rule ...) startclock playclock)"
	if err := m.match(args); err != nil {
		return err
	}
	switch {
	case len(args) < 5:
		return bad("START has %d arguments: %s", len(args), form)
	case args[1].IsVar():
		return bad("the role of START is the variable %s: %s", args[1].Name, form)
	case !args[2].IsList():
		return bad("the rules of START are the symbol %q, not a list: %s", clip(args[2].Name), form)
	}
	m.Role, m.Rules = args[1], args[2].Items
	var err error
	if m.StartClock, err = parseClock("start clock", args[3]); err != nil {
		return err
	}
	m.PlayClock, err = parseClock("play clock", args[4])
	return err
}

// turn reads the arguments of PLAY and STOP.
func (m *Message) turn(args []kif.Term) error {
	if err := m.match(args); err != nil {
		return err
	}
	switch {
	case len(args) == 1:
		return nil
	case len(args) == 2:
		if m.Kind == KindStop && args[1].IsSymbol() && !IsNil(args[1]) {
			m.Moves = args[1:2:2] // the only role's move, without its list
			return nil
		}
		m.Moves = ParseMoves(args[1])
		return nil
	}
	if turn, err := strconv.Atoi(args[1].Name); err == nil && !args[1].IsList() {
		m.Imperfect, m.Turn = true, turn
		return nil
	}
	if !args[1].IsList() && !IsNil(args[1]) {
		return bad("the moves of %s are not in one list: expected (%s id (move ...))", m.Kind, m.Kind)
	}
	m.Moves = ParseMoves(args[1])
	return nil
}

// ParseMoves reads the list of moves of a PLAY or STOP: nil for any symbol
// and for the empty list, else the items of the list, one for each role.
func ParseMoves(t kif.Term) []kif.Term {
	if len(t.Items) == 0 {
		return nil
	}
	return t.Items
}

// IsNil reports whether t is a spelling of nil: the symbol in any case, or
// the empty list.
func IsNil(t kif.Term) bool {
	if t.IsList() {
		return len(t.Items) == 0
	}
	return strings.EqualFold(t.Name, "nil")
}

// parseClock reads a number of seconds; fractions are taken as well.
func parseClock(what string, t kif.Term) (time.Duration, error) {
	if t.IsList() {
		return 0, bad("the %s is a list: expected a number of seconds", what)
	}
	s, err := strconv.ParseFloat(t.Name, 64)
	if err != nil || math.IsNaN(s) || s < 0 {
		return 0, bad("the %s is %q: expected a number of seconds", what, clip(t.Name))
	}
	if s > longestClock.Seconds() {
		return 0, bad("the %s of %s seconds is too long: at most %.0f", what, clip(t.Name), longestClock.Seconds())
	}
	return time.Duration(math.Round(s*1e6)) * time.Microsecond, nil
}

// clip shortens text of a sender before it is quoted back.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrMessage}, args...)...)
}
