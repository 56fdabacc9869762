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

// Level is a level of semimoves, at which lanes choose.
type Level struct {
	set    *Set
	scaled []uint32 // where the offers are by semimove, made full with the zero slot
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
	l := &Level{set: s, sel: sel, n: len(offers)}
	full := make([]int32, Pad(len(offers)))
	copy(full, offers)
	for k, o := range full {
		l.scaled = append(l.scaled, s.offset(o))
		l.row = append(l.row, s.offset(int32(k)))
	}
	l.planes = minPlanes
	for l.n>>l.planes != 0 {
		l.planes++
	}
	return l
}

// Without sets the slots dst+k to the offers of the level without the slots
// tried+k, for all semimoves k, and clears the rest of the slots from dst
// on, as many as Pad says: a block of offers for ChooseFrom.
func (l *Level) Without(dst, tried int32, slots []uint64) {
	s := l.set
	n := l.n * s.words
	out := slots[int(dst)*s.words:][:len(l.row)*s.words]
	clear(out[n:])
	not := slots[int(tried)*s.words:][:n]
	if s.isa != isaGo && n > 0 {
		l.withoutVector(out, slots, not)
		return
	}
	for k, o := range l.scaled[:l.n] {
		offer := slots[o/8:][:s.words]
		for w, x := range offer {
			out[k*s.words+w] = x &^ not[k*s.words+w]
		}
	}
}
