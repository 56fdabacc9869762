package mcts

import (
	"semisplit/search/backup"
	"semisplit/search/encoding"
	"semisplit/search/final"
	"semisplit/search/heuristic"
	"semisplit/search/proof"
	"semisplit/search/selection"
	"semisplit/search/stats"
)

// Options are the parameters of a search; DefaultOptions has what is usual.
type Options struct {
	// Seed of the tree's own random numbers: the order in which semimoves are
	// tried first, ties, and the moves of chance roles. The engines have
	// seeds of their own.
	Seed uint64

	// Memory bounds the tree, in bytes. When it is reached, the least visited
	// parts are given up and the search goes on. 0: DefaultMemory. About
	// 300 kB are needed to be of use at all.
	Memory int64

	// PlayoutLimit is the length, in joint moves below the tree, at which a
	// playout is cut and scored with the goals of the state reached. 0:
	// DefaultPlayoutLimit.
	PlayoutLimit int

	// LeafPlayouts is the number of playouts from each new state that leaves the tree, of
	// which the mean is backed up. 0: one.
	LeafPlayouts int

	// LanesInFlight bounds the playouts that are in flight at a time in each
	// engine. 0: by what the tree knows and the budget.
	LanesInFlight int

	// Chance marks, by role, those that move uniformly at random, whatever
	// their goals; in the tree too, where a semimove is drawn uniformly at
	// each level. Shorter than the number of roles: the rest are players.
	Chance []bool

	// Transpositions makes lines of play that lead to the same state share what
	// is below it. 16 bytes a node, and less than 2% of Memory at once.
	Transpositions bool

	// Solver keeps bounds on the goals that rational play brings, and uses what
	// is proven: a solved node is not searched, Search ends when the move is
	// known to be the best, Best prefers it. Where several moves are as good and
	// none wins, Search goes on to find the one that is hardest to answer. 2 bytes
	// a node and role, and 2 a node. In a game for one Best follows the best line
	// that any iteration has found.
	Solver bool
	// PN uses proof numbers: 8 bytes a node and role, 160 for ten edges, both
	// again for Draws, and 40 more for Select.
	PN proof.PN

	// Whole makes the tree take moves whole, whatever the levels of the engine:
	// orthodox tree, semisplit playouts. Each node that the tree enters twice
	// asks the engine for all legal moves.
	Whole bool
	// Divide makes the tree take moves in several semimoves that an engine
	// takes whole: semisplit tree, orthodox playouts. nil: as the engine.
	Divide *encoding.Division
	// Eager gives a joint move its node when it is played for the first time, not
	// for the second: then it is known at once what it is worth.
	Eager bool
	// Raw adds one semimove to the tree in an iteration, not a whole move.
	Raw bool
	// Selection says how moves are chosen in the tree.
	Selection selection.Options
	// Backup says which rules results are backed up by, beside those of Knowledge.
	Backup backup.Options

	// Final says how Best chooses.
	Final final.Rule

	Mast      stats.Mast
	Rave      stats.Rave
	Grave     stats.Grave // of trees that choose what the engine does: not of Whole, Divide or rolled-up ones
	Knowledge heuristic.Knowledge
}

// Bounds that are meant where Options give none.
const (
	DefaultMemory       = 256 << 20 // bytes
	DefaultPlayoutLimit = 1000      // joint moves
)

// DefaultOptions are those of a search of which nothing else is said.
func DefaultOptions() Options {
	return Options{
		Selection: selection.Options{Exploration: 0.4}, Backup: backup.Options{MinSimulations: 1}, Final: final.Visits,
		PN: proof.PN{Constant: proof.DefaultConstant}, Mast: stats.DefaultMast(), Rave: stats.DefaultRave(),
	}
}

// bounded has the bounds that are meant where none is given, and no value
// beyond its range.
func (o Options) bounded(roles int) Options {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.PlayoutLimit <= 0 {
		o.PlayoutLimit = DefaultPlayoutLimit
	}
	o.Knowledge.Alpha = min(max(o.Knowledge.Alpha, 0), 1)
	o.Mast = o.Mast.Bounded()
	chance := make([]bool, roles)
	copy(chance, o.Chance)
	o.Chance = chance
	return o
}

// longestPlayout is the number of joint moves after which a playout is cut, with
// the one that left the tree.
func (o *Options) longestPlayout() int64 {
	longest := o.PlayoutLimit
	if o.Knowledge.Guesses() {
		longest = min(longest, o.Knowledge.Fixed)
	}
	return int64(longest) + 1
}
