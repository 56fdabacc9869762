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
	switch o.kind {
	case KindStart, KindPlay, KindStop, KindAbort:
	default:
		return o
	}
	if len(names) > 1 {
		o.match = names[1]
	}
	if len(names) > 2 && (o.kind == KindPlay || o.kind == KindStop) {
		_, err := strconv.Atoi(names[2])
		o.imperfect = err == nil
	}
	return o
}

// kindOf is the kind of the messages of a name, which comes in any case.
func kindOf(name string) Kind {
	switch upper := strings.ToUpper(name); upper {
	case "INFO":
		// Managers that want name and status write INFO in capitals; those
		// that write (info) take a bare status and may not read a list.
		if name == "info" {
			return KindPing
		}
		return KindInfo
	default:
		for k := KindPing; k <= KindAbort; k++ {
			if upper == kindNames[k] {
				return k
			}
		}
	}
	return KindUnknown
}

// suffices tells whether a message is answered by its opening alone, because
// the rest says nothing to the player, or because the player does not want it.
func (o opening) suffices(p Player) bool {
	switch o.kind {
	case KindStart, KindPlay, KindStop:
		return o.match != "" && !p.Admits(o.kind, o.match)
	case KindPreview:
		return !p.Admits(o.kind, "")
	case KindAbort:
		return o.match != ""
	}
	return true
}

// message is an opening as a message that has no more to it, and reply what
// is said to one that is not admitted; empty: the player is asked.
func (o opening) message() (m Message, reply string) {
	m = Message{Kind: o.kind, Name: o.name, Match: o.match, Imperfect: o.imperfect}
	switch o.kind {
	case KindPlay, KindStop:
		if !o.imperfect {
			reply = replyBusy
		}
	case KindStart:
		reply = replyBusy
	case KindPreview:
		reply = replyDone
	}
	return m, reply
}

// limit is the longest text that a message with this opening may have.
func (o opening) limit(s *ServerOptions) int64 {
	if o.kind == KindStart || o.kind == KindPreview {
		return s.BodyLimit
	}
	return min(s.BodyLimit, s.TurnLimit)
}
