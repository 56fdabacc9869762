package greedy

import (
	"sync/atomic"
	"testing"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
)

// Who counts pieces wins against who knows nothing, whichever of the two is asked first, and
// nobody wins against itself. All matches that begin end.
func TestDuel(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	counting, blind := countingAndBlind(f)
	as := newPlay(m, 1)
	as.sparse = true
	for _, c := range []struct {
		what          string
		first, second *evaluation.Evaluation
		least, most   float64
	}{
		{"counting against blind", counting, blind, 0.5, 1},
		{"blind against counting", blind, counting, -1, -0.5},
		{"counting against itself", counting, counting, -0.4, 0.4},
	} {
		d := newDuel(&as, c.first, c.second, 40)
		const matches = 100
		if err := d.run(new(atomic.Bool), time.Now().Add(time.Minute), matches); err != nil {
			t.Fatal(err)
		}
		if d.results[0].n != matches/2 || d.results[1].n != matches/2 {
			t.Errorf("%s: %v and %v matches", c.what, d.results[0].n, d.results[1].n)
		}
		if lead := d.lead(); lead < c.least || lead > c.most {
			t.Errorf("%s: leads by %.2f", c.what, lead)
		}
	}
}

// A duel of which no match has ended, or in which nobody chooses, tells nothing.
func TestDuelWithoutMatches(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	e := evaluation.New(make([]float64, 2), make([]float32, 2*64*len(m.Initial())), nil)
	as := newPlay(m, 1)
	for what, until := range map[string]time.Time{"no time": time.Now(), "nobody chooses": time.Now().Add(time.Minute)} {
		d := newDuel(&as, e, e, 40)
		if what == "nobody chooses" {
			d.choose = nil
		}
		if err := d.run(new(atomic.Bool), until, 10); err != nil {
			t.Fatal(err)
		}
		if lead := d.lead(); lead != 0 || d.played() != 0 {
			t.Errorf("%s: leads by %v", what, lead)
		}
	}
}

// A match of a duel, with a look at replies.
func BenchmarkDuel(b *testing.B) {
	for _, game := range []string{"breakthrough", "connectfour"} {
		b.Run(game, func(b *testing.B) {
			program := gametest.Bundled(b, game)
			m := gametest.Lanes(b, program, "orthodox")
			f := evaluation.NewFeatures(m, program)
			counting, blind := countingAndBlind(f)
			as := newPlay(m, 1)
			d := newDuel(&as, counting, blind, 40)
			b.ResetTimer()
			if err := d.run(new(atomic.Bool), time.Now().Add(time.Hour), b.N); err != nil {
				b.Fatal(err)
			}
		})
	}
}
