package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// strict decodes one JSON value and refuses what it does not know, with
// advice.
func strict(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return explain(text, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the end of the JSON value")
	}
	return nil
}

// explain adds the line or advice to an error of encoding/json.
func explain(text []byte, err error) error {
	if quoted, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		key := strings.Trim(quoted, `"`)
		known := specKeys()
		if slices.Contains(known, key) {
			return fmt.Errorf("key %q belongs to another object", key)
		}
		near := slices.MinFunc(known, func(a, b string) int {
			return levenshtein.ComputeDistance(key, a) - levenshtein.ComputeDistance(key, b)
		})
		return fmt.Errorf("unknown key %q: did you mean %q?", key, near)
	}
	offset := int64(-1)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = syntax.Offset
	} else if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset = kind.Offset
	}
	if offset < 0 || offset > int64(len(text)) {
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:offset], []byte("\n")), err)
}

// specKeys are the keys of a spec and of what is in it, sorted.
func specKeys() []string {
	var keys []string
	for _, part := range []any{Spec{}, GameEntry{}, AgentEntry{}, Vary{}, Setting{}, SPRT{}} {
		kind := reflect.TypeOf(part)
		for i := range kind.NumField() {
			key, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
