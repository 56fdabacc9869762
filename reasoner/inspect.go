package reasoner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
)

// Inspecting says which playouts are looked at.
type Inspecting struct {
	Seed     uint64
	Playouts int // end after so many; 0: no bound
	MaxPlies int // bound on a playout; 0: DefaultMaxPlies
	Ends     int // how many terminal states to keep
}

// Inspection is what random playouts show of the rules.
type Inspection struct {
	Playouts          int   // that came to a terminal state
	Plies             int64 // of these
	Shortest, Longest int   // plies of one of these
	Lowest, Highest   []int // by role, 0..100: goals in the terminal states

	// Ends are terminal states that were reached: all, or as many as are
	// kept, each with the same chance.
	Ends [][]uint64

	// Stuck playouts came to a state that is not terminal, in which a role has
	// no legal move. StuckAt is the one of them with the fewest plies.
	Stuck   int
	StuckAt Reached

	// Cut playouts were ended by the bound on plies. CutAt is one of them.
	Cut   int
	CutAt Reached

	Open int // plies of the longest playout that was still going on at the end
}

// Reached is a state of a playout.
type Reached struct {
	Plies int // after which it was reached
	State []uint64
}

// Inspect plays uniformly random playouts from the initial state in all lanes
// of one engine until there are enough of them, or until stop is set. On an
// error of the rules it returns what was seen until then as well.
func Inspect(m Machine, how Inspecting, stop *atomic.Bool) (Inspection, error) {
	if how.MaxPlies == 0 {
		how.MaxPlies = DefaultMaxPlies
	}
	w := newInspecting(m, how)
	var err error
	for !stop.Load() && (how.Playouts == 0 || w.Playouts+w.Stuck+w.Cut < how.Playouts) {
		var ended []uint64
		if ended, err = w.engine.Step(stop); err != nil {
			break
		}
		w.step(ended)
	}
	for _, plies := range w.plies {
		w.Open = max(w.Open, plies)
	}
	if err != nil && !stop.Load() {
		return w.Inspection, fmt.Errorf("playout: %w", err)
	}
	return w.Inspection, nil
}

// inspecting is the state of one Inspect call.
type inspecting struct {
	Inspection
	how     Inspecting
	engine  Engine
	stalls  stalling // nil: no lane ever stalls
	initial []uint64
	plies   []int  // by lane
	fresh   []bool // by lane: the next Step only looks at it
	goals   []float64
	random  *rand.Rand
}

func newInspecting(m Machine, how Inspecting) *inspecting {
	e := m.Whole().NewEngine(how.Seed)
	roles := len(m.Roles())
	w := &inspecting{
		how: how, engine: e, initial: m.Initial(), plies: make([]int, e.Lanes()), fresh: make([]bool, e.Lanes()),
		goals: make([]float64, roles), random: rand.New(rand.NewPCG(how.Seed, 12)),
		Inspection: Inspection{Lowest: slices.Repeat([]int{100}, roles), Highest: make([]int, roles)},
	}
	w.stalls, _ = e.(stalling)
	for lane := range w.plies {
		w.load(lane)
	}
	return w
}

// load puts a lane back to the initial state.
func (w *inspecting) load(lane int) {
	w.engine.Load(lane, w.initial, nil)
	w.plies[lane], w.fresh[lane] = 0, true
}

// step notes what the last Step of the engine did to each lane.
func (w *inspecting) step(ended []uint64) {
	var stalled []uint64
	if w.stalls != nil {
		stalled = w.stalls.Stalled()
	}
	for lane := range w.plies {
		bit := uint64(1) << (lane % 64)
		ended, stalled := ended[lane/64]&bit != 0, stalled != nil && stalled[lane/64]&bit != 0
		if !w.fresh[lane] && !stalled {
			w.plies[lane]++
		}
		w.fresh[lane] = false
		switch {
		case ended && stalled:
			if w.Stuck++; w.Stuck == 1 || w.plies[lane] < w.StuckAt.Plies {
				w.StuckAt = w.reached(lane)
			}
		case ended:
			w.end(lane)
		case !stalled && w.plies[lane] >= w.how.MaxPlies:
			if w.Cut++; w.Cut == 1 {
				w.CutAt = w.reached(lane)
			}
		default:
			continue
		}
		w.load(lane)
	}
}

func (w *inspecting) reached(lane int) Reached {
	return Reached{w.plies[lane], w.engine.State(lane, nil)}
}

// end notes a playout that came to a terminal state.
func (w *inspecting) end(lane int) {
	plies := w.plies[lane]
	if w.Playouts == 0 {
		w.Shortest = plies
	}
	w.Playouts++
	w.Plies += int64(plies)
	w.Shortest, w.Longest = min(w.Shortest, plies), max(w.Longest, plies)
	w.engine.Goals(lane, w.goals)
	for role, g := range w.goals {
		goal := int(math.Round(100 * g))
		w.Lowest[role], w.Highest[role] = min(w.Lowest[role], goal), max(w.Highest[role], goal)
	}
	if len(w.Ends) < w.how.Ends {
		w.Ends = append(w.Ends, w.engine.State(lane, nil))
	} else if k := w.random.IntN(w.Playouts); k < w.how.Ends {
		w.Ends[k] = w.engine.State(lane, w.Ends[k][:0])
	}
}
