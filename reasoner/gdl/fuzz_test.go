package gdl_test

import (
	"strings"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// fuzzLimits keep a fuzzer's descriptions small enough to be quick.
var fuzzLimits = gdl.Limits{Rules: 2000, Bodies: 20_000, Literals: 50, Variables: 20, Arguments: 10, Depth: 10, Alternatives: 8}

// FuzzAnalyze: whatever the text, there is a program or an error and never
// both, and a program is written as a text that reads back.
func FuzzAnalyze(f *testing.F) {
	f.Add(plain)
	for _, test := range odd {
		if len(test.text) < 200 {
			f.Add(test.text + plain)
		}
	}
	for _, test := range alone {
		f.Add(test.text)
	}
	f.Add(doublingRoles(40))
	f.Fuzz(func(t *testing.T, text string) {
		terms, err := (kif.Limits{Bytes: 1 << 14}).Parse(text)
		if err != nil {
			return
		}
		p, diags := fuzzLimits.Analyze(terms)
		if (p == nil) != (diags.Err() != nil) {
			t.Fatalf("program is nil: %v, error: %v", p == nil, diags.Err())
		}
		if p == nil {
			return
		}
		again, diags := gdl.Read(p.String())
		if err := diags.Err(); err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		if got, want := rules(again), rules(p); got != want {
			t.Fatalf("read\n%s\nwritten\n%s", want, got)
		}
	})
}

// rules is the part of the dump that is no comment.
func rules(p *gdl.Program) string {
	text := p.String()
	for strings.HasPrefix(text, ";") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}
