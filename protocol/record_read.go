package protocol

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"semisplit/kif"
	"semisplit/protocol/internal/untrusted"
)

// ParseRecord reads a match record, of whatever manager, and validates it.
// Keys beyond the schema are left alone; null counts as missing. What old
// records leave out is filled in: the errors (none), the role names (by their
// number), the clocks that they never had (-1).
func ParseRecord(data []byte) (*Record, error) {
	doc, err := untrusted.ParseJSON(data)
	if err != nil {
		return nil, recordError("%v", err)
	}
	if !doc.IsObject() {
		return nil, recordError("expected a JSON object")
	}
	d := &recordReader{doc: doc}
	r := &Record{
		MatchID:         d.text("matchId"),
		RandomToken:     d.text("randomToken"),
		StartTime:       d.number("startTime", 0),
		GameMetaURL:     d.text("gameMetaURL"),
		GameName:        d.text("gameName"),
		GameRoleNames:   d.texts("gameRoleNames"),
		IsCompleted:     d.flag("isCompleted"),
		IsAborted:       d.flag("isAborted"),
		States:          d.texts("states"),
		Moves:           d.rows("moves"),
		StateTimes:      d.numbers("stateTimes"),
		Errors:          d.rows("errors"),
		Comments:        d.rows("comments"),
		PreviewClock:    int(d.number("previewClock", -1)),
		StartClock:      int(d.number("startClock", 0)),
		PlayClock:       int(d.number("playClock", 0)),
		PlayerNames:     d.texts("playerNamesFromHost"),
		Tournament:      d.text("tournamentNameFromHost"),
		Scrambled:       d.flag("scrambled"),
		Weight:          d.real("weight", 1),
		AnalysisClock:   int(d.number("analysisClock", -1)),
		MatchHostPK:     d.text("matchHostPK"),
		MatchHostSigned: d.text("matchHostSignature"),
	}
	for _, g := range d.numbers("goalValues") {
		r.GoalValues = append(r.GoalValues, int(g))
	}
	d.each("isPlayerHuman", func(key string, v gjson.Result) {
		d.want(key, v, v.IsBool(), "true or false")
		r.IsPlayerHuman = append(r.IsPlayerHuman, v.Bool())
	})
	if d.err != nil {
		return nil, d.err
	}
	r.fillIn()
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if err := r.checkTerms(); err != nil {
		return nil, err
	}
	return r, nil
}

// fillIn adds what records may leave out.
func (r *Record) fillIn() {
	if r.GameRoleNames == nil {
		n := len(r.GoalValues)
		if len(r.Moves) > 0 {
			n = len(r.Moves[0])
		}
		for i := range n {
			r.GameRoleNames = append(r.GameRoleNames, strconv.Itoa(i+1))
		}
	}
	if len(r.Errors) == 0 && len(r.Moves) > 0 {
		r.Errors = make([][]string, len(r.Moves))
	}
	for i, row := range r.Errors {
		if len(row) == 0 {
			r.Errors[i] = make([]string, len(r.GameRoleNames))
		}
	}
}

// checkTerms reads every state and move, so that State and JointMove cannot fail later.
func (r *Record) checkTerms() error {
	for i, s := range r.States {
		if t, err := kif.ParseTerm(s); err != nil || !t.IsList() {
			return recordError("state %d is not a list of facts: %q", i, clip(s))
		}
	}
	for i, row := range r.Moves {
		for _, m := range row {
			if _, err := kif.ParseTerm(m); err != nil {
				return recordError("turn %d has a move that is no term: %q", i+1, clip(m))
			}
		}
	}
	return nil
}

// State returns the facts of state i (0 is the initial one) as terms.
func (r *Record) State(i int) ([]kif.Term, error) {
	t, err := kif.ParseTerm(r.States[i])
	if err != nil {
		return nil, recordError("state %d: %v", i, err)
	}
	return t.Items, nil
}

// JointMove returns the moves of turn i (0 is the first), in role order.
func (r *Record) JointMove(i int) ([]kif.Term, error) {
	moves := make([]kif.Term, len(r.Moves[i]))
	for k, text := range r.Moves[i] {
		t, err := kif.ParseTerm(text)
		if err != nil {
			return nil, recordError("turn %d: %v", i+1, err)
		}
		moves[k] = t
	}
	return moves, nil
}

// A recordReader takes typed values out of a document and keeps the first
// fault.
type recordReader struct {
	doc gjson.Result
	err error
}

// get returns the value of a key; a missing one and null are the same.
func (d *recordReader) get(key string) (gjson.Result, bool) {
	v := d.doc.Get(key)
	return v, v.Exists() && v.Type != gjson.Null
}

func (d *recordReader) want(key string, v gjson.Result, ok bool, expected string) {
	if !ok && d.err == nil {
		d.err = recordError("%s is %s: expected %s", key, clip(strings.TrimSpace(v.Raw)), expected)
	}
}

func (d *recordReader) text(key string) string {
	v, ok := d.get(key)
	if !ok {
		return ""
	}
	d.want(key, v, v.Type == gjson.String, "a string")
	return v.String()
}

func (d *recordReader) flag(key string) bool {
	v, ok := d.get(key)
	if !ok {
		return false
	}
	d.want(key, v, v.IsBool(), "true or false")
	return v.Bool()
}

func (d *recordReader) real(key string, missing float64) float64 {
	v, ok := d.get(key)
	if !ok {
		return missing
	}
	d.want(key, v, v.Type == gjson.Number, "a number")
	return v.Float()
}

func (d *recordReader) number(key string, missing int64) int64 {
	v, ok := d.get(key)
	if !ok {
		return missing
	}
	return d.whole(key, v)
}

func (d *recordReader) whole(key string, v gjson.Result) int64 {
	d.want(key, v, v.Type == gjson.Number && float64(v.Int()) == v.Float(), "a whole number")
	return v.Int()
}

func (d *recordReader) each(key string, f func(key string, v gjson.Result)) {
	v, ok := d.get(key)
	if !ok {
		return
	}
	d.want(key, v, v.IsArray(), "an array")
	for _, item := range v.Array() {
		f(key, item)
	}
}

func (d *recordReader) numbers(key string) (out []int64) {
	d.each(key, func(key string, v gjson.Result) { out = append(out, d.whole(key, v)) })
	return out
}

func (d *recordReader) texts(key string) (out []string) {
	d.each(key, func(key string, v gjson.Result) {
		d.want(key, v, v.Type == gjson.String, "an array of strings")
		out = append(out, v.String())
	})
	return out
}

func (d *recordReader) rows(key string) (out [][]string) {
	d.each(key, func(key string, v gjson.Result) {
		d.want(key, v, v.IsArray(), "an array of arrays of strings")
		row := []string{}
		for _, item := range v.Array() {
			d.want(key, item, item.Type == gjson.String, "an array of arrays of strings")
			row = append(row, item.String())
		}
		out = append(out, row)
	})
	return out
}
