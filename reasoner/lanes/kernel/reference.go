package kernel

import "time"

// andSlots is the number of slots of AndLoop: 12 KB at most, so that they
// stay in the nearest cache.
const andSlots = 3 * 64

// AndLoop takes the time of n ANDs of two slots (of Words words each) into a
// third, in a straight row over slots in the nearest cache, none of which
// waits for another one: a measure for the speed of a machine to hold other
// figures against.
func (s *Set) AndLoop(n int) time.Duration {
	slots := Alloc(andSlots, s.words)
	row := make([]Instr, 1024)
	for i := range row {
		// The destinations are no multiple of 4096 bytes from an operand: a
		// load waits for a store that looks as if it were to the same place.
		k := int32(i)
		row[i] = Instr{Op: OpAnd2, D: 48 + k%16, A: 64 + k%48, B: 128 + k%47}
	}
	s = s.plain() // machine code would leave most of it out
	whole, rest := s.Encode(row, andSlots), s.Encode(row[:n%len(row)], andSlots)
	start := time.Now()
	for range n / len(row) {
		s.Exec(whole, slots)
	}
	s.Exec(rest, slots)
	return time.Since(start)
}
