package reasoner_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"semisplit/internal/testenv"
	"semisplit/reasoner"
)

// BenchmarkSetup is the way from parsed rules to a machine, by plan.
func BenchmarkSetup(b *testing.B) {
	for _, c := range []struct{ game, plan string }{
		{"breakthrough", "orthodox"}, {"checkers", "orthodox"}, {"skirmish", "orthodox"}, {"hex", "orthodox"}, {"amazons", "mod"}, {"chess", "mod"},
	} {
		b.Run(c.game+"/"+c.plan, func(b *testing.B) {
			program, diagnostics := reasoner.Read(testenv.Rules(b, c.game))
			if err := diagnostics.Err(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				circuit, err := reasoner.NewAnalysis(program).Circuit(b.Context(), c.plan, reasoner.DefaultLimits)
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

// BenchmarkFirstMachine is what a match waits for: from the rules of START to
// the first machine in lanes, whatever its plan, for every published game. It
// logs those that take longer than a second.
func BenchmarkFirstMachine(b *testing.B) {
	names := testenv.Published(b)
	for b.Loop() {
		quick, slowest := 0, time.Duration(0)
		for _, name := range names {
			text := testenv.Rules(b, name)
			runtime.GC()
			begin := time.Now()
			program, diagnostics := reasoner.Read(text)
			if err := diagnostics.Err(); err != nil {
				b.Fatalf("%s: %v", name, err)
			}
			ctx, cancel := context.WithCancel(b.Context())
			c, err := reasoner.Compile(ctx, program, reasoner.DefaultLimits)
			if err != nil {
				b.Fatalf("%s: %v", name, err)
			}
			m, ok := <-c.Better()
			took := time.Since(begin)
			cancel()
			<-c.Done()
			if !ok || m.Kind() != "lanes" {
				b.Errorf("%s: no machine in lanes: %v", name, c.Err())
			}
			if took < time.Second {
				quick++
			} else {
				b.Logf("%s: %.1f s, plan %s", name, took.Seconds(), m.Plan())
			}
			slowest = max(slowest, took)
		}
		b.ReportMetric(100*float64(quick)/float64(len(names)), "%-in-1-s")
		b.ReportMetric(slowest.Seconds(), "s-slowest")
	}
}
