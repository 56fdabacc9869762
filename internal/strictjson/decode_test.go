package strictjson

import (
	"strings"
	"testing"
)

type base struct {
	Deep int `json:"deep"`
}

type inner struct {
	base
	Count int            `json:"count"`
	Free  map[string]any `json:"free"`
}

type outer struct {
	Name  string           `json:"name"`
	One   *inner           `json:"one"`
	Many  []inner          `json:"many"`
	Named map[string]inner `json:"named"`
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"name": "a", "one": {"count": 1, "deep": 2, "free": {"any": {"x": 1}}}, "many": [{"count": 2}], "named": {"a": {"count": 3}}}`, ""},
		{`{"one": null, "many": []}`, ""},
		{"{\n\"nmae\": 1}", `line 2: unknown key "nmae": did you mean "name"?`},
		{"{\"many\": [{},\n{\"coun\": 1}]}", `line 2: unknown key "coun": did you mean "count"?`},
		{`{"named": {"x": {"cuont": 1}}}`, `did you mean "count"?`},
		{`{"count": 1}`, `key "count" belongs to another object`},
		{`{"zzzzzz": 1}`, `unknown key "zzzzzz": there are count, deep, free, many, name, named, one`},
		{`{"name": "a", "name": "b"}`, "name stands here twice"},
		{`{"one": {"count": 1.5}}`, "line 1: one.count: a JSON number 1.5 does not belong there"},
		{`[1]`, "line 1: the file: a JSON array does not belong there"},
		{`{"one": 7}`, "line 1: one: a JSON number does not belong there"},
		{`{} {}`, "line 1: text after the end of the JSON object"},
		{"{\n", "line 2: the file ends before its JSON object does"},
		{"", "line 1: the file ends before its JSON object does"},
		{"{\n]", "line 2: this is no JSON"},
		{strings.Repeat("[", 100), "nested"},
	} {
		err := Decode([]byte(c.text), &outer{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
