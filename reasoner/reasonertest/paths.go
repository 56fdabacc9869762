package reasonertest

import (
	"slices"

	"semisplit/kif"
	"semisplit/reasoner"
)

// fewPrefixes is the highest number of prefixes of a role that are all walked
// in one state; of a role with more, a sample is checked in both directions.
const fewPrefixes = 3000

const (
	sampledPaths = 12 // complete paths that are spelled and found again
	sampledTries = 60 // random descents, some of which end in dead prefixes
)

// finder walks the paths of a role in one lane.
type finder struct {
	t    reporter
	m    reasoner.Machine
	e    reasoner.Engine
	lane int
	role int

	levels int
	left   int // prefixes that may still be walked
	prefix []uint32
	paths  [][]uint32
}

// all collects the complete paths below the prefix, depth first. It is false
// when there are too many prefixes.
func (f *finder) all() bool {
	if len(f.prefix) == f.levels {
		f.paths = append(f.paths, slices.Clone(f.prefix))
		return true
	}
	if f.left--; f.left < 0 {
		return false
	}
	for _, k := range f.offers(f.prefix) {
		f.prefix = append(f.prefix, k)
		ok := f.all()
		f.prefix = f.prefix[:len(f.prefix)-1]
		if !ok {
			return false
		}
	}
	return true
}

// offers checks that what is offered rises.
func (f *finder) offers(prefix []uint32) []uint32 {
	out := f.e.Offers(f.lane, f.role, prefix, nil)
	for i := 1; i < len(out); i++ {
		if out[i] <= out[i-1] {
			f.t.Errorf("lane %d role %d: the offers after %v do not rise: %v", f.lane, f.role, prefix, out)
			break
		}
	}
	return out
}

// compareMoves holds the paths of a role in a lane against the legal moves of
// the oracle.
func (w *walk) compareMoves(i, r int) {
	p := w.lanes[i].at
	w.compareFactors(i, r, p)
	f := &finder{t: w.t, m: w.m, e: w.e, lane: i, role: r, levels: w.m.Levels(r), left: w.prefixes}
	if !f.all() {
		w.sampleMoves(f, p)
		return
	}
	var got []kif.Term
	for _, path := range f.paths {
		got = append(got, w.m.Move(r, path))
	}
	if d := difference(p.legal[r], got); d != "" {
		w.t.Errorf("lane %d role %d: legal moves: %s, in %v", i, r, d, p.fluents)
		return
	}
	for _, k := range w.some(len(got), sampledPaths) {
		w.sameWay(f, f.paths[k], got[k])
	}
	for _, prefix := range w.past(f) {
		if more := f.e.Offers(i, r, prefix, nil); len(more) > 0 {
			w.t.Errorf("lane %d role %d: %v is offered after the complete path %v", i, r, more, prefix)
		}
	}
}

// compareFactors checks that every combination of what levels offer is legal, and no other
// move, where the engine says so.
func (w *walk) compareFactors(i, r int, p *position) {
	e, ok := w.e.(interface {
		Factors(lanes []uint64, role int, visit func(lane int, values [][]uint32))
	})
	if !ok {
		return
	}
	mask := make([]uint64, (w.e.Lanes()+63)/64)
	mask[i/64] = 1 << (i % 64)
	e.Factors(mask, r, func(lane int, values [][]uint32) {
		size := 1
		for _, v := range values {
			size *= len(v)
		}
		if lane != i || mask[i/64] != 0 || len(values) != w.m.Levels(r) || size != len(p.legal[r]) {
			w.t.Errorf("lane %d role %d: as combinations of %v there are %d moves in lane %d, and %d are legal in %v", i, r, values, size, lane, len(p.legal[r]), p.fluents)
			return
		}
		for range min(size, sampledPaths) {
			var path []uint32
			for _, v := range values {
				path = append(path, v[w.rng.IntN(len(v))])
			}
			if text := w.m.Move(r, path).String(); !slices.ContainsFunc(p.legal[r], func(m kif.Term) bool { return m.String() == text }) {
				w.t.Errorf("lane %d role %d: %s is a combination of %v, and not legal in %v", i, r, text, values, p.fluents)
			}
		}
	})
}

// past is one complete path, if there is any.
func (w *walk) past(f *finder) [][]uint32 {
	if len(f.paths) == 0 {
		return nil
	}
	return [][]uint32{f.paths[w.rng.IntN(len(f.paths))]}
}

// some are up to limit of the numbers below n, all if there are no more.
func (w *walk) some(n, limit int) []int {
	var out []int
	for k := range min(n, limit) {
		if n > limit {
			k = w.rng.IntN(n)
		}
		out = append(out, k)
	}
	return out
}

// sameWay checks that Path takes a move back to the path that spells it.
func (w *walk) sameWay(f *finder, path []uint32, move kif.Term) {
	if back, ok := w.m.Path(f.role, move); !ok || !slices.Equal(back, path) {
		w.t.Errorf("role %d: Path(Move(%v)) = Path(%s) = %v, %v", f.role, path, move, back, ok)
	}
}

// sampleMoves checks that some legal moves have a path which is offered step
// by step, and that random paths are legal moves.
func (w *walk) sampleMoves(f *finder, p *position) {
	legal := p.legal[f.role]
	for _, k := range w.some(len(legal), sampledPaths) {
		path, ok := w.m.Path(f.role, legal[k])
		if !ok || len(path) != f.levels {
			w.t.Errorf("role %d: Path(%s) = %v, %v", f.role, legal[k], path, ok)
			return
		}
		for n, semimove := range path {
			if !slices.Contains(f.offers(path[:n]), semimove) {
				w.t.Errorf("lane %d role %d: legal moves: missing %s: after %v there is no %d, in %v",
					f.lane, f.role, legal[k], path[:n], semimove, p.fluents)
				return
			}
		}
		if back := w.m.Move(f.role, path); back.String() != legal[k].String() {
			w.t.Errorf("role %d: Move(Path(%s)) = %s", f.role, legal[k], back)
		}
	}
	for range sampledTries {
		path := w.descend(f)
		if path == nil {
			continue
		}
		move := w.m.Move(f.role, path)
		text := move.String()
		if _, ok := slices.BinarySearchFunc(legal, text, compareSpelling); !ok {
			w.t.Errorf("lane %d role %d: legal moves: extra %s, in %v", f.lane, f.role, text, p.fluents)
			return
		}
		w.sameWay(f, path, move)
	}
}

// descend follows random offers; nil if they lead to a dead prefix.
func (w *walk) descend(f *finder) []uint32 {
	var path []uint32
	for len(path) < f.levels {
		offers := f.offers(path)
		if len(offers) == 0 {
			return nil
		}
		path = append(path, offers[w.rng.IntN(len(offers))])
	}
	return path
}

func compareSpelling(t kif.Term, text string) int {
	switch s := t.String(); {
	case s < text:
		return -1
	case s > text:
		return 1
	}
	return 0
}
