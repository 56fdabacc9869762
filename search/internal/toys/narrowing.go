package toys

// Narrowing: role 0 gives itself the goal 0, 1/4 or 1/2 with its first move; a turn
// later role 1 has no move. Its prefix is dead at the second level.
type Narrowing struct{}

func (Narrowing) Levels() []int          { return []int{1, 2} }
func (Narrowing) Initial() []uint64      { return []uint64{0, 0} }
func (Narrowing) Terminal([]uint64) bool { return false }
func (Narrowing) Goals(s []uint64) []float64 {
	return []float64{float64(s[1]) / 4, 1 - float64(s[1])/4}
}
func (Narrowing) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	switch {
	case role == 0:
		return []uint32{0, 1, 2}
	case s[0] < 2 || len(prefix) == 0:
		return []uint32{7, 8}
	}
	return nil
}
func (Narrowing) Play(s []uint64, joint []uint32) []uint64 {
	if s[0] == 0 {
		return []uint64{1, uint64(joint[0])}
	}
	return []uint64{2, s[1]}
}
