package toys

// Moves are the legal moves of a role that go on from a prefix, each as its semimoves,
// in rising order.
func Moves(g Game, s []uint64, role int, prefix []uint32) (all [][]uint32) {
	if len(prefix) == g.Levels()[role] {
		return [][]uint32{prefix}
	}
	for _, semimove := range g.Offers(s, role, prefix) {
		all = append(all, Moves(g, s, role, append(prefix[:len(prefix):len(prefix)], semimove))...)
	}
	return all
}
