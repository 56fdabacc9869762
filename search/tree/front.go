package tree

import "math"

// front is what selection reads of the edges of a chunk: one line of the cache,
// and no division. An edge changes twice in an iteration and is looked at in
// every one that comes by, so what it is worth is computed when it changes.
type front struct {
	// What an edge is worth without exploration: the mean of its results, where a
	// lane in flight counts as one of 0, mixed with what the evaluation says of it.
	// Never taken: untriedScore; not to be chosen, or no edge at all: excludedScore.
	value [ChunkEdges]float32
	// 1/sqrt(n) after n visits, lanes in flight included; 0 where that says nothing:
	// a score is a number always, or a scan finds what is not to be chosen.
	invSqrtVisits [ChunkEdges]float32
}

var (
	untriedScore  = float32(math.Inf(1))
	excludedScore = float32(math.Inf(-1))
)

// noFront is that of a chunk without edges.
var noFront = func() (f front) {
	for i := range f.value {
		f.value[i] = excludedScore
	}
	return f
}()

// VisitsInclVirtual is how often an edge was taken, lanes in flight included.
func (s *Edges) VisitsInclVirtual(id uint32) uint32 {
	at := s.chunks.At(id >> PlaceBits)
	return at.Edges[id&PlaceMask].Visits + uint32(at.virtual[id&PlaceMask])
}

// EnterEdge gives an edge a virtual visit.
func (s *Edges) EnterEdge(id uint32) {
	at := s.chunks.At(id >> PlaceBits)
	at.virtual[id&PlaceMask]++
	s.refreshScore(at, id)
}

// LeaveEdge takes a virtual visit back.
func (s *Edges) LeaveEdge(id uint32) {
	at := s.chunks.At(id >> PlaceBits)
	at.virtual[id&PlaceMask]--
	s.refreshScore(at, id)
}

// AddResult puts a visit with its result in the place of a virtual one.
func (s *Edges) AddResult(id uint32, v float64) {
	at := s.chunks.At(id >> PlaceBits)
	e := &at.Edges[id&PlaceMask]
	at.virtual[id&PlaceMask]--
	e.Visits++
	e.SetSum(e.Sum() + v)
	s.refreshScore(at, id)
}

// Refresh is to follow whatever else changes an edge, or what is known of it.
func (s *Edges) Refresh(id uint32) { s.refreshScore(s.chunks.At(id>>PlaceBits), id) }

// refreshScore computes the front of an edge.
func (s *Edges) refreshScore(at *Chunk, id uint32) {
	i := id & PlaceMask
	e := &at.Edges[i]
	n := e.Visits + uint32(at.virtual[i])
	f := FactorsOf(n)
	mean := e.Sum() * f.Inverse
	at.value[i], at.invSqrtVisits[i] = float32(mean), float32(f.InvSqrt)
	switch {
	case e.Child == Dead:
		at.value[i], at.invSqrtVisits[i] = excludedScore, 0
	case s.keepsProven && IsEnough(n) && s.IsProven(id):
		at.value[i], at.invSqrtVisits[i] = excludedScore, 0
	case n == 0:
		at.value[i], at.invSqrtVisits[i] = untriedScore, 0
	case s.Value != nil:
		if v := float32(s.Value(id, mean, n)); v-v == 0 { // an evaluation may say what is no number
			at.value[i] = v
		}
	}
}
