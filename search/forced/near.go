package forced

import "math/bits"

// A move is near if it changes what the two moves before it changed: an answer to the
// last one, or the next step of a plan. Near moves are looked at first: of 40 positions
// of Breakthrough, 5 to 11 joint moves before the end of a match, 10 were solved with
// three million states each, without that 9.

// mostNear bounds what counts, and nearFactor is what each changed bit adds to what
// proof numbers are divided by.
const (
	mostNear   = 2
	nearFactor = 1.0
)

// noteNear notes of the edges of a node, which was come to on a way, how near their moves
// are: the bits that they change again, beyond the least of them.
func (g *graph) noteNear(way []uint32) {
	n := g.at(way[len(way)-1])
	here := g.stateOf(way[len(way)-1])
	g.touched = append(g.touched[:0], make([]uint64, len(here))...)
	for back := 2; back <= 3 && back <= len(way); back++ {
		from, to := g.stateOf(way[len(way)-back]), g.stateOf(way[len(way)-back+1])
		for i := range min(len(from), len(to), len(here)) {
			g.touched[i] |= from[i] ^ to[i]
		}
	}
	near, least := g.near[n.first:][:n.count], 255
	for i, child := range g.edgesOf(n) {
		again := 0
		for k, x := range g.stateOf(child)[:min(int(g.at(child).size), len(here))] {
			again += bits.OnesCount64((x ^ here[k]) & g.touched[k])
		}
		near[i] = uint8(min(again, 255))
		if g.at(child).kind != ended {
			least = min(least, again)
		}
	}
	for i, x := range near {
		near[i] = uint8(min(max(int(x)-least, 0), mostNear))
	}
}
