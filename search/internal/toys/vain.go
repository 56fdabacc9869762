package toys

import "slices"

// Vain is an Engine that lists whole moves, but gives up everywhere but in the initial state
// before it has found any.
type Vain struct{ *Engine }

func (Vain) Firsts([]uint64, int, [][]uint32) {}

func (e Vain) Paths(lanes []uint64, role, _ int, visit func(lane int, path []uint32)) (cut []uint64) {
	cut = slices.Clone(lanes)
	for lane := range e.Lanes() {
		bit := uint64(1) << (lane % 64)
		if lanes[lane/64]&bit == 0 || !slices.Equal(e.lanes[lane].state, e.Game.Initial()) {
			continue
		}
		cut[lane/64] &^= bit
		for _, path := range Moves(e.Game, e.lanes[lane].state, role, nil) {
			visit(lane, path)
		}
	}
	return cut
}
