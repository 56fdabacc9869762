package kernel

// block is how many columns of offers are counted together: 7 is the most
// that three bit planes hold.
const block = 7

// minRandomBits is the least number of random bits in a choice; together with
// randomSlack more than the planes of the count it keeps the bias of a choice
// under count/65536.
const (
	minRandomBits = 16
	randomSlack   = 10
	minPlanes     = 3 // of a block
	maxPlanes     = 32
)

// Pad is how many slots the selections of n semimoves take, and the offers
// in a contiguous block: n, made full for the kernels.
func Pad(n int) int { return (n + block - 1) / block * block }

// Level is what a choice needs to know of a level of semimoves.
type Level struct {
	offers []int32 // by semimove, made full with the zero slot
	scaled []uint32
	row    []uint32 // the same for a contiguous block of offers, from its start
	sel    int32
	n      int
	planes int // that the count of the offers can need
}

// NewLevel prepares a level: offers are the slots of the offers by semimove,
// sel is the first slot of the selections, one for each semimove. The
// Pad(len(offers)) slots from sel on belong to the level, and none of them is
// the slot of an offer.
func (s *Set) NewLevel(offers []int32, sel int32) *Level {
	l := &Level{offers: make([]int32, Pad(len(offers))), sel: sel, n: len(offers)}
	copy(l.offers, offers)
	for k, o := range l.offers {
		l.scaled = append(l.scaled, s.offset(o))
		l.row = append(l.row, s.offset(int32(k)))
	}
	l.planes = minPlanes
	for l.n>>l.planes != 0 {
		l.planes++
	}
	return l
}

// Len is the number of semimoves.
func (l *Level) Len() int { return l.n }

// Sel is the first slot of the selections.
func (l *Level) Sel() int32 { return l.sel }

// Pad is how many slots belong to the level from Sel on.
func (l *Level) Pad() int { return len(l.offers) }

// Offers are the slots of the offers by semimove.
func (l *Level) Offers() []int32 { return l.offers[:l.n] }
