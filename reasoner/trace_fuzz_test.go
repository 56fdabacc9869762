package reasoner_test

import (
	"strings"
	"testing"

	"semisplit/reasoner"
)

// FuzzReadTraces feeds files of traces to the reader, and what it accepts to
// a machine: neither may fall over.
func FuzzReadTraces(f *testing.F) {
	program, diagnostics := reasoner.Read(`(role me) (init (step 1)) (succ 1 2) (legal me left) (legal me right)
		(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 2))) (goal me 100)`)
	if err := diagnostics.Err(); err != nil {
		f.Fatal(err)
	}
	f.Add(`{"game":"walk","roles":["me"],"steps":[{"fluents":1,"state":"00","legal":[{"n":2,"hash":"00","full":["left","right"]}],"moves":["left"]},{"terminal":true}],"goals":[100]}`)
	f.Add(`{"game":"walk","roles":["me","you"],"steps":[{"moves":["(","left"]}],"goals":[null]}`)
	f.Add("\n\n{}")
	f.Fuzz(func(t *testing.T, text string) {
		traces, err := reasoner.ReadTraces(strings.NewReader(text))
		if err != nil {
			return
		}
		m, err := reasoner.NewProver(program)
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range traces {
			_, diff, err := reasoner.Replay(m, trace, nil)
			if err == nil && diff != nil && diff.What == "" {
				t.Errorf("a difference without a subject: %v", diff)
			}
		}
	})
}
