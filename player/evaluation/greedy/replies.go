package greedy

import (
	"cmp"
	"errors"
	"slices"
	"sync/atomic"

	"semisplit/reasoner"
	"semisplit/search/engine"
)

// Who looks one joint move ahead does not see that what he moved can be taken,
// and neither what it is worth nor what defends it can be learned from his
// matches: in Breakthrough a row of defenders came out as worth nothing. So the
// best moves by that are looked at again, with all replies to them.

// repliesTo is the number of moves of a match whose replies are looked at. A match
// costs several times as much with it, so there are none where matches are few.
const repliesTo = 3

// tries are joint moves to be looked at, with the states after them.
type tries struct {
	words, roles, width int // of a state, and of a joint move
	room                int // for so many, about

	of     []int // by try: the match, or the try that it replies to
	mover  []int // who chose it; -1: nobody
	before [][]uint64
	near   []engine.Near // what the mover of the match goes by
	joints []uint32
	states []uint64  // after each
	values []float64 // of these, by role: goals where the match is over
	ended  []bool
}

// triedWords bounds the states that are kept of tries: 8 MB. What there is no room
// for comes later, and of more moves in one state some are drawn.
const triedWords = 1 << 20

// newTries has room for those of a game.
func newTries(m reasoner.Machine) tries {
	t := tries{words: len(m.Initial()), roles: len(m.Roles())}
	t.room = max(1, triedWords/max(t.words, 1))
	for role := range m.Roles() {
		t.width += m.Levels(role)
	}
	return t
}

func (t *tries) clear() {
	t.of, t.mover, t.before, t.near, t.joints = t.of[:0], t.mover[:0], t.before[:0], t.near[:0], t.joints[:0]
}

// add adds the joint move that some moves begin with.
func (t *tries) add(parent, mover int, before []uint64, joint []uint32, near engine.Near) {
	t.of, t.mover, t.before, t.near = append(t.of, parent), append(t.mover, mover), append(t.before, before), append(t.near, near)
	t.joints = append(t.joints, joint[:t.width]...)
}

// fits tells whether there is room for some more joint moves.
func (t *tries) fits(joints []uint32) bool { return len(t.of)+len(joints)/t.width <= t.room }

func (t *tries) joint(i int) []uint32     { return t.joints[i*t.width : (i+1)*t.width] }
func (t *tries) after(i int) []uint64     { return t.states[i*t.words : (i+1)*t.words] }
func (t *tries) valuesOf(i int) []float64 { return t.values[i*t.roles : (i+1)*t.roles] }

// worth is what a try is worth to who chose it.
func (t *tries) worth(i int) float64 {
	if t.mover[i] < 0 {
		return 0
	}
	return t.valuesOf(i)[t.mover[i]]
}

// group is where the tries of the same match, or the same try, end.
func (t *tries) group(start int) (end int) {
	for end = start; end < len(t.of) && t.of[end] == t.of[start]; end++ {
	}
	return end
}

// try looks at the states after some joint moves.
func (p *play) try(t *tries, stop *atomic.Bool) error {
	n, lanes := len(t.of), p.engine.Lanes()
	t.states = slices.Grow(t.states[:0], n*t.words)[:n*t.words]
	t.values = slices.Grow(t.values[:0], n*t.roles)[:n*t.roles]
	t.ended = slices.Grow(t.ended[:0], n)[:n]
	for start := 0; start < n; start += lanes {
		p.clear()
		end := min(start+lanes, n)
		for i := start; i < end; i++ {
			p.engine.Load(i-start, t.before[i], t.joint(i))
		}
		ended, err := p.engine.Step(stop)
		if err != nil {
			return err
		}
		for i := start; i < end; i++ {
			lane := i - start
			if i == start || t.of[i] != t.of[i-1] {
				t.near[i].From(t.before[i])
			}
			if t.ended[i] = ended[lane/64]>>(lane%64)&1 != 0; t.ended[i] {
				p.engine.Goals(lane, t.valuesOf(i))
				continue
			}
			p.engine.State(lane, t.after(i)[:0])
			t.near[i].Values(t.after(i), t.valuesOf(i))
		}
	}
	return nil
}

// reply finds the best try of each match: among the best by themselves the one
// that is best after the reply that is best for who makes it.
func (p *play) reply(stop *atomic.Bool) error {
	t := &p.tries
	p.deep = p.deep[:0]
	for start := 0; start < len(t.of); {
		end := t.group(start)
		p.order = p.order[:0]
		for i := start; i < end; i++ {
			p.order = append(p.order, i)
		}
		p.random.Shuffle(len(p.order), func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] }) // ties by lot
		slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(t.worth(b), t.worth(a)) })
		p.matches[t.of[start]].best = p.order[0]
		if !p.sparse && len(p.order) > 1 {
			p.deep = append(p.deep, p.order[:min(len(p.order), repliesTo)]...)
		}
		start = end
	}
	if err := p.answer(stop); err != nil {
		return err
	}
	for _, i := range p.deep {
		if match := &p.matches[t.of[i]]; t.worth(i) > t.worth(match.best) {
			match.best = i
		}
	}
	return nil
}

var errStopped = errors.New("stopped")

// answer looks at all replies to the tries of deep that do not end their match: the
// value of a try is that of the best reply to it.
func (p *play) answer(stop *atomic.Bool) error {
	t, r, lanes := &p.tries, &p.replies, p.engine.Lanes()
	r.clear()
	for start := 0; start < len(p.deep); start += lanes {
		some := p.deep[start:min(start+lanes, len(p.deep))]
		p.clear()
		mask := p.firstLanes(0)
		for lane, i := range some {
			if !t.ended[i] {
				mask[lane/64] |= 1 << (lane % 64)
				p.engine.Load(lane, t.after(i), nil)
			}
		}
		if _, err := p.engine.Step(stop); err != nil {
			return err
		}
		if p.list(mask, stop); stop.Load() {
			return errStopped
		}
		for lane, i := range some {
			if t.ended[i] {
				continue
			}
			var mover int
			mover, p.answers = p.choices(lane, p.answers[:0])
			if !r.fits(p.answers) {
				if err := p.weigh(stop); err != nil {
					return err
				}
			}
			for index := 0; index < len(p.answers); index += r.width {
				r.add(i, mover, t.after(i), p.answers[index:], t.near[i])
			}
		}
		if err := p.weigh(stop); err != nil {
			return err
		}
	}
	return nil
}

// weigh gives the tries that were replied to the values of the best replies.
func (p *play) weigh(stop *atomic.Bool) error {
	t, r := &p.tries, &p.replies
	if err := p.try(r, stop); err != nil {
		return err
	}
	for start := 0; start < len(r.of); {
		end, best := r.group(start), start
		for i := start; i < end; i++ {
			if r.worth(i) > r.worth(best) {
				best = i
			}
		}
		copy(t.valuesOf(r.of[start]), r.valuesOf(best))
		start = end
	}
	r.clear()
	return nil
}
