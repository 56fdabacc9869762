package player

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/reasoner"
	"semisplit/search"
)

// Greedy self-play: many matches side by side in the lanes of an engine, in
// which who is to move looks at the states after all its moves and takes the one
// that the evaluation likes best, now and then any. What they come to teaches the
// evaluation (as in G. Tesauro, Temporal Difference Learning and TD-Gammon, 1995),
// which plays the next ones. A match costs a few hundred steps of a lane for each
// of its moves, a hundredth of what a search would cost.
const (
	greedyMatches     = 64 // side by side
	greedyRandom      = 0.1
	greedyOpening     = 0.25   // of the mean length of a match is random at first, at most
	greedyLongest     = 300    // joint moves
	greedyPasses      = 2      // over the positions of a match
	greedyHeldOut     = 8000   // positions, the newest; and as many of those that were learned from
	greedyMatchesDone = 40_000 // at most
)

// greedy is a number of matches in progress.
type greedy struct {
	m      reasoner.Machine
	engine search.Engine
	random *rand.Rand
	learn  *regression
	values *Evaluation // of the moment: what matches go by
	mean   *Evaluation // of those of the second half of the time
	means  int
	half   time.Time
	taught *Evaluation // at last

	matches []greedyMatch
	tries   []try
	listed  [][][][]uint32 // by lane and role: legal moves
	train   []sample       // some of those that were learned from
	test    []sample
	replay
	done    int
	most    int // matches
	samples int
	length  float64 // mean of the matches, in joint moves
}

type greedyMatch struct {
	state   []uint64
	past    [][]uint64
	opening int // joint moves yet to be random
	joints  [][]uint32
	mover   int // -1: chance or several
	best    int
	score   float64
	next    []uint64
	ended   bool
	goals   []float64
}

// try is a joint move of a match to be looked at.
type try struct{ match, joint int }

func (g *greedy) begin(k int) {
	g.matches[k] = greedyMatch{state: slices.Clone(g.m.Initial()), opening: g.random.IntN(int(greedyOpening*g.length) + 2)}
}

// play plays until a moment.
func (g *greedy) play(ctx context.Context, until time.Time) error {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	all := time.Until(until)
	g.half, g.refit = time.Now().Add(all/2), time.Duration(refitShare*float64(all))
	defer time.AfterFunc(all-g.refit, func() { stop.Store(true) }).Stop()
	g.matches = make([]greedyMatch, greedyMatches)
	for k := range g.matches {
		g.begin(k)
	}
	for !stop.Load() && g.done < g.most {
		if err := g.turn(&stop); err != nil && !stop.Load() {
			return err
		}
	}
	g.conclude()
	return nil
}

// conclude sets taught.
func (g *greedy) conclude() {
	g.taught = g.mean
	if g.mean == nil {
		g.taught = g.learn.evaluation()
	}
	g.fitBroad(g.learn.f, g.taught, time.Now().Add(g.refit))
	if g.broad == nil {
		g.taught.Features = strongest(g.learn, g.roles)
		return
	}
	g.taught = g.broad
	g.taught.Samples = 0
}

// turn plays one joint move in each match.
func (g *greedy) turn(stop *atomic.Bool) error {
	lanes := g.engine.Lanes()
	for from := 0; from < len(g.matches); from += lanes {
		some := g.matches[from:min(from+lanes, len(g.matches))]
		g.clear()
		for i := range some {
			g.engine.Load(i, some[i].state, nil)
		}
		if _, err := g.engine.Step(stop); err != nil {
			return err
		}
		g.list(len(some))
		for i := range some {
			g.look(i, &some[i])
		}
	}
	g.tries = g.tries[:0]
	for k := range g.matches {
		for j := range g.matches[k].joints {
			g.tries = append(g.tries, try{k, j})
		}
	}
	for from := 0; from < len(g.tries); from += lanes {
		if err := g.try(g.tries[from:min(from+lanes, len(g.tries))], stop); err != nil {
			return err
		}
	}
	for k := range g.matches {
		g.move(k)
	}
	return nil
}

func (g *greedy) clear() {
	for i := range g.engine.Lanes() {
		g.engine.Unload(i)
	}
}

// list finds the legal moves in the first lanes, which were looked at.
func (g *greedy) list(lanes int) {
	for len(g.listed) < lanes {
		g.listed = append(g.listed, make([][][]uint32, len(g.m.Roles())))
	}
	lister, ok := g.engine.(search.Lister)
	mask := make([]uint64, (g.engine.Lanes()+63)/64)
	for lane := range lanes {
		mask[lane/64] |= 1 << (lane % 64)
		for role := range g.listed[lane] {
			if g.listed[lane][role] = g.listed[lane][role][:0]; !ok {
				g.listed[lane][role] = g.paths(lane, role, nil, g.listed[lane][role])
			}
		}
	}
	if !ok {
		return
	}
	for role := range g.m.Roles() {
		lister.Paths(mask, role, func(lane int, path []uint32) {
			g.listed[lane][role] = append(g.listed[lane][role], slices.Clone(path))
		})
	}
}

// look lists the joint moves that a match chooses from: all moves of one role,
// each beside random ones of the others; a single random one in its opening and
// now and then later.
func (g *greedy) look(lane int, match *greedyMatch) {
	var joint []uint32
	var moves [][]uint32
	mover, at, choosers := -1, 0, 0
	for role := range g.m.Roles() {
		paths := g.listed[lane][role]
		if len(paths) == 0 {
			match.joints = nil
			return
		}
		if len(paths) > 1 && !isChance(g.m.Roles()[role]) {
			if choosers++; g.random.IntN(choosers) == 0 {
				mover, at, moves = role, len(joint), paths
			}
		}
		joint = append(joint, paths[g.random.IntN(len(paths))]...)
	}
	match.mover, match.best, match.joints = mover, -1, match.joints[:0]
	if mover < 0 || match.opening > 0 || g.random.Float64() < greedyRandom {
		match.joints = append(match.joints, joint)
		return
	}
	for _, path := range moves {
		of := slices.Clone(joint)
		copy(of[at:], path)
		match.joints = append(match.joints, of)
	}
}

// paths are the legal moves of a role in a lane that was looked at.
func (g *greedy) paths(lane, role int, prefix []uint32, into [][]uint32) [][]uint32 {
	if len(prefix) == g.m.Levels(role) {
		return append(into, slices.Clone(prefix))
	}
	for _, semimove := range g.engine.Offers(lane, role, prefix, nil) {
		into = g.paths(lane, role, append(prefix[:len(prefix):len(prefix)], semimove), into)
	}
	return into
}

// try looks at the states after some joint moves.
func (g *greedy) try(tries []try, stop *atomic.Bool) error {
	g.clear()
	for lane, t := range tries {
		match := &g.matches[t.match]
		g.engine.Load(lane, match.state, match.joints[t.joint])
	}
	ended, err := g.engine.Step(stop)
	if err != nil {
		return err
	}
	values := make([]float64, len(g.m.Roles()))
	var state []uint64
	for lane, t := range tries {
		match := &g.matches[t.match]
		over := ended[lane/64]>>(lane%64)&1 != 0
		if over {
			g.engine.Goals(lane, values)
		} else {
			state = g.engine.State(lane, state[:0])
			g.values.Values(state, values)
		}
		score := 0.0
		if match.mover >= 0 {
			score = values[match.mover] + 1e-6*g.random.Float64() // ties by lot
		}
		if match.best < 0 || score > match.score {
			match.best, match.score, match.ended = t.joint, score, over
			if over {
				match.goals = slices.Clone(values)
			} else {
				match.next = append(match.next[:0], state...)
			}
		}
	}
	return nil
}

// move makes the move that a match has found best, and ends the match.
func (g *greedy) move(k int) {
	match := &g.matches[k]
	if len(match.joints) == 0 || len(match.past) >= greedyLongest {
		g.begin(k)
		return
	}
	match.past = append(match.past, slices.Clone(match.state))
	match.opening--
	if !match.ended {
		match.state = append(match.state[:0], match.next...)
		return
	}
	g.done++
	g.length += (float64(len(match.past)) - g.length) / float64(g.done)
	of := make([]float32, len(match.goals))
	for r, v := range match.goals {
		of[r] = float32(v)
	}
	for pass := range greedyPasses {
		for _, i := range g.random.Perm(len(match.past)) {
			s := sample{state: match.past[i], values: of, match: uint32(g.done)}
			if pass == 0 {
				g.keep(s)
			}
			if !s.heldOut() {
				g.samples++
				g.learn.step(&s)
			}
			switch {
			case pass != 0:
			case s.heldOut():
				g.test = append(g.test, s)
			case s.sampled():
				g.train = append(g.train, s)
			}
		}
	}
	g.test, g.train = newest(g.test), newest(g.train)
	if g.done%greedyMatches == 0 {
		g.values = g.learn.evaluation()
		if few := g.done / greedyMatches; few&(few-1) == 0 {
			g.fitBroad(g.learn.f, g.values, time.Now().Add(g.refit))
		}
		if g.broad != nil {
			g.values = g.broad
		}
		if time.Now().After(g.half) {
			g.average()
		}
	}
	g.begin(k)
}

// newest drops the oldest of too many positions.
func newest(positions []sample) []sample {
	if over := len(positions) - greedyHeldOut; over > greedyHeldOut {
		return append(positions[:0], positions[over:]...)
	}
	return positions
}

// average takes the evaluation of the moment into the mean, which is less noisy
// than any of them (B. Polyak, A. Juditsky, Acceleration of Stochastic
// Approximation by Averaging, 1992).
func (g *greedy) average() {
	g.means++
	if g.mean == nil {
		g.mean, g.test, g.train = g.learn.evaluation(), g.test[:0], g.train[:0]
	} else {
		g.mean.mix(g.learn.evaluation(), 1/float64(g.means))
	}
}
