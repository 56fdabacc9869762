package search

import "math"

// front is what selection reads of the edges of a chunk: one line of the cache,
// and no division. An edge changes twice in an iteration and is looked at in
// every one that comes by, so what it is worth is computed when it changes.
type front struct {
	// What an edge is worth without exploration: the mean of its results, where a
	// lane in flight counts as one of 0, mixed with what the evaluation says of it.
	// never taken: first; not to be chosen, or no edge at all: last.
	value [chunkEdges]float32
	// 1/sqrt(n) after n visits, lanes in flight included; 0 where that says nothing:
	// a score is a number always, or a scan finds what is not to be chosen.
	root [chunkEdges]float32
}

var (
	first = float32(math.Inf(1))
	last  = float32(math.Inf(-1))
)

// noFront is that of a chunk without edges.
var noFront = func() (f front) {
	for i := range f.value {
		f.value[i] = last
	}
	return f
}()

// taken is how often an edge was taken, lanes in flight included.
func (s *store) taken(id uint32) uint32 {
	at := s.chunks.At(id >> placeBits)
	return at.edges[id&placeMask].visits + uint32(at.virtual[id&placeMask])
}

// enterEdge gives an edge a virtual visit, leaveEdge takes it back.
func (s *store) enterEdge(id uint32) {
	at := s.chunks.At(id >> placeBits)
	at.virtual[id&placeMask]++
	s.show(at, id)
}

func (s *store) leaveEdge(id uint32) {
	at := s.chunks.At(id >> placeBits)
	at.virtual[id&placeMask]--
	s.show(at, id)
}

// addResult puts a visit with its result in the place of a virtual one.
func (s *store) addResult(id uint32, v float64) {
	at := s.chunks.At(id >> placeBits)
	e := &at.edges[id&placeMask]
	at.virtual[id&placeMask]--
	e.visits++
	e.setSum(e.sum() + v)
	s.show(at, id)
}

// refresh is to follow whatever else changes an edge, or what is known of it.
func (s *store) refresh(id uint32) { s.show(s.chunks.At(id>>placeBits), id) }

// show computes the front of an edge.
func (s *store) show(at *chunk, id uint32) {
	i := id & placeMask
	e := &at.edges[i]
	n := e.visits + uint32(at.virtual[i])
	f := factorsOf(n)
	mean := e.sum() * f.inverse
	at.value[i], at.root[i] = float32(mean), float32(f.root)
	switch {
	case e.child == dead:
		at.value[i], at.root[i] = last, 0
	case n == 0:
		at.value[i], at.root[i] = first, 0
	case s.proves() && n >= settleVisits && s.isSettled(id):
		at.value[i] = last
	case s.valued:
		if v := float32(s.mixed(id, mean, n)); v-v == 0 { // an evaluation may say what is no number
			at.value[i] = v
		}
	}
}
