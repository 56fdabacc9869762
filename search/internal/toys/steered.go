package toys

import "slices"

// Steered is an Engine that traces its lanes and follows policies and
// choosers; like lanes of a net it asks at the beginning of a Step, and like the
// prover it has 32 bits for a semimove.
type Steered struct {
	Stalling
	semimoves int // by role and level; 0: says that it does not know
	choices   []uint64
	orders    map[[2]int][]int32
	epsilon   float64
	choosers  map[[2]int]func(lanes, offers []uint64, words int, prefix []uint64, into []int32)
}

// NewSteered makes one; it says that it has so many semimoves at each level.
func NewSteered(g Game, lanes, semimoves int, seed uint64) *Steered {
	e := &Steered{Stalling: Stalling{Engine: NewEngine(g, lanes, seed)}, semimoves: semimoves}
	e.orders = map[[2]int][]int32{}
	e.choosers = map[[2]int]func([]uint64, []uint64, int, []uint64, []int32){}
	e.choices = make([]uint64, lanes*e.TraceWords())
	e.Engine.Choose = e.choose
	e.OnPlay = func(lane int, joint []uint32) {
		for i, x := range joint {
			e.choices[lane*len(joint)+i] = uint64(x) << 7
		}
	}
	return e
}

// Trace does nothing: it traces always.
func (e *Steered) Trace(bool) {}

// TraceWords is engine.Tracer.
func (e *Steered) TraceWords() (n int) {
	for _, levels := range e.Game.Levels() {
		n += levels
	}
	return n
}

// TraceField is engine.Tracer.
func (e *Steered) TraceField(role, level int) (word int, shift, bits uint) {
	for _, levels := range e.Game.Levels()[:role] {
		word += levels
	}
	return word + level, 7, 32
}

// Choices is engine.Tracer.
func (e *Steered) Choices() []uint64 { return e.choices }

// Semimoves is engine.Steerer.
func (e *Steered) Semimoves(int, int) int { return e.semimoves }

// SetPolicy is engine.Steerer.
func (e *Steered) SetPolicy(r, l int, order []int32, epsilon float64) {
	e.orders[[2]int{r, l}], e.epsilon = slices.Clone(order), epsilon
}

// SetChooser is engine.Steerer.
func (e *Steered) SetChooser(r, l int, choose func(lanes, offers []uint64, words int, prefix []uint64, into []int32)) {
	e.choosers[[2]int{r, l}] = choose
}

func (e *Steered) choose(lane, role int, prefix, offers []uint32) uint32 {
	at := [2]int{role, len(prefix)}
	if choose := e.choosers[at]; choose != nil && len(offers) > 1 {
		lanes, words := make([]uint64, (e.Lanes()+63)/64), 2
		lanes[lane/64] |= 1 << (lane % 64)
		sets, before := make([]uint64, e.Lanes()*words), make([]uint64, len(e.choices))
		for _, x := range offers {
			sets[lane*words+int(x)/64] |= 1 << (x % 64)
		}
		for level, x := range prefix {
			word, shift, _ := e.TraceField(role, level)
			before[lane*e.TraceWords()+word] = uint64(x) << shift
		}
		into := make([]int32, e.Lanes())
		choose(lanes, sets, words, before, into)
		if !slices.Contains(offers, uint32(into[lane])) {
			panic("the chooser chose what is not offered")
		}
		return uint32(into[lane])
	}
	if order := e.orders[at]; order != nil && e.Rand.Float64() >= e.epsilon {
		for _, x := range order {
			if slices.Contains(offers, uint32(x)) {
				return uint32(x)
			}
		}
	}
	return offers[e.Rand.IntN(len(offers))]
}
