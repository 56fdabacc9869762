package regression

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/shapes"
	"semisplit/player/internal/gametest"
)

// Positions of random matches of Connect Four are won by who has three discs in some row
// of four and nothing beside, or by lot: rows of four are found in the first case, and
// nothing in the second.
func TestFitShapes(t *testing.T) {
	program := gametest.Bundled(t, "connectfour")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	bit := func(name string) int { return slices.Index(f.Names, name) }
	columns, contents := "1234567", []string{"red", "yellow", "empty"}
	random := rand.New(rand.NewPCG(1, 2))
	made := func(byLot bool) (samples []Sample) {
		for i := range 4000 {
			state := make([]uint64, len(m.Initial()))
			var board [7][6]int
			for x := range board {
				for y := range board[x] {
					board[x][y] = random.IntN(3)
					b := bit("(cell " + columns[x:x+1] + " " + columns[y:y+1] + " " + contents[board[x][y]] + ")")
					if b < 0 {
						t.Fatalf("no fluent in %q", f.Names[:f.Bits])
					}
					state[b/64] |= 1 << (b % 64)
				}
			}
			threats := [3]int{}
			for x := range 4 {
				for y := range 6 {
					var n [3]int
					for k := range 4 {
						n[board[x+k][y]]++
					}
					for color := range 2 {
						if n[color] == 3 && n[2] == 1 {
							threats[color]++
						}
					}
				}
			}
			won := float32(0.5)
			switch {
			case byLot:
				won = float32(random.IntN(2))
			case threats[0] > threats[1]:
				won = 0.9
			case threats[0] < threats[1]:
				won = 0.1
			}
			samples = append(samples, Sample{State: state, Values: []float32{won, 1 - won}, Match: uint32(i)})
		}
		return samples
	}
	never := time.Now().Add(time.Hour)
	for _, byLot := range []bool{false, true} {
		samples := made(byLot)
		e := evaluation.New(make([]float64, 2), make([]float32, 2*f.Bits), f.Names[:f.Bits])
		before := ErrorOn(e, samples)
		FitShapes(e, f.Shapes, samples, 1, never)
		after := ErrorOn(e, samples)
		if byLot {
			if after < 0.99*before {
				t.Errorf("by lot: squared error %.4f and then %.4f, by %+v", before, after, e.Shapes)
			}
			continue
		}
		if after > 0.6*before || len(e.Shapes) == 0 || e.Shapes[0].Family != "rows of 4" || !e.Shapes[0].Kept {
			t.Errorf("squared error %.4f and then %.4f, by %+v", before, after, e.Shapes)
		}
		values, mirror := make([]float64, 2), 0.0
		for i := range samples[:100] {
			e.Values(samples[i].State, values)
			mirror = max(mirror, values[0]+values[1]-1, 1-values[0]-values[1])
		}
		if mirror > 1e-6 {
			t.Errorf("what one wins the other does not lose: off by %v", mirror)
		}
		if len(e.StrongShapes(m.Roles(), 2)) != 4 {
			t.Errorf("strongest: %+v", e.StrongShapes(m.Roles(), 2))
		}
	}
}

// Of a game with very many shapes not all samples are kept as entries; the others are counted
// when they are asked for.
func TestManyShapes(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	var set shapes.Set
	for i := range int32(1024) {
		set.Cells = append(set.Cells, shapes.Cell{Bits: []int32{i}, Values: []int32{1}, States: 2})
	}
	for i := range int32(20_000) {
		a, b := i%1024, (i%1024+1+i/1024)%1024
		set.Kinds = append(set.Kinds, shapes.Kind{Shapes: [][]int32{{a, b}}})
	}
	l, err := shapes.NewLayout(set, 1024)
	if err != nil {
		t.Fatal(err)
	}
	samples := make([]offset, 800)
	for i := range samples {
		state := make([]uint64, 16)
		for k := range state {
			state[k] = random.Uint64()
		}
		samples[i].Sample = &Sample{State: state}
	}
	never := time.Now().Add(time.Hour)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	many, _ := (&residuals{until: never}).tally(l, samples)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if took := int64(after.HeapAlloc) - int64(before.HeapAlloc); took > 12*mostKept {
		t.Errorf("%d samples with %d entries each take %d MB", len(samples), l.Shapes(), took>>20)
	}
	for _, i := range []int{0, len(samples) - 1, len(many.kept) - 1, len(many.kept)} {
		alone, _ := (&residuals{until: never}).tally(l, samples[i:i+1])
		if got, want := many.at(i), alone.at(0); !slices.Equal(got.entries, want.entries) || !slices.Equal(got.counts, want.counts) {
			t.Errorf("sample %d of %d that are kept has other entries", i, len(many.kept))
		}
	}
}

// A regression that has seen nothing but that what one role wins the other loses says so
// too, and learns each role by itself from when it is not so.
func TestMirrored(t *testing.T) {
	program := gametest.Program(t, ordered)
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	r := NewOnline(f, 2)
	random := rand.New(rand.NewPCG(5, 6))
	state := []uint64{1}
	for range 200 {
		v := float32(random.IntN(2))
		r.Step(&Sample{State: state, Values: []float32{v, 1 - v}})
	}
	values := make([]float64, 2)
	if r.Evaluation().Values(state, values); values[0]+values[1] < 1-1e-6 || values[0]+values[1] > 1+1e-6 {
		t.Errorf("%v", values)
	}
	for range 20_000 {
		r.Step(&Sample{State: state, Values: []float32{1, 1}})
	}
	if r.Evaluation().Values(state, values); values[0] < 0.8 || values[1] < 0.8 {
		t.Errorf("both win: %v", values)
	}
}
