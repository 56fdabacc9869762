package evaluation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"semisplit/player/internal/gametest"
)

// In a few hundred matches in which the number of pieces and a lot of chance
// decide, broad features predict better than all of them, and are taken.
func TestBroadFeatures(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := newFeatures(m, program)
	random := rand.New(rand.NewPCG(1, 2))
	var squares []int
	for bit, name := range f.names[:f.bits] {
		if len(name) > 5 && name[:5] == "(cell" {
			squares = append(squares, bit)
		}
	}
	white := map[int]bool{}
	for _, bit := range squares {
		white[bit] = f.names[bit][len(f.names[bit])-6:] == "white)"
	}
	var samples []sample
	for position := range 2400 {
		match := uint32(position / 8)
		state := make([]uint64, len(m.Initial()))
		more := 0.0
		for range 16 {
			bit := squares[random.IntN(len(squares))]
			if state[bit/64]>>(bit%64)&1 == 0 {
				state[bit/64] |= 1 << (bit % 64)
				more += map[bool]float64{true: 1, false: -1}[white[bit]]
			}
		}
		won := float32(0)
		if random.Float64() < 1/(1+math.Exp(-more/2)) {
			won = 1
		}
		samples = append(samples, sample{state: state, values: []float32{won, 1 - won}, match: match})
	}
	never := time.Now().Add(time.Hour)
	all, allError := learnBroad(f, mostClosed, m.Roles(), samples, 1, never)
	broad, broadError := learnBroad(f, 1, m.Roles(), samples, 1, never)
	best := learnSamples(f, m.Roles(), samples, 1, never)
	if broadError >= allError || best.errorOn(samples) > broad.errorOn(samples)+1e-9 || best.errorOn(samples) >= all.errorOn(samples) {
		t.Errorf("squared error %.4f with all features, %.4f with broad ones, %.4f with what was taken", allError, broadError, best.errorOn(samples))
	}
	if !slices.ContainsFunc(best.Features, func(s Strength) bool { return s.Feature == "(cell ? ? white)" }) {
		t.Errorf("features %+v", best.Features)
	}
}

// The newest positions are kept.
func TestReplayKeeps(t *testing.T) {
	var p replay
	for i := range uint32(replayed + 100) {
		p.keep(sample{match: i})
	}
	least := uint32(math.MaxUint32)
	for _, s := range p.kept {
		least = min(least, s.match)
	}
	if len(p.kept) != replayed || least != 100 {
		t.Errorf("%d are kept, the oldest is %d", len(p.kept), least)
	}
}

// An evaluation is measured by the best line through it that rises.
func TestQuality(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	e := &Evaluation{roles: 2, bias: make([]float64, 2), weights: make([]float32, 64*2)}
	e.weights[0], e.weights[1] = 4, -4 // far too sure of itself
	var test []*sample
	for i := range uint32(20_000) {
		state := []uint64{random.Uint64() & 1}
		v := float32(0)
		if random.Float64() < 0.45+0.1*float64(state[0]) {
			v = 1
		}
		test = append(test, &sample{state: state, values: []float32{v, v}, match: i})
	}
	q := qualityOf(e, test, len(test))
	// A tenth between two equally frequent means: variance 0.0025 of 0.25.
	if got := q[0].Skill(); math.Abs(got-0.01) > 0.004 || q[0].Error <= q[0].Constant {
		t.Errorf("skill %.4f, want 0.01; %+v", got, q[0])
	}
	if got := q[1].Skill(); got > 0 {
		t.Errorf("skill %.4f where it says the opposite", got)
	}
}
