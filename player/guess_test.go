package player

import (
	"testing"

	"semisplit/kif"
)

func TestGuess(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "noop",
		"(legal y (m 1))":               "noop",
		"(<= (legal X (m ?y)) (p ?y))":  "noop",
		"(does x a) (<= (LEGAL X b) t)": "b",
		"(legal x b) (input x (c 1 2))": "(c 1 2)",
	} {
		parsed, err := kif.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := guessMove(parsed, kif.Symbol("x")).String(); got != want {
			t.Errorf("guess from %q: %s, want %s", text, got, want)
		}
	}
}
