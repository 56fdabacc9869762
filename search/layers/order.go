package layers

import (
	"math"
	"math/bits"

	"semisplit/search/internal/hashing"
)

// order says which states of a layer stay where not all can: those with the
// highest goal as they stand, if goal is set; then by a quality; then at random.
type order struct {
	goal bool
	by   quality
}

type quality uint8

const (
	byChance  quality = iota
	byNovelty         // whose fluents were rare in the states of the pass; see novelty
	byMany            // with many semimoves to choose from first
	byFew             // with few
	byGroups          // see brood; nothing else counts then
)

// No order is good for all puzzles. Of eleven puzzles that playouts did not solve,
// and that are too large to be searched through, most were solved by goal or by
// many moves, within a width of 64; none of the orders solves all of these.
var (
	// graded are the orders where the goals of states that do not end the game
	// differ, plain where they don't; both begin alike, before that is known.
	graded = []order{{goal: true}, {by: byGroups}, {by: byNovelty}, {goal: true, by: byMany}, {goal: true, by: byNovelty}, {}, {by: byMany}, {goal: true, by: byFew}}
	plain  = []order{{goal: true}, {by: byGroups}, {by: byNovelty}, {by: byMany}, {by: byFew}}
)

// schedule says what pass comes next: all orders at a width, then at a larger
// one; from halfWidth on the first one, which differs from pass to pass by chance,
// and one other in turn, for what wants width as a rule wants only that.
type schedule struct {
	place, level int  // among the orders, and of the width
	turn         int  // the order other than the first that came last at a large width
	widest       bool // wider passes find no memory
	halved       int  // times the first width was halved, for want of it
	grouped      bool // a state had groups of moves, one of them with several; see brood
	endless      bool // they do not become fewer
	graded       bool // two goals of states that do not end the game were seen, with
	goal         float64
	seen         bool // one of them
}

// Widths grow from firstWidth by a factor of 1 << widthStep.
const (
	firstWidth = 64
	widthStep  = 2
	widthBits  = 6 // of firstWidth
	halfWidth  = 1 << 12
	groupsStep = 4
)

// width is that of the pass. By groups it is larger, for few states of a layer
// differ then, and all but the fewest of the moves are left out.
func (s *schedule) width() int {
	width := firstWidth << (widthStep * s.level) >> s.halved
	if s.order().by == byGroups {
		width <<= groupsStep
	}
	return max(1, width)
}

func (s *schedule) order() order { return s.orders()[s.place] }

func (s *schedule) orders() []order {
	if s.graded {
		return graded
	}
	return plain
}

// advance goes on to the next pass; full: this one ended for want of memory. Passes as wide
// would end before their last layer too, so that the next ones are narrower; those by groups are
// wider than the others of their level, and say nothing of these.
func (s *schedule) advance(full bool) {
	switch {
	case full && s.level == 0 && s.halved < widthBits:
		s.widest = true
		s.halved++
		return
	case full && s.order().by != byGroups:
		s.widest = true
		s.level = max(0, s.level-1)
	}
	all := len(s.orders())
	switch {
	case firstWidth<<(widthStep*s.level) < halfWidth && s.place+1 < all:
		s.place++
	case firstWidth<<(widthStep*s.level) >= halfWidth && s.place == 0:
		s.turn = s.turn%(all-1) + 1
		s.place = s.turn
	default:
		s.place = 0
		if !s.widest && firstWidth<<(widthStep*s.level) < mostWidth {
			s.level++
		}
	}
	if s.order().by == byGroups && s.level > 0 && (!s.grouped || s.endless) {
		s.place++ // of no use here
	}
}

// note notes the goal of a state that does not end the game.
func (s *schedule) note(goal float64) {
	s.graded = s.graded || s.seen && goal != s.goal
	s.goal, s.seen = goal, true
}

// percents of a goal go into a score.
const percents = 100

// score is that of the state of a lane in the order of the pass: the goal in the
// highest 8 bits, then 24 for the quality and 32 for chance.
func (f *Search) score(lane int, name uint64) uint64 {
	score := hashing.Of(name^f.pass.seed) >> 32
	if f.pass.order.goal {
		f.engine.Goals(lane, f.goals[:])
		f.schedule.note(f.goals[0])
		score |= uint64(min(max(f.goals[0], 0), 1)*percents+0.5) << 56
	}
	const most = 1<<24 - 1
	switch f.pass.order.by {
	case byNovelty:
		score |= uint64(math.Float32bits(f.novelty.of(f.state))>>7) << 32
	case byMany:
		score |= uint64(min(f.lister.choices(lane), most)) << 32
	case byFew:
		score |= uint64(most-min(f.lister.choices(lane), most)) << 32
	}
	return score
}

// novelty counts in how many states of a pass each bit was set, up to the layer
// being expanded. A state is worth the sum over its bits of how rare they were:
// what was never there before counts 1, so this is the novelty of width 1 with
// degrees (Lipovetzky, Geffner: Best-First Width Search, 2017). A counter of
// steps in the state adds the same to all of a layer.
type novelty struct {
	counts []uint32
	rarity []float32
}

func (n *novelty) clear() {
	clear(n.counts)
	for i := range n.rarity {
		n.rarity[i] = 1
	}
}

// note counts a layer.
func (n *novelty) note(l *layer) {
	for i := range l.len() {
		state := l.state(i)
		for len(n.counts) < 64*len(state) {
			n.counts, n.rarity = append(n.counts, 0), append(n.rarity, 1)
		}
		for k, word := range state {
			for ; word != 0; word &= word - 1 {
				n.counts[64*k+bits.TrailingZeros64(word)]++
			}
		}
	}
	for i, count := range n.counts {
		n.rarity[i] = 1 / float32(1+count)
	}
}

// of is what a state is worth.
func (n *novelty) of(state []uint64) (sum float32) {
	for k, word := range state {
		for ; word != 0; word &= word - 1 {
			if i := 64*k + bits.TrailingZeros64(word); i < len(n.rarity) {
				sum += n.rarity[i]
			} else {
				sum++
			}
		}
	}
	return sum
}
