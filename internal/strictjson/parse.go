// Package strictjson reads JSON files that people write: a fault is told with
// its line, a key that means nothing is one, and so is a key that stands twice.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Value is parsed JSON that remembers its lines and the order of keys.
type Value struct {
	Line  int
	Kind  Kind
	Text  string  // of a scalar: the string, or the literal
	Keys  []Value // of an object, as text
	Items []Value // of an object, beside Keys, or of a list
}

// Kind is the type of a Value.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Text
	Number
	Bool
	Object
	List
)

// maxDepth bounds the nesting of a file; an agent has four levels.
const maxDepth = 16

// Fault is an error in a file.
type Fault struct {
	Line int
	Text string
}

func (f *Fault) Error() string { return fmt.Sprintf("line %d: %s", f.Line, f.Text) }

// Faultf is a fault on the line of a value.
func (v Value) Faultf(format string, args ...any) error {
	return &Fault{v.Line, fmt.Sprintf(format, args...)}
}

// Show names a value in an error.
func (v Value) Show() string {
	switch v.Kind {
	case Object:
		return "an object"
	case List:
		return "a list"
	case Text:
		return strconv.Quote(Clip(v.Text))
	}
	return Clip(v.Text)
}

// Clip shortens what a file said for an error.
func Clip(text string) string {
	const most = 60 // bytes
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// reader parses a text; it counts lines as it goes.
type reader struct {
	text    []byte
	dec     *json.Decoder
	line    int
	counted int64 // offset up to which lines are counted
}

// Parse parses a text that holds one value.
func Parse(text []byte) (Value, error) {
	r := &reader{text: text, dec: json.NewDecoder(bytes.NewReader(text)), line: 1}
	r.dec.UseNumber()
	v, err := r.value(0)
	if err != nil {
		return Value{}, err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		r.count(r.dec.InputOffset())
		return Value{}, &Fault{r.line, "text after the end of the JSON object"}
	}
	return v, nil
}

func (r *reader) count(offset int64) {
	offset = min(max(offset, r.counted), int64(len(r.text)))
	r.line += bytes.Count(r.text[r.counted:offset], []byte("\n"))
	r.counted = offset
}

// token is the next one; r.line is its line afterwards.
func (r *reader) token() (json.Token, error) {
	t, err := r.dec.Token()
	r.count(r.dec.InputOffset())
	if err == nil {
		return t, nil
	}
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		r.count(syntax.Offset)
		return nil, &Fault{r.line, "this is no JSON: " + syntax.Error()}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		r.count(int64(len(r.text)))
		return nil, &Fault{r.line, "the file ends before its JSON object does"}
	}
	return nil, &Fault{r.line, err.Error()}
}

func (r *reader) value(depth int) (Value, error) {
	t, err := r.token()
	if err != nil {
		return Value{}, err
	}
	v := Value{Line: r.line}
	switch t := t.(type) {
	case nil:
		v.Kind, v.Text = Null, "null"
	case string:
		v.Kind, v.Text = Text, t
	case json.Number:
		v.Kind, v.Text = Number, t.String()
	case bool:
		v.Kind, v.Text = Bool, fmt.Sprint(t)
	case json.Delim:
		if depth == maxDepth {
			return Value{}, v.Faultf("objects are nested more than %d deep", maxDepth)
		}
		v.Kind = List
		if t == '{' {
			v.Kind = Object
		}
		err = r.inside(&v, depth)
	}
	return v, err
}

// inside reads what follows an opening delimiter, and the closing one.
func (r *reader) inside(v *Value, depth int) error {
	for r.dec.More() {
		if v.Kind == Object {
			key, err := r.value(depth + 1)
			if err != nil {
				return err
			}
			v.Keys = append(v.Keys, key)
		}
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		v.Items = append(v.Items, item)
	}
	_, err := r.token()
	return err
}
