package greedy

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
	"semisplit/reasoner"
	"semisplit/search/engine"
)

// Many matches are played side by side in the lanes of an engine. Who is to move
// looks at the states after all its moves, and after the replies to the best of them
// (replies.go), and takes the one that the evaluation likes best, now and then any.
// A match costs a few hundred steps of a lane for each of its moves, with replies a few
// thousand.
const (
	sideBySide   = 64
	usualEpsilon = 0.02 // a blunder at random ends what a piece is worth: docs/experiments/results/learning.md
	wildEvery    = 4    // of the matches side by side one is wilder
	wildEpsilon  = 0.1
	longestMatch = 300 // joint moves
)

// play is matches in progress, for one thread, and what they go by.
type play struct {
	m      reasoner.Machine
	roles  []kif.Term
	engine engine.Engine
	random *rand.Rand
	values *evaluation.Evaluation // of the moment
	near   engine.Near            // of values
	other  engine.Near            // of an evaluation that plays against it; nil: none does
	sparse bool                   // matches are few, so there are no replies

	newMatch   func(k int) match                   // a match for place k
	matchEnded func(match *match, goals []float32) // what is learned from one; it may change its thoughts

	matches []match
	tries   tries
	replies tries
	order   []int      // of tries
	deep    []int      // tries whose replies are looked at
	answers []uint32   // to one of them
	listed  [][]uint32 // of role r in lane l at l*roles+r: legal moves, one after the other
	joint   []uint32
}

type match struct {
	state   []uint64
	past    [][]uint64
	choice  []bool    // by past: somebody had one there
	thought []float32 // what who moved expected of the moves from past, by role; at last what they teach
	opening int       // joint moves yet to be random
	epsilon float64   // part of the moves after it that are random
	joints  []uint32  // moves of all roles, one after the other, that are to be looked at
	mover   int       // -1: nobody has a choice, but for chance
	alone   int       // of matches against another evaluation: the role that one of the two has
	turned  bool      // the other one has it
	best    int       // of the tries
}

func newPlay(m reasoner.Machine, seed uint64) play {
	return play{
		m: m, roles: m.Roles(), engine: m.NewEngine(seed), random: rand.New(rand.NewPCG(seed, 23)), tries: newTries(m), replies: newTries(m),
	}
}

// playBy has the matches go by an evaluation.
func (p *play) playBy(e *evaluation.Evaluation) { p.values, p.near = e, e.Near() }

// randomMoves is with how many a match begins, where one lasts so many joint moves.
func (p *play) randomMoves(length float64) int { return p.random.IntN(int(openingPart*length) + 2) }

// nearOf is what the mover of a match goes by.
func (p *play) nearOf(match *match) engine.Near {
	if p.other != nil && (match.mover == match.alone) == match.turned {
		return p.other
	}
	return p.near
}

// beginAll begins a match in each place.
func (p *play) beginAll() {
	p.matches = make([]match, sideBySide)
	for k := range p.matches {
		p.matches[k] = p.newMatch(k)
	}
}

// turn plays one joint move in each match, or in none of those that are left when stop is set.
func (p *play) turn(stop *atomic.Bool) error {
	lanes := p.engine.Lanes()
	for start := 0; start < len(p.matches); start += lanes {
		some := p.matches[start:min(start+lanes, len(p.matches))]
		p.clear()
		for i := range some {
			p.engine.Load(i, some[i].state, nil)
		}
		if _, err := p.engine.Step(stop); err != nil {
			return err
		}
		if p.list(p.firstLanes(len(some)), stop); stop.Load() {
			return nil
		}
		for i := range some {
			p.look(i, &some[i])
		}
	}
	for start := 0; start < len(p.matches); {
		end, err := p.choose(start, stop)
		if err != nil {
			return err
		}
		for ; start < end; start++ {
			p.move(start)
		}
	}
	return nil
}

// choose finds the best try of as many matches, from one on, as there is room for.
func (p *play) choose(start int, stop *atomic.Bool) (end int, err error) {
	t := &p.tries
	t.clear()
	for end = start; end < len(p.matches); end++ {
		match := &p.matches[end]
		if end > start && !t.fits(match.joints) {
			break
		}
		for index := 0; index < len(match.joints); index += t.width {
			t.add(end, match.mover, match.state, match.joints[index:], p.nearOf(match))
		}
	}
	if err := p.try(t, stop); err != nil {
		return end, err
	}
	return end, p.reply(stop)
}

// longest is how many joint moves a match may have: fewer where there is no room for the
// states of all.
func (p *play) longest() int {
	return regression.Room(longestMatch*sideBySide, p.tries.words) / sideBySide
}

// move makes the move that a match has found best, and ends the match.
func (p *play) move(k int) {
	match := &p.matches[k]
	if len(match.joints) == 0 || len(match.past) >= p.longest() {
		p.matches[k] = p.newMatch(k)
		return
	}
	match.past = append(match.past, slices.Clone(match.state))
	match.choice = append(match.choice, match.mover >= 0)
	match.opening--
	best := match.best
	for _, v := range p.tries.valuesOf(best) {
		match.thought = append(match.thought, float32(v))
	}
	if !p.tries.ended[best] {
		match.state = append(match.state[:0], p.tries.after(best)...)
		return
	}
	goals := make([]float32, len(p.roles))
	for r, v := range p.tries.valuesOf(best) {
		goals[r] = float32(v)
	}
	p.matchEnded(match, goals)
	p.matches[k] = p.newMatch(k)
}
