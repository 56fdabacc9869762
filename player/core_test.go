package player

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/player/board"
)

// Each file in testdata/core is a transcript: a block "run" has one event on
// a line, with its time, and below it stands what the core did. The lines:
//
//	TIME start MATCH REQ ROLE STARTCLOCK PLAYCLOCK
//	TIME play MATCH REQ [received TIME] (MOVES)|NIL
//	TIME stop MATCH REQ (MOVES)|NIL
//	TIME abort MATCH REQ
//	TIME left REQ
//	TIME tick
//	TIME prepared LIFE ROLEINDEX | unplayable LIFE TEXT
//	TIME at LIFE TURN LEGAL [again] [terminal] [MOVE]
//	TIME foreseen LIFE TURN [sure] MOVE
//	TIME rejected LIFE TURN TEXT
//	TIME mused LIFE TURN ITERATIONS MOVE
//	TIME halted|done LIFE TURN ITERATIONS [MOVE] | fault LIFE TURN TEXT
//	TIME choosing LIFE | chosen LIFE
//	TIME improved LIFE | compiled LIFE | adopted LIFE KIND | kept LIFE
//
// The arguments of a block are limit (matches), quiet (no pondering), prompt
// (single legal moves at once), onecore (one core is all there is), think (seconds that bound
// our part of the clocks) and fresh (a new core; the first block has one anyway).
func TestCore(t *testing.T) {
	datadriven.Walk(t, "testdata/core", func(t *testing.T, path string) {
		var c *core
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if c == nil || d.HasArg("fresh") {
				limit := 2
				d.MaybeScanArgs(t, "limit", &limit)
				c = newCore(limit, !d.HasArg("quiet"), 0)
				c.prompt, c.oneCore = d.HasArg("prompt"), d.HasArg("onecore")
				var think int
				d.MaybeScanArgs(t, "think", &think)
				c.think = time.Duration(think) * time.Second
			}
			var out strings.Builder
			for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
				at, event, err := parseEvent(line)
				if err != nil {
					d.Fatalf(t, "%q: %v", line, err)
				}
				fmt.Fprintln(&out, strings.TrimSpace(line))
				for _, a := range c.step(at, event) {
					fmt.Fprintln(&out, "    "+spellAction(a))
				}
			}
			if next, ok := c.next(); ok {
				fmt.Fprintln(&out, "next tick", next)
			}
			return out.String()
		})
	})
}

// fields hands out the words of an event line.
type fields struct {
	words []string
	err   error
}

func (f *fields) word() string {
	if len(f.words) == 0 {
		f.err = errors.New("too few words")
		return ""
	}
	w := f.words[0]
	f.words = f.words[1:]
	return w
}

func (f *fields) number() int {
	n, err := strconv.Atoi(f.word())
	f.err = errors.Join(f.err, err)
	return n
}

func (f *fields) duration() time.Duration {
	d, err := time.ParseDuration(f.word())
	f.err = errors.Join(f.err, err)
	return d
}

func (f *fields) rest() string {
	text := strings.Join(f.words, " ")
	f.words = nil
	return text
}

func (f *fields) flag(name string) bool {
	if len(f.words) == 0 || f.words[0] != name {
		return false
	}
	f.words = f.words[1:]
	return true
}

func (f *fields) term() (kif.Term, bool) {
	text := f.rest()
	if text == "" || text == "NIL" {
		return kif.Term{}, false
	}
	t, err := kif.ParseTerm(text)
	f.err = errors.Join(f.err, err)
	return t, true
}

func (f *fields) moves() []kif.Term {
	t, _ := f.term()
	return t.Items
}

func parseEvent(line string) (time.Duration, any, error) {
	f := &fields{words: strings.Fields(line)}
	at := f.duration()
	event := f.event(f.word(), at)
	if event == nil {
		f.err = errors.Join(f.err, errors.New("unknown event"))
	}
	return at, event, f.err
}

func (f *fields) event(kind string, at time.Duration) any {
	switch kind {
	case "start":
		e := started{match: f.word(), req: f.number(), role: kif.Symbol(f.word()), received: at, guess: kif.Symbol("noop")}
		e.startClock, e.playClock = f.duration(), f.duration()
		return e
	case "play":
		e := asked{match: f.word(), req: f.number(), received: at}
		if f.flag("received") {
			e.received = f.duration()
		}
		e.moves = f.moves()
		return e
	case "stop":
		return stopped{match: f.word(), req: f.number(), moves: f.moves()}
	case "abort":
		return stopped{match: f.word(), req: f.number(), abort: true}
	case "left":
		return left{f.number()}
	case "tick":
		return ticked{}
	}
	id := f.number()
	if e := f.told(kind); e != nil {
		return told{id, e}
	}
	return nil
}

// told is what a worker tells.
func (f *fields) told(kind string) any {
	switch kind {
	case "prepared":
		return prepared{role: f.number(), kind: "prover"}
	case "unplayable":
		return prepared{err: errors.New(f.rest())}
	case "at":
		e := positioned{turn: f.number(), legal: f.number(), again: f.flag("again"), terminal: f.flag("terminal")}
		e.move, _ = f.term()
		return e
	case "rejected":
		return rejected{turn: f.number(), why: why(f.rest())}
	case "foreseen":
		e := foreseen{turn: f.number(), sure: f.flag("sure")}
		e.move, _ = f.term()
		return e
	case "mused":
		e := progress{turn: f.number()}
		e.thought = f.thought()
		return e
	case "halted", "done":
		e := searched{turn: f.number()}
		if e.thought = f.thought(); kind == "done" {
			e.end = endDone
		}
		return e
	case "fault":
		return searched{turn: f.number(), end: endFault, fault: errors.New(f.rest())}
	case "improved":
		return improved{}
	case "choosing", "chosen":
		return choosing{kind == "choosing"}
	case "compiled":
		return compiled{}
	case "adopted":
		return adopted{kind: f.word(), plan: "orthodox", lanes: 64}
	case "kept":
		return adopted{err: errNothingNewer}
	}
	return nil
}

// why is an error with a text, of illegal moves if it begins like one.
func why(text string) error {
	if rest, ok := strings.CutPrefix(text, board.ErrIllegal.Error()); ok {
		return fmt.Errorf("%w%s", board.ErrIllegal, rest)
	}
	return errors.New(text)
}

func (f *fields) thought() thought {
	n := int64(f.number())
	t := thought{iterations: n, playouts: n, nodes: n / 2, value: 0.625}
	t.move, t.found = f.term()
	return t
}

func spellAction(a action) string {
	switch a := a.(type) {
	case reply:
		if a.ok {
			return fmt.Sprintf("reply %d: %v", a.req, a.move)
		}
		return fmt.Sprintf("reply %d: %s", a.req, a.text)
	case order:
		text := fmt.Sprintf("order %d: %T", a.instanceID, a.task)
		switch task := a.task.(type) {
		case advance:
			text += fmt.Sprintf(" to turn %d by %v", task.turn, kif.List(task.moves...))
			if task.force {
				text += " by force"
			}
		case startSearch:
			text += fmt.Sprintf(" turn %d", task.turn)
		}
		return strings.NewReplacer("player.startSearch", "ponder", "player.fallBackToProver", "retreat", "player.", "").Replace(text)
	case halt:
		return fmt.Sprintf("halt %d", a.instanceID)
	case free:
		return fmt.Sprintf("free %d", a.instanceID)
	case note:
		text := "log " + a.level.String() + " " + a.text
		for _, attr := range a.attrs {
			if attr.Value.Kind() == slog.KindString && attr.Value.String() == "" {
				continue
			}
			text += " " + attr.String()
		}
		return text
	}
	return fmt.Sprintf("%T", a)
}

// TestLogHoldsNoWholeMove: a manager may send moves of megabytes.
func TestLogHoldsNoWholeMove(t *testing.T) {
	items := slices.Repeat([]kif.Term{kif.Symbol("a")}, 1<<20)
	c, m := newCore(1, false, 0), &match{id: "m", turns: []turn{{currentMove: kif.List(items...), source: "guess"}}}
	c.answer(m)
	for _, a := range c.out {
		for _, attr := range a.(note).attrs {
			if n := len(attr.Value.String()); n > printable.LogLimit {
				t.Errorf("%s has %d bytes", attr.Key, n)
			}
		}
	}
	if len(c.out) != 1 {
		t.Errorf("%d actions, want the line alone", len(c.out))
	}
}
