package search

import (
	"math"
	"slices"
	"unsafe"

	"semisplit/search/internal/arena"
)

// What a tree can prove of its nodes, kept beside them: bounds on the goals that
// the roles get there if all play for their own goals (MCTS-Solver, Winands,
// Bjornsson, Saito 2008, with bounds as in Cazenave, Saffidine: Score Bounded
// Monte-Carlo Tree Search, 2010), and proof and disproof numbers (Kowalski, Doe,
// Winands, Gorski, Soemers: Proof Number Based Monte-Carlo Tree Search).
//
// Both are computed from what the tree holds below a node, nothing else: a joint
// move without a child node stands for one of which nothing is known, whether it
// was never tried, tried once, or given up for want of memory. So pruning makes
// bounds wider, never wrong.

// PN says what proof numbers are used for; the zero value for nothing, then
// there are none.
type PN struct {
	Final  bool // F: Best takes a proven win
	Solve  bool // S: what is proven or disproven leaves the selection
	Select bool // U: selection prefers what is close to a proof (UCT-PN)

	// Draws adds a second layer of numbers, for goals above 0: it breaks ties in
	// U, decides in place of the first in S, and lets F take a proven draw where
	// the mean of the root is strictly below Contempt.
	Draws    bool
	Contempt float64 // a goal, in [0, 1]; 0: a proven draw is never preferred

	// Constant is C_pn of UCT-PN. Default DefaultPNConstant. Negative: 0.
	Constant float64
}

// DefaultPNConstant is C_pn = 1 of the paper, whose values lie in [-1, 1].
const DefaultPNConstant = 0.5

// On says whether there are proof numbers.
func (p PN) On() bool { return p.Final || p.Solve || p.Select }

func (p PN) layers() int {
	switch {
	case !p.On():
		return 0
	case p.Draws:
		return 2
	}
	return 1
}

// certain is a goal of 1 in the unit of bounds, which is the one of GDL. Goals
// between two of its steps get bounds around them, and are never exact.
const certain = 100

// number is a proof and a disproof number of a role.
type number struct{ proof, disproof uint32 }

// never stands for infinity. Sums stay below.
const never = 1 << 30

var unknown = number{1, 1}

// proving is the memory for all this. It is empty without the options.
type proving struct {
	bounded bool                // there are bounds
	layers  int                 // of numbers
	ranked  bool                // there are bonuses by rank
	bounds  [][]uint8           // pages beside nodes: for each the lower bounds by role, then the upper ones
	numbers [][]number          // pages beside nodes: for each, layer by layer, the numbers by role
	settled arena.Of[uint16]    // beside chunks: a bit for each edge, and ruffled
	ledgers [2]arena.Of[ledger] // by layer
	bonuses arena.Of[[chunkEdges]float32]
}

// ledger is beside a chunk: on each edge the numbers of what is below it, for
// the role that has the edge, and for the other in games of two.
type ledger struct{ own, other [chunkEdges]number }

func newProving(o Options) proving {
	return proving{bounded: o.Solver, layers: o.PN.layers(), ranked: o.PN.Select}
}

// proves says whether there is anything of this.
func (p *proving) proves() bool { return p.bounded || p.layers > 0 }

// nodeBytes and chunkBytes are what each node and each chunk have beside them.
func (p *proving) nodeBytes(roles int) int64 {
	size := int64(p.layers*roles) * int64(unsafe.Sizeof(number{}))
	if p.bounded {
		size += 2 * int64(roles)
	}
	return size
}

func (p *proving) chunkBytes() (size int64) {
	if p.proves() {
		size = int64(unsafe.Sizeof(uint16(0)))
	}
	if p.ranked {
		size += int64(unsafe.Sizeof([chunkEdges]float32{}))
	}
	return size + int64(p.layers)*int64(unsafe.Sizeof(ledger{}))
}

// growProofs makes pages beside those of the nodes.
func (s *store) growProofs() {
	for s.bounded && len(s.bounds) < len(s.nodes.Pages) {
		s.bounds = append(s.bounds, make([]uint8, arena.PageSize*2*s.roles))
	}
	for s.layers > 0 && len(s.numbers) < len(s.nodes.Pages) {
		s.numbers = append(s.numbers, make([]number, arena.PageSize*s.layers*s.roles))
	}
}

// lows are the lower bounds of a node, by role, highs the upper ones.
func (s *store) lows(n uint32) []uint8 {
	i := int(n&arena.PageMask) * 2 * s.roles
	return s.bounds[n>>arena.PageBits][i : i+s.roles : i+s.roles]
}

func (s *store) highs(n uint32) []uint8 {
	i := int(n&arena.PageMask)*2*s.roles + s.roles
	return s.bounds[n>>arena.PageBits][i : i+s.roles : i+s.roles]
}

// numbersOf are the numbers of a node in a layer, by role.
func (s *store) numbersOf(n uint32, layer int) []number {
	i := (int(n&arena.PageMask)*s.layers + layer) * s.roles
	return s.numbers[n>>arena.PageBits][i : i+s.roles : i+s.roles]
}

// unprove makes all that is known of a node unknown.
func (s *store) unprove(n uint32) {
	if s.bounded {
		low, high := s.lows(n), s.highs(n)
		for r := range low {
			low[r], high[r] = 0, certain
		}
	}
	for layer := range s.layers {
		of := s.numbersOf(n, layer)
		for r := range of {
			of[r] = unknown
		}
	}
}

// noteEnd notes what is known of a node that is terminal, from its goals' bits.
func (s *store) noteEnd(n uint32, words []uint64) {
	for r, word := range words[:s.roles] {
		goal := math.Float64frombits(word)
		if s.bounded {
			s.lows(n)[r], s.highs(n)[r] = percents(goal)
		}
		for layer := range s.layers {
			of := &s.numbersOf(n, layer)[r]
			if layer == 0 && goal >= 1 || layer == 1 && goal > 0 {
				*of = number{0, never}
			} else {
				*of = number{never, 0}
			}
		}
	}
	s.seeSolved(n)
}

// percents are bounds around a goal.
func percents(goal float64) (low, high uint8) {
	const off = 1e-6 // of a hundredth, far beyond the errors of doubles
	v := min(max(goal, 0), 1) * certain
	return uint8(math.Floor(v + off)), uint8(math.Ceil(v - off))
}

// seeSolved marks a node whose bounds leave nothing open.
func (s *store) seeSolved(n uint32) {
	if s.bounded && slices.Equal(s.lows(n), s.highs(n)) {
		s.nodes.At(n).flags |= flagSolved
	}
}

func (s *store) isSolved(n uint32) bool { return s.nodes.At(n).flags&flagSolved != 0 }

// exactly appends the goals of a node that is solved.
func (s *store) exactly(n uint32, dst []float64) []float64 {
	dst = dst[:0]
	for _, v := range s.lows(n) {
		dst = append(dst, float64(v)/certain)
	}
	return dst
}

// isSettled says whether nothing more is to be learned after an edge.
func (s *store) isSettled(id uint32) bool {
	return *s.settled.At(id >> placeBits)>>(id&placeMask)&1 != 0
}

// newMark makes what is known of an edge what it is of one that was never taken.
func (s *store) newMark(id uint32) {
	s.setSettled(id, false)
	for layer := range s.layers {
		at := s.ledgers[layer].At(id >> placeBits)
		at.own[id&placeMask], at.other[id&placeMask] = unknown, unknown
	}
	if s.ranked {
		s.bonuses.At(id >> placeBits)[id&placeMask] = 0
	}
}

// unsettle lets selection come back to a node that leaves the tree; the moves of its
// parent are to be ranked anew.
func (s *store) unsettle(parent, n uint32) {
	for _, id := range s.leaves(n) {
		if id&forced == 0 {
			s.newMark(id)
		}
	}
	if s.ranked {
		for r, trie := range s.tries(parent) {
			if trie != 0 && trie&forced == 0 {
				s.ruffleAll(trie, s.levels[r])
			}
		}
	}
}

func (s *store) setSettled(id uint32, settled bool) {
	bit := uint16(1) << (id & placeMask)
	at := s.settled.At(id >> placeBits)
	before := *at
	if settled {
		*at |= bit
	} else {
		*at &^= bit
	}
	if *at != before {
		s.refresh(id)
	}
}
