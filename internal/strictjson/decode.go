package strictjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"semisplit/internal/spelling"
)

// Decode reads a text that holds one value into a struct. Keys that its json
// tags do not name are faults, with the key that is likely meant.
func Decode(text []byte, into any) error {
	root, err := Parse(text)
	if err != nil {
		return err
	}
	if err := checkKeys(root, reflect.TypeOf(into), Keys(reflect.TypeOf(into))); err != nil {
		return err
	}
	err = json.Unmarshal(text, into)
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		line := 1 + bytes.Count(text[:min(max(kind.Offset, 0), int64(len(text)))], []byte("\n"))
		return Value{Line: line}.Faultf("%s: a JSON %s does not belong there", cmp.Or(kind.Field, "the file"), kind.Value)
	}
	return err
}

// checkKeys looks for keys that are not those of a type; known are the keys of
// all types around it. Whether a value is of the type is not looked at.
func checkKeys(v Value, kind reflect.Type, known []string) error {
	for kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	var fields map[string]reflect.Type
	if v.Kind == Object && kind.Kind() == reflect.Struct {
		fields = fieldsOf(kind)
	}
	for i, item := range v.Items {
		inner := kind
		if slices.Contains([]reflect.Kind{reflect.Slice, reflect.Map}, kind.Kind()) {
			inner = kind.Elem()
		}
		if v.Kind == Object {
			key := v.Keys[i]
			if slices.ContainsFunc(v.Keys[:i], func(other Value) bool { return other.Text == key.Text }) {
				return key.Faultf("%s stands here twice", Clip(key.Text))
			}
			if fields != nil {
				if inner = fields[key.Text]; inner == nil {
					return unknownKey(key, known)
				}
			}
		}
		if err := checkKeys(item, inner, known); err != nil {
			return err
		}
	}
	return nil
}

func unknownKey(key Value, known []string) error {
	if slices.Contains(known, key.Text) {
		return key.Faultf("key %q belongs to another object", key.Text)
	}
	if near := spelling.Near(key.Text, known, 1); len(near) > 0 {
		return key.Faultf("unknown key %q: did you mean %q?", Clip(key.Text), near[0])
	}
	return key.Faultf("unknown key %q: there are %s", Clip(key.Text), strings.Join(known, ", "))
}

// element is the type of what a pointer, list or map holds in the end.
func element(kind reflect.Type) reflect.Type {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, kind.Kind()) {
		kind = kind.Elem()
	}
	return kind
}

// fieldsOf are the types of a struct's fields by key.
func fieldsOf(kind reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(kind) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && !f.Anonymous && key != "-" {
			fields[cmp.Or(key, f.Name)] = f.Type
		}
	}
	return fields
}

// Keys are the keys of a type and of what is in it, sorted.
func Keys(kind reflect.Type) []string {
	var keys []string
	if kind = element(kind); kind.Kind() == reflect.Struct {
		for key, inner := range fieldsOf(kind) {
			keys = append(append(keys, key), Keys(inner)...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
