package referee

import (
	"slices"
	"testing"

	"semisplit/kif"
)

// What people write for a move means that move; what fits several shows them.
func TestTyped(t *testing.T) {
	var choices []choice
	for i, text := range []string{
		"noop", "(move 5 2 5 4)", "(move 5 2 5 3)", "(move 1 2 1 3)", "(move 11 2 12 3)", "(move 1 12 1 3)",
		"(castle kingside)", "(drop 4)", "(place a 3 knight)", "(move pawn c 7 c 8)",
	} {
		move, err := kif.ParseTerm(text)
		if err != nil {
			t.Fatal(err)
		}
		choices = append(choices, choice{number: i + 1, move: move})
	}
	for _, x := range []struct {
		line string
		want []string
	}{
		{"e2e4", []string{"(move 5 2 5 4)"}},
		{"E2-E4", []string{"(move 5 2 5 4)"}},
		{"5 2 5 4", []string{"(move 5 2 5 4)"}},
		{"5254", []string{"(move 5 2 5 4)"}},
		{"move 5 2 5 4", []string{"(move 5 2 5 4)"}},
		{"e4", []string{"(move 5 2 5 4)"}},
		{"e2", []string{"(move 5 2 5 4)", "(move 5 2 5 3)"}},
		{"a3", []string{"(place a 3 knight)"}},
		{"11213", []string{"(move 1 12 1 3)"}},
		{"1213", []string{"(move 1 2 1 3)"}},
		{"112", []string{"(move 11 2 12 3)", "(move 1 12 1 3)"}},
		{"castle", []string{"(castle kingside)"}},
		{"Kingside", []string{"(castle kingside)"}},
		{"4", []string{"(move 1 2 1 3)"}}, // its number
		{"a3knight", []string{"(place a 3 knight)"}},
		{"pc7c8", nil},
		{"c7c8", []string{"(move pawn c 7 c 8)"}},
		{"pass", nil},
		{"-", nil},
		{"99", nil},
	} {
		move, several, complaint := pick(x.line, choices)
		var got []string
		for _, c := range several {
			got = append(got, c.move.String())
		}
		if complaint == "" {
			got = []string{move.String()}
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%q means %v, not %v", x.line, got, x.want)
		}
	}
	if _, _, complaint := pick("castel kingside", choices); complaint != `"castel kingside" is not a legal move. Did you mean (castle kingside)?` {
		t.Error(complaint)
	}
}

// FuzzPick: whatever a person types is a move that was offered, or is met with words.
func FuzzPick(f *testing.F) {
	for _, seed := range []string{"4", "e2e4", "(move 5 2 5 4)", "-", "((((", "\x00\xff", "99999999999999999999", "e", "move"} {
		f.Add(seed)
	}
	var choices []choice
	for i, text := range []string{"noop", "(move 5 2 5 4)", "(move e 10 e 4)", "(castle (kingside))"} {
		move, err := kif.ParseTerm(text)
		if err != nil {
			f.Fatal(err)
		}
		choices = append(choices, choice{number: i + 1, move: move})
	}
	f.Fuzz(func(t *testing.T, line string) {
		move, several, complaint := pick(line, choices)
		offered := slices.ContainsFunc(choices, func(c choice) bool { return kif.Equal(c.move, move) })
		if offered != (complaint == "") || complaint == "" && len(several) > 1 {
			t.Errorf("%q: %v, %v, %q", line, move, several, complaint)
		}
	})
}
