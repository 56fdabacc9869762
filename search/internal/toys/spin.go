package toys

import (
	"math/rand/v2"
	"sync/atomic"
)

// Spin is a cheap game of a fixed length for benchmarks: its states are one
// number, its playouts cost a given amount of work a Step and allocate nothing.
type Spin struct {
	lanes  []spinLane
	ended  []uint64
	rng    *rand.PCG
	length uint64
	work   int
	sink   uint64
}

type spinLane struct {
	loaded, look bool
	ply, hash    uint64
	joint        uint32
}

// SpinMoves are the moves of who is to move.
const SpinMoves = 25

// NewSpin makes one of so many lanes, with playouts of so many moves.
func NewSpin(lanes, length, work int, seed uint64) *Spin {
	return &Spin{
		lanes: make([]spinLane, lanes), ended: make([]uint64, (lanes+63)/64),
		rng: rand.NewPCG(seed, 1), length: uint64(length), work: work,
	}
}

func (e *Spin) Lanes() int { return len(e.lanes) }
func (e *Spin) Load(lane int, s []uint64, joint []uint32) {
	l := spinLane{loaded: true, look: joint == nil, ply: s[0], hash: s[1]}
	if joint != nil {
		l.joint = joint[s[0]%2]
	}
	e.lanes[lane] = l
}
func (e *Spin) Unload(lane int) { e.lanes[lane].loaded = false }
func (e *Spin) Step(*atomic.Bool) ([]uint64, error) {
	sink := e.sink
	for range e.work {
		sink = sink*6364136223846793005 + 1442695040888963407
	}
	e.sink = sink
	clear(e.ended)
	random := e.rng.Uint64()
	for i := range e.lanes {
		l := &e.lanes[i]
		if !l.loaded {
			continue
		}
		if !l.look {
			l.hash = (l.hash ^ uint64(l.joint) ^ random>>i) * 0x9e3779b97f4a7c15
			l.ply++
		}
		l.look, l.joint = false, 0
		if l.ply >= e.length {
			e.ended[i/64] |= 1 << (i % 64)
		}
	}
	return e.ended, nil
}
func (e *Spin) State(lane int, dst []uint64) []uint64 {
	return append(dst, e.lanes[lane].ply, e.lanes[lane].hash)
}
func (e *Spin) Goals(lane int, dst []float64) {
	dst[0] = float64(e.lanes[lane].hash >> 63)
	dst[1] = 1 - dst[0]
}
func (e *Spin) Offers(lane, role int, prefix, dst []uint32) []uint32 {
	if len(prefix) > 0 {
		return dst
	}
	if uint64(role) != e.lanes[lane].ply%2 {
		return append(dst, SpinMoves)
	}
	for i := range uint32(SpinMoves) {
		dst = append(dst, i)
	}
	return dst
}
