package mcts

import (
	"math/bits"
	"slices"

	"semisplit/search/encoding"
)

// wantOffers marks a lane whose first offers the tree needs.
func (w *selector) wantOffers(l *lane) { w.unread[l.number/64] |= 1 << (l.number % 64) }

// readOffers reads what the marked lanes offer: whole moves for all lanes
// together, if the engine can.
func (w *selector) readOffers() {
	marked := false
	for i, word := range w.unread {
		marked = marked || word != 0
		for ; word != 0; word &= word - 1 {
			number := i*64 + bits.TrailingZeros64(word)
			offers := w.lanes[number].offers
			for r := range offers {
				if offers[r] = offers[r][:0]; w.lists == nil || w.t.encodings[r].Whole == nil {
					offers[r] = w.look(number, r, offers[r])
				}
			}
		}
	}
	if !marked {
		return
	}
	for r := range w.t.encodings {
		if w.lists != nil && w.t.encodings[r].Whole != nil {
			w.lists.Paths(w.unread, r, w.mostListed(r), func(lane int, path []uint32) {
				of := &w.lanes[lane].offers[r]
				*of = append(*of, path...)
			})
		}
	}
	if w.moveEvaluator != nil {
		w.countFirsts()
	}
	clear(w.unread)
}

// Whole moves of a state are listed up to mostMoves, those of all lanes that are
// read together up to mostWords semimoves: rules can give a state any number of
// moves. The tree knows only those that are listed.
const (
	mostMoves = 1 << 15
	mostWords = 1 << 25
)

// mostListed is how many whole moves of a role are listed for each marked lane.
func (w *selector) mostListed(r int) int {
	marked := 0
	for _, word := range w.unread {
		marked += bits.OnesCount64(word)
	}
	return min(mostMoves, mostWords/max(1, marked*w.t.encodings[r].EngineLevels))
}

// countFirsts counts what the marked lanes offer at first, once that is read.
func (w *selector) countFirsts() {
	for i, word := range w.unread {
		for ; word != 0; word &= word - 1 {
			l := &w.lanes[i*64+bits.TrailingZeros64(word)]
			for r := range l.offers {
				l.moves[r] = w.firsts(l, r)
			}
		}
	}
}

// look reads what a lane offers a role at first. Where the tree takes moves
// whole, that is every legal move, one path after the other.
func (w *selector) look(lane, r int, dst []uint32) []uint32 {
	s := &w.t.encodings[r]
	if s.Whole == nil {
		return w.engine.Offers(lane, r, nil, dst)
	}
	w.walk = w.walk[:0]
	return w.walkPaths(lane, r, s.EngineLevels, dst)
}

// walkPaths appends the complete paths that go on from w.walk, until there are
// mostMoves in all.
func (w *selector) walkPaths(lane, r, left int, dst []uint32) []uint32 {
	if left == 0 {
		return append(dst, w.walk...)
	}
	from := len(w.walked)
	w.walked = w.engine.Offers(lane, r, w.walk, w.walked)
	for i := from; i < len(w.walked) && len(dst) < mostMoves*w.t.encodings[r].EngineLevels; i++ {
		w.walk = append(w.walk, w.walked[i])
		dst = w.walkPaths(lane, r, left-1, dst)
		w.walk = w.walk[:len(w.walk)-1]
	}
	w.walked = w.walked[:from]
	return dst
}

// offersAfter writes the labels that a role may choose after w.prefix, in a
// lane that was looked at, to w.offers.
func (w *selector) offersAfter(lane, r int) {
	s := &w.t.encodings[r]
	first := w.lanes[lane].offers[r]
	w.offers = w.offers[:0]
	switch {
	case s.Whole != nil:
		for ; len(first) >= s.EngineLevels; first = first[s.EngineLevels:] {
			w.offers = append(w.offers, s.Whole.Number(first[:s.EngineLevels]))
		}
	case s.Divided != nil:
		w.divide(s, first)
	case len(w.prefix) == 0:
		w.offers = append(w.offers, first...)
	default:
		w.offers = w.engine.Offers(lane, r, w.prefix, w.offers)
	}
}

// divide finds what comes after w.prefix in the divided moves. At the last
// level the move itself is the label, for the engine will ask for it.
func (w *selector) divide(s *encoding.Moves, moves []uint32) {
	depth := len(w.prefix)
	for _, move := range moves {
		path := s.Divided(move)
		if !slices.Equal(path[:depth], w.prefix) {
			continue
		}
		if depth == s.Levels-1 {
			w.offers = append(w.offers, move)
		} else if !slices.Contains(w.offers, path[depth]) {
			w.offers = append(w.offers, path[depth])
		}
	}
	slices.Sort(w.offers)
}

// firsts is the number of semimoves that a role is offered at first in a state that
// was looked at.
func (w *selector) firsts(l *lane, r int) int32 {
	if w.t.encodings[r].Whole == nil {
		return int32(len(l.offers[r]))
	}
	w.walked = w.engine.Offers(int(l.number), r, nil, w.walked[:0])
	return int32(len(w.walked))
}
