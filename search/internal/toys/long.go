package toys

// Long is a game of a hundred turns, in which two roles choose one of four in turn, for
// nothing: no search comes to its end. States are the turn, and what was chosen.
type Long struct{}

func (Long) Levels() []int { return []int{1, 1} }

func (Long) Initial() []uint64 { return []uint64{0, 0} }

func (Long) Terminal(s []uint64) bool { return s[0] == 100 }

func (Long) Goals([]uint64) []float64 { return []float64{0.5, 0.5} }

func (Long) Offers(s []uint64, role int, _ []uint32) []uint32 {
	if int(s[0]%2) != role {
		return []uint32{4}
	}
	return []uint32{0, 1, 2, 3}
}

func (Long) Play(s []uint64, joint []uint32) []uint64 {
	return []uint64{s[0] + 1, 7*s[1] + uint64(joint[s[0]%2])}
}
