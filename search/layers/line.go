package layers

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// tell plays the best line of the pass once more, from the root, and keeps it.
func (f *Search) tell(stop *atomic.Bool) error {
	if f.pass.best.record == 0 {
		return nil
	}
	var ways []uint32 // the places of the moves, the last one first
	if f.pass.best.move != noMove {
		ways = append(ways, f.pass.best.move)
	}
	for n := f.pass.best.record; f.tables.records.At(n).parent != 0; n = f.tables.records.At(n).parent {
		ways = append(ways, f.tables.records.At(n).move)
	}
	slices.Reverse(ways)
	f.unload(0)
	moves, state := [][]uint32(nil), slices.Clone(f.root)
	f.goals[0] = -1
	for i, way := range ways {
		move, err := f.moveAt(state, way, stop)
		if err != nil {
			return err
		}
		f.engine.Load(0, state, move)
		ended, err := f.engine.Step(stop)
		if err != nil {
			return err
		}
		moves, state = append(moves, move), f.engine.State(0, state[:0])
		if i == len(ways)-1 {
			f.engine.Goals(0, f.goals[:])
		} else if ended[0]&1 != 0 {
			return fmt.Errorf("search: a line by layers ends after %d of %d moves", i+1, len(ways))
		}
	}
	f.unload(0)
	// The queue was listed before, and the lanes hold nothing between two Steps,
	// so the pass goes on as if nothing had happened.
	f.pass.best = ending{}
	if len(moves) > 0 && f.goals[0] != f.value {
		return fmt.Errorf("search: a line by layers ends with %v instead of %v", f.goals[0], f.value)
	}
	f.best.Value, f.best.Moves, f.best.Proven = f.value, moves, f.value >= 1
	return nil
}

// moveAt is the move of a state with a place among them.
func (f *Search) moveAt(state []uint64, way uint32, stop *atomic.Bool) ([]uint32, error) {
	f.engine.Load(0, state, nil)
	if _, err := f.engine.Step(stop); err != nil {
		return nil, err
	}
	queued := len(f.moves)
	all, _ := f.lister.list(0, f.moves, stop)
	f.moves = all[:queued]
	if stop.Load() {
		return nil, errStopped
	}
	listed, levels := all[queued:], f.lister.levels
	if place := int(way) * levels; place+levels <= len(listed) {
		return slices.Clone(listed[place : place+levels]), nil
	}
	return nil, fmt.Errorf("search: a state by layers has no move %d", way)
}
