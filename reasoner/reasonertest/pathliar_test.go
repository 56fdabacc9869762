package reasonertest

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/reasoner"
)

// pathLiar is a machine with several levels that is wrong in one thing about
// its paths, and whose engines may stall.
type pathLiar struct {
	reasoner.Machine
	about string
	stall string // "", or how its lane stalls
}

// twin is added to the number of a semimove to name it once more.
const twin = 1 << 20

// honest takes twins back.
func honest(path []uint32) []uint32 {
	out := slices.Clone(path)
	for i := range out {
		out[i] %= twin
	}
	return out
}

func (l pathLiar) Move(role int, path []uint32) kif.Term { return l.Machine.Move(role, honest(path)) }

func (l pathLiar) Path(role int, move kif.Term) ([]uint32, bool) {
	path, ok := l.Machine.Path(role, move)
	if l.about == "the path of a move" && ok && len(path) > 1 {
		path[1] += twin
	}
	return path, ok
}

func (l pathLiar) NewEngine(seed uint64) reasoner.Engine {
	e := &pathLiarEngine{Engine: l.Machine.NewEngine(seed), pathLiar: l, rng: rand.New(rand.NewPCG(seed, 9))}
	if l.stall == "" {
		return struct{ reasoner.Engine }{e} // without Stalled
	}
	return e
}

type pathLiarEngine struct {
	reasoner.Engine
	pathLiar
	rng     *rand.Rand
	ready   bool // nothing was loaded since the last Step
	stalled [1]uint64
}

func (e *pathLiarEngine) Load(lane int, state []uint64, joint []uint32) {
	e.ready = false
	if joint != nil {
		joint = honest(joint)
	}
	e.Engine.Load(lane, state, joint)
}

func (e *pathLiarEngine) Stalled() []uint64 { return e.stalled[:] }

func (e *pathLiarEngine) Step(stop *atomic.Bool) ([]uint64, error) {
	stalls := e.stall != "" && e.rng.IntN(3) == 0 && (e.ready || e.stall == "loaded")
	e.ready = true
	e.stalled[0] = 0
	if stalls {
		e.stalled[0] = 1
		if e.stall == "fairly" {
			return []uint64{0}, nil
		}
	}
	return e.Engine.Step(stop)
}

func (e *pathLiarEngine) Offers(lane, role int, prefix []uint32, dst []uint32) []uint32 {
	dst = e.Engine.Offers(lane, role, honest(prefix), dst)
	if len(dst) == 0 || len(prefix) != 1 {
		return dst
	}
	switch e.about {
	case "a missing path":
		return dst[1:]
	case "an illegal path":
		// A semimove of another prefix of the level.
		for _, k := range e.Engine.Offers(lane, role, nil, nil) {
			for _, other := range e.Engine.Offers(lane, role, []uint32{k}, nil) {
				if !slices.Contains(dst, other) {
					dst = append(dst, other)
					slices.Sort(dst)
					return dst
				}
			}
		}
	case "a path spelled twice":
		return append(dst, dst[0]+twin)
	case "offers in disorder":
		slices.Reverse(dst)
	}
	return dst
}

// TestPathLiars makes sure that the suite sees wrong paths and wrong stalls,
// both when it walks all paths and when it samples them.
func TestPathLiars(t *testing.T) {
	whole, parts := boardGame(t)
	whole.Seeds, whole.Rounds, whole.Time = []uint64{1, 2, 3}, 60, time.Minute
	m := mustSplit(t, parts)
	for _, c := range []pathLiar{
		{m, "nothing", ""},
		{m, "a missing path", ""},
		{m, "an illegal path", ""},
		{m, "a path spelled twice", ""},
		{m, "the path of a move", ""},
		{m, "offers in disorder", ""},
		{m, "nothing", "fairly"},
		{m, "a stall that is none", "moves"},
		{m, "a stall of what was loaded", "loaded"},
	} {
		for _, prefixes := range []int{fewPrefixes, 2} {
			r := &recorder{}
			r.watch(func() { checkWith(r, whole, c, prefixes) })
			if r.Failed() != (c.about != "nothing") {
				t.Errorf("a machine that lies about %s, %d prefixes: failures %v", c.about, prefixes, r.failures)
			}
		}
	}
}
