//go:build !amd64

package kernel

func hasAVX512() bool { return false }

// vectorSet returns the kernels in vector instructions, nil if there are none for this
// width on this processor.
func vectorSet(int, bool) *Set { return nil }

func (s *Set) encodeVector(*Code, []Instr) { panic("BUG: no vector kernels") }
func (s *Set) execVector(*Code, []uint64)  { panic("BUG: no vector kernels") }

func (l *Level) chooseVector([]uint64, []uint64, []uint32, []uint64, []uint64, *Random) {
	panic("BUG: no vector kernels")
}

func (l *Level) greedyVector([]uint64, []uint64, []uint32, []int32, []uint64, []uint64) {
	panic("BUG: no vector kernels")
}

func (l *Level) withoutVector([]uint64, []uint64, []uint64) { panic("BUG: no vector kernels") }

func (s *Set) addMaskedVector([]uint64, []uint64, []uint64, int) { panic("BUG: no vector kernels") }

func (s *Set) bernoulliVector([]uint64, *Random, uint, int) { panic("BUG: no vector kernels") }

func (s *Set) spreadVector([]uint64, int, *[MaxWords]uint64, *[MaxWords]uint64) {
	panic("BUG: no vector kernels")
}

func (s *Set) collectVector([]uint64, int, *[MaxWords]int, *[MaxWords]uint64) {
	panic("BUG: no vector kernels")
}

func (s *Set) rowsVector([]uint64, int, []uint64)     { panic("BUG: no vector kernels") }
func (s *Set) transposeVector(*[64 * MaxWords]uint64) { panic("BUG: no vector kernels") }
