package player

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A jsonValue is parsed JSON that remembers its lines and the order of keys.
type jsonValue struct {
	line  int
	kind  jsonKind
	text  string      // of a scalar: the string, or the literal
	keys  []jsonValue // of an object, as text
	items []jsonValue // of an object, beside keys, or of a list
}

type jsonKind uint8

const (
	jsonNull jsonKind = iota
	jsonText
	jsonNumber
	jsonBool
	jsonObject
	jsonList
)

// jsonDepth bounds the nesting of a file; an agent has four levels.
const jsonDepth = 16

// fault is an error in an agent file. It has no line for an agent that was
// not read.
type fault struct {
	line int
	text string
}

func (f *fault) Error() string {
	if f.line == 0 {
		return f.text
	}
	return fmt.Sprintf("line %d: %s", f.line, f.text)
}

func (v jsonValue) faultf(format string, args ...any) error {
	return &fault{v.line, fmt.Sprintf(format, args...)}
}

// jsonReader parses a text; it counts lines as it goes.
type jsonReader struct {
	text []byte
	dec  *json.Decoder
	line int
	at   int64 // offset up to which lines are counted
}

// parseJSON parses a text that holds one value.
func parseJSON(text []byte) (jsonValue, error) {
	r := &jsonReader{text: text, dec: json.NewDecoder(bytes.NewReader(text)), line: 1}
	r.dec.UseNumber()
	v, err := r.value(0)
	if err != nil {
		return jsonValue{}, err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		r.count(r.dec.InputOffset())
		return jsonValue{}, &fault{r.line, "text after the end of the JSON object"}
	}
	return v, nil
}

func (r *jsonReader) count(offset int64) {
	offset = min(max(offset, r.at), int64(len(r.text)))
	r.line += bytes.Count(r.text[r.at:offset], []byte("\n"))
	r.at = offset
}

// token is the next one; r.line is its line afterwards.
func (r *jsonReader) token() (json.Token, error) {
	t, err := r.dec.Token()
	r.count(r.dec.InputOffset())
	if err == nil {
		return t, nil
	}
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		r.count(syntax.Offset)
		return nil, &fault{r.line, "this is no JSON: " + syntax.Error()}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		r.count(int64(len(r.text)))
		return nil, &fault{r.line, "the file ends before its JSON object does"}
	}
	return nil, &fault{r.line, err.Error()}
}

func (r *jsonReader) value(depth int) (jsonValue, error) {
	t, err := r.token()
	if err != nil {
		return jsonValue{}, err
	}
	v := jsonValue{line: r.line}
	switch t := t.(type) {
	case nil:
		v.kind, v.text = jsonNull, "null"
	case string:
		v.kind, v.text = jsonText, t
	case json.Number:
		v.kind, v.text = jsonNumber, t.String()
	case bool:
		v.kind, v.text = jsonBool, fmt.Sprint(t)
	case json.Delim:
		if depth == jsonDepth {
			return jsonValue{}, v.faultf("objects are nested more than %d deep", jsonDepth)
		}
		v.kind = jsonList
		if t == '{' {
			v.kind = jsonObject
		}
		err = r.inside(&v, depth)
	}
	return v, err
}

// inside reads what follows an opening delimiter, and the closing one.
func (r *jsonReader) inside(v *jsonValue, depth int) error {
	for r.dec.More() {
		if v.kind == jsonObject {
			key, err := r.value(depth + 1)
			if err != nil {
				return err
			}
			v.keys = append(v.keys, key)
		}
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	_, err := r.token()
	return err
}
