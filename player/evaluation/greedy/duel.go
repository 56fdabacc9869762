package greedy

import (
	"slices"
	"sync/atomic"
	"time"

	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/reasoner"
)

// duel are matches of an evaluation against another one. What predicts the ends of matches
// better may play worse: it is how the moves of one state compare that counts in play, and
// most of what can be predicted is how one match differs from another.
type duel struct {
	play
	length  float64 // mean of the matches, in joint moves
	most    int     // matches
	begun   int     // of them
	choose  []int   // roles that do
	results [2]goalSum
}

// goalSum is what the first evaluation alone gets, against the second in all other roles, or
// the second one against the first.
type goalSum struct {
	n   int // matches
	sum float64
}

// newDuel begins no match yet. They are played as others, on their engine, and have this
// length, about.
func newDuel(as *play, first, second *evaluation.Evaluation, length float64) *duel {
	d := &duel{length: length}
	d.play = play{m: as.m, roles: as.roles, engine: as.engine, random: as.random, tries: newTries(as.m), replies: newTries(as.m), sparse: as.sparse}
	for r, role := range d.roles {
		if !board.IsChance(role) {
			d.choose = append(d.choose, r)
		}
	}
	d.newMatch, d.matchEnded = d.begin, d.ended
	d.playBy(first)
	d.other = second.Near()
	return d
}

// run plays so many matches, or until a moment.
func (d *duel) run(stop *atomic.Bool, until time.Time, most int) error {
	d.most = most
	d.beginAll()
	for {
		d.matches = slices.DeleteFunc(d.matches, func(m match) bool { return m.state == nil })
		if len(d.matches) == 0 || stop.Load() || !time.Now().Before(until) {
			return nil
		}
		if err := d.turn(stop); err != nil {
			return err
		}
	}
}

// begin begins with moves at random. Both evaluations have each role in turn. A place for
// which there is no match has no state.
func (d *duel) begin(int) match {
	k := d.begun
	if k >= d.most || len(d.choose) == 0 {
		return match{}
	}
	d.begun++
	return match{
		state: reasoner.Essential(d.m, d.m.Initial()), opening: d.randomMoves(d.length), epsilon: usualEpsilon,
		alone: d.choose[k/2%len(d.choose)], turned: k%2 == 1,
	}
}

func (d *duel) ended(match *match, goals []float32) {
	side := 0
	if match.turned {
		side = 1
	}
	d.results[side].n++
	d.results[side].sum += float64(goals[match.alone])
}

// played is the number of matches that have ended.
func (d *duel) played() int { return d.results[0].n + d.results[1].n }

// lead is by how much more the first evaluation has won than the second, as a mean of the
// matches that each played alone; 0 where one of the two has played none.
func (d *duel) lead() float64 {
	a, b := d.results[0], d.results[1]
	if a.n == 0 || b.n == 0 {
		return 0
	}
	return a.sum/float64(a.n) - b.sum/float64(b.n)
}
