package reasoner_test

import (
	"os"
	"path/filepath"
	"testing"

	"semisplit/reasoner"
)

// BenchmarkSetup is the way from parsed rules to a machine, by plan.
func BenchmarkSetup(b *testing.B) {
	corpus := os.Getenv("GGP_CORPUS")
	if corpus == "" {
		corpus = "../../shared"
	}
	for _, c := range []struct{ game, plan string }{
		{"breakthrough", "orthodox"}, {"checkers", "orthodox"}, {"skirmish", "orthodox"}, {"hex", "orthodox"}, {"amazons", "mod"}, {"chess", "mod"},
	} {
		b.Run(c.game+"/"+c.plan, func(b *testing.B) {
			text, err := os.ReadFile(filepath.Join(corpus, "gdl", c.game+".kif"))
			if err != nil {
				b.Skip("no published games: set GGP_CORPUS to their folder")
			}
			program, diagnostics := reasoner.Read(string(text))
			if err := diagnostics.Err(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				circuit, err := reasoner.NewOutline(program).Circuit(b.Context(), c.plan, reasoner.DefaultLimits)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := circuit.Machine(reasoner.Widths()[len(reasoner.Widths())-1]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
