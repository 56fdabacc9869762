package protocol

import (
	"strconv"
	"strings"

	"semisplit/kif"
)

// An opening is what the beginning of a message says: enough to tell whether
// the rest is worth reading.
type opening struct {
	kind        Kind
	name, match string // match is empty where none stands in its place
	imperfect   bool   // the form of GDL-II
}

// openingLimit is how many bytes may pass before the opening is complete.
const openingLimit = 4096

// readOpening reads the opening of a message, in KIF, of which text may be no
// more than the beginning. ok is false where there is none: more text is
// wanted, if done is false, or it is no list that begins with a name.
func readOpening(text string) (o opening, ok, done bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	if len(text) > openingLimit {
		text = text[:openingLimit]
	}
	names, done := kif.Leading(text, 3)
	done = done || len(text) == openingLimit
	if len(names) == 0 || !done {
		return opening{}, false, done
	}
	return openingOf(names), true, true
}

// openingOf makes an opening of the first names of a message.
func openingOf(names []string) opening {
	o := opening{name: names[0], kind: kindOf(names[0])}
	row := o.kind.row()
	if row.match && len(names) > 1 {
		o.match = names[1]
	}
	if row.moves && len(names) > 2 {
		_, err := strconv.Atoi(names[2])
		o.imperfect = err == nil
	}
	return o
}

// suffices tells whether a message is answered by its opening alone, because
// the rest says nothing to the player, or because the player does not want it.
func (o opening) suffices(p Player) bool {
	row := o.kind.row()
	if row.match && o.match == "" {
		return false
	}
	return row.brief || row.refused != "" && !p.Admits(o.kind, o.match)
}

// message is an opening as a message that has no more to it, and reply what
// is said to one that is not admitted; empty: the player is asked.
func (o opening) message() (m Message, reply string) {
	m = Message{Kind: o.kind, Name: o.name, Match: o.match, Imperfect: o.imperfect}
	if !o.imperfect {
		reply = o.kind.row().refused
	}
	return m, reply
}

// limit is the longest text that a message with this opening may have.
func (o opening) limit(s *ServerOptions) int64 {
	if o.kind.row().rules {
		return s.BodyLimit
	}
	return min(s.BodyLimit, s.TurnLimit)
}
