package protocol

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzCanonicalJSON: the canonical form of a document says the same as the
// document, by another reader, and is its own canonical form.
func FuzzCanonicalJSON(f *testing.F) {
	for _, s := range []string{`{}`, `{"b":1.50,"a":[null,true,"</x>\u2028"]}`, `{"a":1,"a":2}`, `[1e5,-0.0]`, `{"matchHostSignature":"A0","x":{"matchHostSignature":1}}`, `"\ud800"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := canonicalJSON(data, "")
		if err != nil {
			return
		}
		again, err := canonicalJSON([]byte(text), "")
		if err != nil || again != text {
			t.Fatalf("%s became %s, %v", text, again, err)
		}
		var want, got any
		if err := json.Unmarshal(data, &want); err != nil {
			return // encoding/json refuses more, such as numbers out of range
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if strings.ContainsRune(string(data), '\\') || strings.ContainsRune(text, '\ufffd') {
			return // lone surrogates and bytes that are not UTF-8 are read differently
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s became %s", data, text)
		}
	})
}
