package toys

import "slices"

// Haystack is a game of one move, which begins like a hundred million that are none.
type Haystack struct{ Asked func() } // called for each prefix that is asked for

// Levels is Game.Levels.
func (Haystack) Levels() []int { return []int{9} }

// Initial is Game.Initial.
func (Haystack) Initial() []uint64 { return []uint64{0} }

// Terminal is Game.Terminal.
func (Haystack) Terminal(s []uint64) bool { return s[0] != 0 }

// Goals is Game.Goals.
func (Haystack) Goals([]uint64) []float64 { return []float64{0.5} }

// Play is Game.Play.
func (Haystack) Play([]uint64, []uint32) []uint64 { return []uint64{1} }

// Offers is Game.Offers.
func (g Haystack) Offers(_ []uint64, _ int, prefix []uint32) []uint32 {
	if g.Asked(); len(prefix) == 8 && !slices.Equal(prefix, []uint32{7, 7, 7, 7, 7, 7, 7, 7}) {
		return nil
	}
	return []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
}
