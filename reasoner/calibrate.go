package reasoner

import "time"

// AndsPerSecond times a fixed loop of ANDs of words on the calling goroutine,
// for about a twentieth of a second: a measure of what the core gives at this
// moment, to relate other speeds to.
func AndsPerSecond() float64 {
	const words, rounds = 512, 1000
	var a, b, c [words]uint64
	for i := range a {
		a[i], b[i] = ^uint64(i), uint64(i)*0x9e3779b97f4a7c15
	}
	best := time.Duration(1 << 62)
	for range 32 { // the quickest of many: the core may be shared
		begin := time.Now()
		for range rounds {
			for i := range c {
				c[i] = a[i] & b[i]
			}
		}
		best = min(best, time.Since(begin))
	}
	if c[0] == 1 { // the result is used
		best++
	}
	return words * rounds / max(best, 1).Seconds()
}
