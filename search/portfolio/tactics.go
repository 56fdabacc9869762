package portfolio

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/forced"
	"semisplit/search/mcts"
)

// tactics looks for wins and losses that are forced, in turns with the forest or beside
// it, and tells the forest of them.
type tactics struct {
	search *forced.Search // nil: it has not begun
	plan   func() *forced.Search
	part   float64 // of the time of all threads, at most

	count int // joint moves in each search, whatever the budget; 0: what the clock allows

	root   []uint64
	idle   bool // there is nothing to ask at the root, or the search broke down there
	known  int  // facts at the root that decide something
	slices int  // since one came
	fault  error
}

const (
	// longestSlice is the time of a slice of tactics.
	longestSlice = 30 * time.Millisecond
	// tacticsPart is the part of the memory for tactics.
	tacticsPart = 8
	// What takes so many slices longer than its own is given up.
	mostOver = 3
	// After so many slices that prove nothing the next one is put off, twice as long each
	// time, up to mostPutOff times.
	patience   = 4
	mostPutOff = 8
	// Lines of the forest that are asked about have this part of its visits at the least.
	leastOfVisits = 0.02
	mostLines     = 32
)

// UseTactics lets forced wins and losses be looked for on an engine of their own, for so
// many percent of the time of all threads, where the clock ends a search. It needs the solver.
func (s *Search) UseTactics(e engine.Engine, levels []int, moveAtRandom []bool, percent int) {
	if percent <= 0 {
		return
	}
	s.tactics = &tactics{
		plan: func() *forced.Search { return forced.New(e, levels, moveAtRandom, s.forest.GiveMemory(tacticsPart)) },
		part: float64(min(percent, mostPercent)) / 100,
	}
}

// mostPercent is what tactics can have of the time.
const mostPercent = 90

// begin comes to the root, if it is another one.
func (t *tactics) begin(root []uint64, stop *atomic.Bool) {
	if slices.Equal(root, t.root) {
		return
	}
	t.root = append(t.root[:0], root...)
	if t.slices = 0; t.known == 0 {
		t.slices = patience // nothing was decided at the root before, and may not be here
	}
	t.known, t.idle = 0, false
	t.guarded(stop, func() error { return t.search.Begin(root, stop) })
	if stop.Load() {
		t.root = t.root[:0] // once more
	}
}

// guarded runs a part of the search. After a fault there is nothing to do at this root.
func (t *tactics) guarded(stop *atomic.Bool, run func() error) {
	var err error
	if fault := guard.Run(func() error { err = run(); return nil }); fault != nil {
		err = fmt.Errorf("search: tactics: %w", fault)
	}
	if err == nil || stop.Load() {
		return
	}
	t.idle = true
	if !errors.Is(err, forced.ErrNoQuestion) {
		t.fault = err
	}
}

// busy tells whether there is something to look for.
func (t *tactics) busy() bool { return !t.idle && t.search.Busy() }

// won tells whether who chooses in the root is sure to win.
func (t *tactics) won() bool {
	if t.idle {
		return false
	}
	_, ok := t.search.Best(t.search.Chooser())
	return ok
}

// run looks for a slice of time.
func (t *tactics) run(stop *atomic.Bool, until time.Time, halted func() bool) {
	t.guarded(stop, func() error {
		return t.search.Run(stop, func() bool {
			return stop.Load() || halted() || !time.Now().Before(until) || t.won()
		})
	})
	t.slices++
}

// hurry lets what is begun now be given up when it takes much longer than a slice.
func (t *tactics) hurry(slice time.Duration) {
	late := time.Now().Add((1 + mostOver) * slice)
	t.search.GiveUp(func() bool { return time.Now().After(late) })
}

// sliceOf is the time of a slice, in a search that ends then.
func (t *tactics) sliceOf(end time.Time) time.Duration {
	slice := longestSlice
	if !end.IsZero() {
		slice = min(slice, time.Duration(float64(time.Until(end))*t.part/2))
	}
	return max(slice, time.Millisecond)
}

// tell tells the forest what is proven.
func (t *tactics) tell(f *mcts.Forest) {
	known := 0
	t.search.Facts(func(x forced.Fact) {
		if x.Distance > 0 {
			known++
		}
		f.TakeBounds(x.Moves, x.Low, x.High)
	})
	if known > t.known {
		t.slices = 0
	}
	t.known = known
}

// aim looks next at what the forest looks at most.
func (t *tactics) aim(f *mcts.Forest) {
	visits := float64(max(f.RootVisits(), 1))
	var aims []forced.Aim
	for _, line := range f.Lines(mostLines, int(visits*leastOfVisits)) {
		aims = append(aims, forced.Aim{Moves: line.Moves, State: line.State, Weight: float64(line.Visits) / visits})
	}
	t.search.AimAt(aims)
}

// share is the part of the time that tactics wants now.
func (t *tactics) share() float64 {
	if late := t.slices / patience; late > 0 {
		return t.part / float64(min(1<<min(late, 30), mostPutOff))
	}
	return t.part
}

// searchTactics is Search, of the forest and of tactics in slices. With several engines
// tactics runs while the last one of the forest rests.
func (s *Search) searchTactics(stop *atomic.Bool, b search.Budget) (sum search.Report, err error) {
	t, start := s.tactics, time.Now()
	if t.search == nil {
		t.search = t.plan()
	}
	states := t.search.States()
	t.fault = nil
	end := b.Deadline
	if b.Time > 0 && (end.IsZero() || start.Add(b.Time).Before(end)) {
		end = start.Add(b.Time)
	}
	if t.search.GiveUp(nil); t.count == 0 {
		t.hurry(t.sliceOf(end))
	}
	if t.begin(s.forest.RootState(), stop); t.count > 0 {
		sum, err = s.countedTactics(stop, b)
	} else {
		sum, err = s.timedTactics(stop, end)
	}
	if t.won() {
		sum.Line = t.search.Line()
	}
	sum.Elapsed = time.Since(start)
	sum.Tactical, sum.TacticsFault = t.search.States()-states, t.fault
	return sum, err
}

// timedTactics is searchTactics by the clock; a zero end never comes.
func (s *Search) timedTactics(stop *atomic.Bool, end time.Time) (sum search.Report, err error) {
	for first := true; err == nil && (first || !s.ended(stop, end)); first = false {
		var r search.Report
		r, err = s.turn(stop, end)
		sum = joined(sum, r, first)
		if r.Iterations == 0 { // the forest has nothing to do, or too little time
			break
		}
	}
	return sum, err
}

// countedTactics is searchTactics by counts, in so many slices.
func (s *Search) countedTactics(stop *atomic.Bool, b search.Budget) (sum search.Report, err error) {
	const parts = 8
	t := s.tactics
	for i := range parts {
		if !t.idle {
			t.aim(s.forest)
			until := t.search.States() + t.count/parts
			t.guarded(stop, func() error {
				return t.search.Run(stop, func() bool { return stop.Load() || t.won() || t.search.States() >= until })
			})
			t.tell(s.forest)
		}
		r, err := s.forest.Search(stop, search.Budget{Iterations: b.Iterations/parts + 1})
		sum = joined(sum, r, i == 0)
		if err != nil || t.won() || stop.Load() {
			return sum, err
		}
	}
	return sum, nil
}

// ended tells whether a search is at its end.
func (s *Search) ended(stop *atomic.Bool, end time.Time) bool {
	return stop.Load() || s.tactics.won() || !end.IsZero() && !time.Now().Before(end)
}

// turn is a slice of tactics and one of the forest.
func (s *Search) turn(stop *atomic.Bool, end time.Time) (search.Report, error) {
	t := s.tactics
	if t.won() {
		t.tell(s.forest)
		return s.forest.Search(stop, search.Budget{Time: 1})
	}
	if !t.busy() {
		return s.forest.Search(stop, search.Budget{Deadline: end})
	}
	t.aim(s.forest)
	slice, share := t.sliceOf(end), t.share()
	t.hurry(slice)
	now := time.Now()
	if s.engines > 1 {
		return s.turnBeside(stop, now, slice, share*float64(s.engines), end)
	}
	t.run(stop, now.Add(slice), func() bool { return false })
	t.tell(s.forest)
	if t.won() {
		return s.forest.Search(stop, search.Budget{Time: 1})
	}
	took := max(slice, time.Since(now))
	return s.forest.Search(stop, s.slice(end, time.Duration(float64(took)*(1-share)/share)))
}

// turnBeside is turn with several engines: tactics has a part of the time of the last one.
func (s *Search) turnBeside(stop *atomic.Bool, now time.Time, slice time.Duration, part float64, end time.Time) (search.Report, error) {
	t := s.tactics
	r, err := s.forest.SearchBeside(stop, s.slice(end, slice), func(halted *atomic.Bool) {
		t.run(stop, now.Add(slice), halted.Load)
	}, func() { t.tell(s.forest) })
	if err != nil || part >= 1 || s.ended(stop, end) {
		return r, err
	}
	more, err := s.forest.Search(stop, s.slice(end, time.Duration(float64(slice)*(1-part)/part)))
	return joined(r, more, false), err
}

// slice is the budget of a slice of the forest that begins now.
func (s *Search) slice(end time.Time, length time.Duration) search.Budget {
	b := search.Budget{Deadline: time.Now().Add(length), Turn: end}
	if end.IsZero() {
		b.Turn = b.Deadline.Add(time.Hour)
	} else if end.Before(b.Deadline) {
		b.Deadline = end
	}
	return b
}

// joined are the reports of two searches, one after the other.
func joined(a, b search.Report, first bool) search.Report {
	if first {
		return b
	}
	plies := a.MeanLength*float64(a.Playouts) + b.MeanLength*float64(b.Playouts)
	b.Iterations += a.Iterations
	b.Playouts += a.Playouts
	b.States += a.States
	b.Created += a.Created
	b.Transposed += a.Transposed
	b.Pruned += a.Pruned
	b.KeptVisits = a.KeptVisits
	if b.MeanLength = 0; b.Playouts > 0 {
		b.MeanLength = plies / float64(b.Playouts)
	}
	return b
}

// mend is the move that is played in place of the forest's, if what is proven says so.
// edges are the forest's figures of the root.
func (t *tactics) mend(role int, path []uint32, ok bool, edges []search.EdgeStats) ([]uint32, bool) {
	if won, sure := t.search.Best(role); sure {
		return slices.Clone(won), true
	}
	bad, best, most := false, []uint32(nil), -1
	t.search.Moves(role, func(move []uint32, lost bool) {
		if lost {
			bad = bad || ok && slices.Equal(move, path)
			return
		}
		visits := 0
		for _, e := range edges {
			if slices.Equal(e.Path, move) {
				visits = e.Visits
			}
		}
		if visits > most {
			best, most = slices.Clone(move), visits
		}
	})
	if bad && best != nil {
		return best, true
	}
	return path, ok
}
