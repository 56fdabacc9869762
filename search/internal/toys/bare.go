package toys

// Bare is a game whose initial state has no words: the prover has such a state where
// nothing holds.
type Bare struct{ Game }

// Initial is the state without words.
func (Bare) Initial() []uint64 { return nil }

func (g Bare) words(s []uint64) []uint64 {
	if len(s) == 0 {
		return g.Game.Initial()
	}
	return s
}

// Terminal is Game.Terminal.
func (g Bare) Terminal(s []uint64) bool { return g.Game.Terminal(g.words(s)) }

// Goals is Game.Goals.
func (g Bare) Goals(s []uint64) []float64 { return g.Game.Goals(g.words(s)) }

// Offers is Game.Offers.
func (g Bare) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	return g.Game.Offers(g.words(s), role, prefix)
}

// Play is Game.Play.
func (g Bare) Play(s []uint64, joint []uint32) []uint64 { return g.Game.Play(g.words(s), joint) }
