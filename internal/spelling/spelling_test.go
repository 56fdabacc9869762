package spelling_test

import (
	"slices"
	"strings"
	"testing"

	"semisplit/internal/spelling"
)

func TestNear(t *testing.T) {
	words := []string{"auto", "house", "orthodox", "orthodox-mast-rave", "label", "name", "seconds", "tictactoe", "connectfour", "eightpuzzle", "go9", "go", "hex", "nim"}
	for given, want := range map[string]string{
		"nosuch": "", "{}": "", "": "", "x": "", "zzzzzzzz": "", "administration": "", "hexadecimal": "", "it": "", "g": "", "naem x": "",
		strings.Repeat("o", 100_000): "",
		"autoo":                      "auto", "hous": "house", "House": "house", "lable": "label", "nmae": "name", "second": "seconds", "sec": "seconds",
		"tictacto": "tictactoe", "puzzle": "eightpuzzle", "four": "connectfour", "g9": "go9 go", "nimm": "nim", "ortodox": "orthodox",
		"orthodox": "orthodox orthodox-mast-rave", "ort\xffdox": "orthodox",
	} {
		if got := spelling.Near(given, words, 3); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%.20q: %q, not %q", given, got, want)
		}
	}
	if got := spelling.Near("orth", words, 1); len(got) != 1 {
		t.Errorf("not one word: %q", got)
	}
}
