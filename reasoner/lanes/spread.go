package lanes

import (
	"slices"
	"sync/atomic"
)

// spreading lists the moves of a state that all lanes hold: each lane asks for what follows
// another prefix. The programs of prefixes cost as much for one lane as for all.
type spreading struct {
	offers  *offerReader
	role    int
	levels  int
	left    int          // moves that may still be visited
	asks    int          // prefixes that may still be asked
	stop    *atomic.Bool // nil: never set
	visit   func(path []uint32)
	queries [][]query // by length of the prefixes
	path    []uint32  // scratch
}

// maxAsked bounds the prefixes that are asked, most of which may be dead.
const maxAsked = 1 << 20

// mostAhead is how many prefixes are kept of a level, about, before it is looked at what
// follows them.
const mostAhead = 1 << 9

// spread visits moves: see Engine.Spread.
func (l *pathLister) spread(role, most int, stop *atomic.Bool, visit func(path []uint32)) (all bool) {
	levels := len(l.offers.plan.roles[role].levels)
	s := spreading{
		offers: l.offers, role: role, levels: levels, left: most, asks: maxAsked, stop: stop, visit: visit,
		queries: make([][]query, levels),
	}
	return s.follow([][]uint32{nil})
}

// follow visits the moves that begin with some prefixes, which are as long as each other;
// false: not all of them.
func (s *spreading) follow(prefixes [][]uint32) (all bool) {
	for chunk := range slices.Chunk(prefixes, 64*s.offers.words) {
		if s.stop != nil && s.stop.Load() || s.asks < len(chunk) {
			return false
		}
		asked := s.ask(chunk)
		if len(chunk[0]) == s.levels-1 {
			if !s.visitAll(asked) {
				return false
			}
			continue
		}
		var longer [][]uint32
		for i := range asked {
			for _, k := range asked[i].offers {
				longer = append(longer, append(asked[i].prefix[:len(asked[i].prefix):len(asked[i].prefix)], k))
			}
			if len(longer) >= mostAhead || i == len(asked)-1 && len(longer) > 0 {
				if !s.follow(longer) {
					return false
				}
				longer = longer[:0]
			}
		}
	}
	return true
}

// ask asks what follows some prefixes, one in each lane.
func (s *spreading) ask(prefixes [][]uint32) []query {
	n := len(prefixes[0])
	for lane := len(s.queries[n]); lane < len(prefixes); lane++ {
		s.queries[n] = append(s.queries[n], query{lane: lane, role: s.role})
	}
	asked := s.queries[n][:len(prefixes)]
	for i := range asked {
		asked[i].prefix, asked[i].offers = prefixes[i], asked[i].offers[:0]
	}
	s.offers.offersMany(asked)
	s.asks -= len(asked)
	return asked
}

// visitAll visits the moves that end with what was offered; false: not all of them.
func (s *spreading) visitAll(asked []query) (all bool) {
	for i := range asked {
		for _, k := range asked[i].offers {
			if s.left == 0 {
				return false
			}
			s.left--
			s.path = append(append(s.path[:0], asked[i].prefix...), k)
			s.visit(s.path)
		}
	}
	return true
}
