package greedy

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"semisplit/player/board"
	"semisplit/search/engine"
)

// What matches of self-play choose from. Moves stand one after the other, since
// there are millions of them.

func (p *play) clear() {
	for i := range p.engine.Lanes() {
		p.engine.Unload(i)
	}
}

// list finds the legal moves in the lanes of a mask, which were looked at. Where there are
// thousands that takes long, so that no other role is asked once stop is set.
func (p *play) list(mask []uint64, stop *atomic.Bool) {
	roles := len(p.roles)
	if want := p.engine.Lanes() * roles; len(p.listed) < want {
		p.listed = slices.Grow(p.listed, want)[:want]
	}
	for i := range p.listed {
		p.listed[i] = p.listed[i][:0]
	}
	lister, ok := p.engine.(engine.Lister)
	if ok {
		for role := 0; role < roles && !stop.Load(); role++ {
			lister.Paths(mask, role, p.mostListed(role), func(lane int, path []uint32) {
				list := &p.listed[lane*roles+role]
				*list = append(*list, path...)
			})
		}
		return
	}
	for i, word := range mask {
		for ; word != 0; word &= word - 1 {
			lane := i*64 + bits.TrailingZeros64(word)
			for role := 0; role < roles && !stop.Load(); role++ {
				list := &p.listed[lane*roles+role]
				*list = p.paths(lane, role, nil, *list)
			}
		}
	}
}

// mostListed is how many moves of a role are listed in a lane: of more, matches
// choose among the first ones. All lanes together take 32 MB at most.
func (p *play) mostListed(role int) int {
	const words = 1 << 23
	return max(1, words/(p.engine.Lanes()*p.m.Levels(role)))
}

// paths appends the legal moves of a role in a lane that begin with a prefix,
// until there are as many as mostListed.
func (p *play) paths(lane, role int, prefix, into []uint32) []uint32 {
	if len(prefix) == p.m.Levels(role) {
		return append(into, prefix...)
	}
	for _, semimove := range p.engine.Offers(lane, role, prefix, nil) {
		if len(into) >= p.mostListed(role)*p.m.Levels(role) {
			break
		}
		into = p.paths(lane, role, append(prefix[:len(prefix):len(prefix)], semimove), into)
	}
	return into
}

// firstLanes are so many.
func (p *play) firstLanes(n int) []uint64 {
	mask := make([]uint64, (p.engine.Lanes()+63)/64)
	for lane := range n {
		mask[lane/64] |= 1 << (lane % 64)
	}
	return mask
}

// look lists the joint moves that a match chooses from: all moves of one role,
// each beside random ones of the others; a single random one in its opening and
// now and then later.
func (p *play) look(lane int, match *match) {
	match.mover, match.joints = p.choices(lane, match.joints[:0])
	width := p.tries.width
	if n := len(match.joints) / width; n > 1 && (match.opening > 0 || p.random.Float64() < match.epsilon) {
		k := p.random.IntN(n)
		match.joints = append(match.joints[:0], match.joints[k*width:(k+1)*width]...)
	}
}

// choices appends the joint moves in a lane that was looked at: all moves of one
// role, the mover, as far as there is room, each beside the same random ones of the
// others, or a random one where nobody (-1) chooses. Of several roles that choose it takes any. There are
// none where a role has no legal move.
func (p *play) choices(lane int, into []uint32) (mover int, joints []uint32) {
	mover, choosers := -1, 0
	offset, levels := 0, 0
	p.joint = p.joint[:0]
	for role := range p.roles {
		paths, width := p.listed[lane*len(p.roles)+role], p.m.Levels(role)
		if len(paths) == 0 {
			return -1, into
		}
		n := len(paths) / width
		if n > 1 && !board.IsChance(p.roles[role]) {
			if choosers++; p.random.IntN(choosers) == 0 {
				mover, offset, levels = role, len(p.joint), width
			}
		}
		k := p.random.IntN(n) * width
		p.joint = append(p.joint, paths[k:k+width]...)
	}
	if mover < 0 {
		return mover, append(into, p.joint...)
	}
	moves := p.some(p.listed[lane*len(p.roles)+mover], levels)
	for ; len(moves) > 0; moves = moves[levels:] {
		into = append(into, p.joint[:offset]...)
		into = append(into, moves[:levels]...)
		into = append(into, p.joint[offset+levels:]...)
	}
	return mover, into
}

// some are as many of a role's moves as there is room for, drawn by lot; the moves
// change places.
func (p *play) some(moves []uint32, levels int) []uint32 {
	n, room := len(moves)/levels, p.tries.room
	if n <= room {
		return moves
	}
	for i := range room {
		k := i + p.random.IntN(n-i)
		for level := range levels {
			a, b := i*levels+level, k*levels+level
			moves[a], moves[b] = moves[b], moves[a]
		}
	}
	return moves[:room*levels]
}
