package player

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/reasoner"
)

// Positions of random playouts are sampled with this distance, at random, since
// those that follow each other tell nearly the same.
const samplesApart = 6

// samplePlayouts plays at random in all lanes and samples positions with the
// goals of their playouts, until stop is set or there are so many.
func samplePlayouts(m reasoner.Machine, seed uint64, most int, stop *atomic.Bool) ([]sample, error) {
	const longest = reasoner.DefaultMaxPlies
	e := m.NewEngine(seed)
	random := rand.New(rand.NewPCG(seed, 19))
	lanes := e.Lanes()
	open := make([][]int, lanes) // samples of the playout in a lane
	age := make([]int, lanes)
	match := make([]uint32, lanes)
	matches := uint32(0)
	begin := func(lane int) {
		e.Load(lane, m.Initial(), nil)
		matches++
		open[lane], age[lane], match[lane] = open[lane][:0], 0, matches
	}
	for lane := range lanes {
		begin(lane)
	}
	var samples []sample
	closed := 0
	goals := make([]float64, len(m.Roles()))
	for !stop.Load() && closed < most {
		ended, err := e.Step(stop)
		if err != nil {
			if stop.Load() {
				break
			}
			return nil, fmt.Errorf("playout: %w", err)
		}
		for lane := range lanes {
			age[lane]++
			switch {
			case ended[lane/64]>>(lane%64)&1 != 0:
				e.Goals(lane, goals)
				for _, i := range open[lane] {
					for r, g := range goals {
						samples[i].values[r] = float32(g)
					}
					samples[i].match = match[lane]
				}
				closed += len(open[lane])
				begin(lane)
			case age[lane] > longest:
				begin(lane) // its samples stay without a match
			case random.IntN(samplesApart) == 0 && len(samples) < 2*most:
				open[lane] = append(open[lane], len(samples))
				samples = append(samples, sample{state: e.State(lane, nil), values: make([]float32, len(goals))})
			}
		}
	}
	// What belongs to no playout that has ended tells nothing.
	whole := samples[:0]
	for _, s := range samples {
		if s.match != 0 {
			whole = append(whole, s)
		}
	}
	return whole, nil
}
