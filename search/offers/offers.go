// Package offers reads from an engine what may be chosen in the states of its lanes, as
// a tree takes moves: whole, divided, or semimove by semimove.
package offers

import (
	"math/bits"
	"slices"

	"semisplit/search/encoding"
	"semisplit/search/engine"
)

// Reader reads what the lanes of one engine offer.
type Reader struct {
	engine    engine.Engine
	encodings []encoding.Moves // by role
	lister    engine.Lister    // the engine, where the tree takes moves whole that it splits; nil: prefix by prefix

	sampler engine.Sampler   // the engine, where it may leave moves out itself; nil: it never does
	prefers engine.Preferrer // the engine, where it sees what is preferred; nil: it does not

	firsts [][][]uint32 // by lane and role: the first level of what was read
	partly [][]bool     // by lane and role: some of what may be chosen was left out
	marked []uint64     // a bit for each lane that is to be read
	best   []uint64     // of these, for each where what is preferred is enough

	// Joined: what is read is for one of several trees that tell each other of visits. A choice
	// of one has none to tell of.
	Joined bool

	path, found []uint32 // scratch
	dead        int      // prefixes that the state at hand was asked for in vain
}

// New makes a reader of an engine.
func New(e engine.Engine, encodings []encoding.Moves) *Reader {
	n := e.Lanes()
	r := &Reader{engine: e, encodings: encodings, firsts: make([][][]uint32, n), partly: make([][]bool, n), marked: make([]uint64, (n+63)/64), best: make([]uint64, (n+63)/64)}
	for i := range n {
		r.firsts[i], r.partly[i] = make([][]uint32, len(encodings)), make([]bool, len(encodings))
	}
	r.sampler, _ = e.(engine.Sampler)
	r.prefers, _ = e.(engine.Preferrer)
	if slices.ContainsFunc(encodings, func(s encoding.Moves) bool { return s.Whole != nil }) {
		r.lister, _ = e.(engine.Lister)
	}
	return r
}

// Mark makes the next Read read a lane, which is at a state then.
func (r *Reader) Mark(lane int) { r.marked[lane/64] |= 1 << (lane % 64) }

// MarkBest is Mark for a state in which a role that alone chooses has only what it prefers, if
// that is anything, where its moves have one semimove.
func (r *Reader) MarkBest(lane int) {
	r.Mark(lane)
	r.best[lane/64] |= 1 << (lane % 64)
}

// Read reads what the marked lanes offer: whole moves for all lanes together, if the
// engine can.
func (r *Reader) Read() {
	marked := 0
	for i, word := range r.marked {
		marked += bits.OnesCount64(word)
		for ; word != 0; word &= word - 1 {
			lane := i*64 + bits.TrailingZeros64(word)
			firsts := r.firsts[lane]
			for role := range firsts {
				r.partly[lane][role] = false
				if firsts[role] = firsts[role][:0]; r.lister == nil || r.encodings[role].Whole == nil {
					firsts[role] = r.look(lane, role, firsts[role])
				}
			}
			if r.best[i]>>(lane%64)&1 != 0 {
				r.takeBest(lane)
			}
		}
	}
	if marked == 0 {
		return
	}
	for role := range r.encodings {
		if r.lister != nil && r.encodings[role].Whole != nil {
			most := min(mostMoves, mostWords/max(1, marked*r.encodings[role].EngineLevels))
			cut := r.lister.Paths(r.marked, role, most, func(lane int, path []uint32) {
				r.firsts[lane][role] = append(r.firsts[lane][role], path...)
			})
			for i, word := range cut {
				for ; word != 0; word &= word - 1 {
					r.cut(i*64+bits.TrailingZeros64(word), role)
				}
			}
		}
	}
	clear(r.marked)
	clear(r.best)
}

// takeBest leaves the role that alone chooses in a lane what it prefers.
func (r *Reader) takeBest(lane int) {
	firsts, mover := r.firsts[lane], -1
	for role := range firsts {
		if s := &r.encodings[role]; s.Whole != nil || s.EngineLevels != 1 || len(firsts[role]) > 1 && mover >= 0 {
			return
		}
		if len(firsts[role]) > 1 {
			mover = role
		}
	}
	if mover < 0 || r.prefers == nil || r.partly[lane][mover] {
		return
	}
	if r.found = r.prefers.Preferred(lane, mover, r.found[:0]); len(r.found) > 0 && (len(r.found) > 1 || !r.Joined) {
		firsts[mover] = append(firsts[mover][:0], r.found...)
	}
}

// cut notes that a lane offers a role more than was listed. A single move would pass for
// the only one, so it is as good as none.
func (r *Reader) cut(lane, role int) {
	r.partly[lane][role] = true
	if firsts := r.firsts[lane]; len(firsts[role]) <= r.encodings[role].EngineLevels {
		firsts[role] = firsts[role][:0]
	}
}

// Whole moves of a state are listed up to mostMoves, those of all lanes that are
// read together up to mostWords semimoves: rules can give a state any number of
// moves, and any number of prefixes that lead to none. The tree knows only those that are
// listed; see Partial.
const (
	mostMoves = 1 << 15
	mostWords = 1 << 25
	mostDead  = 1 << 16 // prefixes that lead to none, where the engine does not list moves
)

// ReadRole reads what a lane offers one role, at once.
func (r *Reader) ReadRole(lane, role int) {
	r.firsts[lane][role] = r.look(lane, role, r.firsts[lane][role][:0])
}

// look reads what a lane offers a role at first. Where the tree takes moves
// whole, that is every legal move, one path after the other.
func (r *Reader) look(lane, role int, dst []uint32) []uint32 {
	s := &r.encodings[role]
	if r.dead = 0; s.Whole == nil {
		dst = r.engine.Offers(lane, role, nil, dst)
	} else {
		r.path = r.path[:0]
		dst = r.walkPaths(lane, role, s.EngineLevels, dst)
	}
	if r.dead >= mostDead && len(dst) <= s.EngineLevels {
		dst = dst[:0] // as in cut
	}
	r.partly[lane][role] = s.Whole != nil && (len(dst) >= mostMoves*s.EngineLevels || r.dead >= mostDead) || r.sampler != nil && r.sampler.Partial(role)
	return dst
}

// Found says whether what After has given is all that there is, where that is nothing.
func (r *Reader) Found(lane, role int) bool {
	return !r.partly[lane][role] && (r.sampler == nil || !r.sampler.Partial(role))
}

// Partial says whether some of what a role may choose was left out, or may have been, when
// a lane was read: nothing is proven by what is missing then.
func (r *Reader) Partial(lane, role int) bool { return r.partly[lane][role] }

// walkPaths appends the complete paths that go on from r.path, until there are
// mostMoves in all, or mostDead prefixes were asked in vain.
func (r *Reader) walkPaths(lane, role, left int, dst []uint32) []uint32 {
	if left == 0 {
		return append(dst, r.path...)
	}
	first := len(r.found)
	r.found = r.engine.Offers(lane, role, r.path, r.found)
	if len(r.found) == first {
		r.dead++
	}
	for i := first; i < len(r.found) && len(dst) < mostMoves*r.encodings[role].EngineLevels && r.dead < mostDead; i++ {
		r.path = append(r.path, r.found[i])
		dst = r.walkPaths(lane, role, left-1, dst)
		r.path = r.path[:len(r.path)-1]
	}
	r.found = r.found[:first]
	return dst
}

// After appends the labels that a role may choose after a prefix of labels, in a lane
// that was read and has not moved since.
func (r *Reader) After(lane, role int, prefix, dst []uint32) []uint32 {
	s := &r.encodings[role]
	first := r.firsts[lane][role]
	switch {
	case s.Whole != nil:
		for ; len(first) >= s.EngineLevels; first = first[s.EngineLevels:] {
			dst = append(dst, s.Whole.Number(first[:s.EngineLevels]))
		}
		return dst
	case s.Divided != nil:
		return appendDivided(s, first, prefix, dst)
	case len(prefix) == 0:
		return append(dst, first...)
	}
	return r.engine.Offers(lane, role, prefix, dst)
}

// appendDivided appends what comes after a prefix in divided moves. At the last level the
// move itself is the label, for the engine will ask for it.
func appendDivided(s *encoding.Moves, moves, prefix, dst []uint32) []uint32 {
	depth, first := len(prefix), len(dst)
	for _, move := range moves {
		path := s.Divided(move)
		if !slices.Equal(path[:depth], prefix) {
			continue
		}
		if depth == s.Levels-1 {
			dst = append(dst, move)
		} else if !slices.Contains(dst[first:], path[depth]) {
			dst = append(dst, path[depth])
		}
	}
	slices.Sort(dst[first:])
	return dst
}
