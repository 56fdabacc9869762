package perfect

import (
	"encoding/binary"
	"fmt"
)

// kalah has m houses on each side, at most 6.
type kalah struct {
	m, stones int // stones in each house at the start
}

// houses are those of the mover, and from m on those of the opponent.
type houses [12]int8

func (g *kalah) start() (p houses) {
	for i := range 2 * g.m {
		p[i] = int8(g.stones)
	}
	return p
}

// sides are the stones in the houses of each.
func (g *kalah) sides(p houses) (own, other int) {
	for i := range g.m {
		own += int(p[i])
		other += int(p[g.m+i])
	}
	return own, other
}

func (g *kalah) over(p houses) (int, bool) {
	own, other := g.sides(p)
	return own - other, own == 0 || other == 0
}

// next begins at the store, where a stone can reach it.
func (g *kalah) next(p houses, into []step[houses]) []step[houses] {
	for house := g.m - 1; house >= 0; house-- {
		if p[house] > 0 {
			into = append(into, g.sow(p, house))
		}
	}
	return into
}

func (g *kalah) sow(p houses, house int) step[houses] {
	s := step[houses]{move: uint16(house)}
	hand := p[house]
	p[house] = 0
	at := house // m is the store here, and the opponent's houses come after it
	for ; hand > 0; hand-- {
		at = (at + 1) % (2*g.m + 1)
		switch {
		case at < g.m:
			p[at]++
		case at == g.m:
			s.gain++
		default:
			p[at-1]++
		}
	}
	if at == g.m {
		s.to, s.again = p, true
		return s
	}
	if opposite := 2*g.m - 1 - at; at < g.m && p[at] == 1 && p[opposite] > 0 {
		s.gain += 1 + p[opposite]
		p[at], p[opposite] = 0, 0
	}
	copy(s.to[:], p[g.m:2*g.m])
	copy(s.to[g.m:], p[:g.m])
	return s
}

func (g *kalah) left(p houses) int {
	own, other := g.sides(p)
	return own + other
}

func (g *kalah) spell(move uint16, _ int) string { return fmt.Sprintf("(sow %c)", 'a'+move) }

func (g *kalah) hash(p houses) uint64 {
	var b [16]byte
	for i, n := range p {
		b[i] = byte(n)
	}
	return mix(binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:]))
}
