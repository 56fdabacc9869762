// Package evaluation estimates what a state of a game is worth to each role, by sums
// over the fluents that hold and the shapes that they make. Where the weights come from is told by the packages
// below it, which learn them, and by files.
package evaluation

import (
	"cmp"
	"math"
	"slices"

	"semisplit/kif"
	"semisplit/player/evaluation/shapes"
	"semisplit/reasoner"
)

// Evaluation is v0: an estimate of what a state is worth to each role, learned
// from matches and short searches of this very game, or made from a file. It is a
// logistic function of a sum of weights over the fluents that hold, and over what the
// cells of shapes hold together. Patterns that the weights were learned of are sums over
// fluents. States are those of the machine that it was learned on.
type Evaluation struct {
	roles   int
	bias    []float64      // by role
	weights []float32      // of the fluent with bit i for role r: weights[i*roles+r]
	layout  *shapes.Layout // nil: no shape is worth anything
	entries []float32      // of an entry of the layout for role r: entries[entry*roles+r]
	fixed   fixed          // the same, as they are added up

	counts   []uint64   // bits of fluents with a weight, of a file only; nil: any may have one
	furthest []furthest // of a file only
	fluents  []string   // by bit; nil: the evaluation stays with its machine

	Quality    []Quality       // by role, on positions that were held out
	VsRollouts *Comparison     // with playouts, of what was learned from matches; nil: there was no time
	Features   []FeatureWeight // the strongest, by role in turn, strongest first
	Shapes     []ShapeGain     // what was tried of shapes when it was learned, in that order
	Duels      []Duel          // of each thread that learned fluents and shapes together
	Source     Source          // what it was learned from; "": a file
	Samples    int             // positions learned from
	Matches    int             // that they are of; 0: not counted
}

// Quality says how well an evaluation predicts positions of matches that it did
// not learn from.
type Quality struct {
	Error    float64 `json:"error"`    // mean squared error
	Constant float64 `json:"constant"` // that of the best constant
	Fitted   float64 `json:"fitted"`   // that of the best line through the evaluation, if it rises, and what so few matches let expect of chance
}

// ExplainedVariance is the part of the constant's error that the evaluation takes away: 1 is
// perfect, 0 and less worthless. It is that of the best line: a search needs
// to know which of two states is better, and few matches that end by one blunder
// make any evaluation look too sure of itself.
func (q Quality) ExplainedVariance() float64 {
	if q.isConstant() {
		return 0
	}
	return 1 - q.Fitted/q.Constant
}

// isConstant tells whether the role always got the same, up to what sums are off by: there
// was nothing to predict.
func (q Quality) isConstant() bool { return q.Constant <= 1e-9 }

// Duel is what fluents and shapes that were learned together came to against the same
// that were fitted to how matches ended.
type Duel struct {
	Lead    float64 // mean goals more; above 0 they count. Without matches, by how much less they are off
	Matches int
}

// FeatureWeight is what a feature is worth to a role.
type FeatureWeight struct {
	Role    kif.Term
	Feature string  // a fluent; a question mark stands for anything, a sign for how far along
	Weight  float64 // in the logarithm of the odds, for each fluent or from one end to the other
	entry   int     // of shapes
}

// SortWeights puts weights in the order of their roles, the strongest first.
func SortWeights(list []FeatureWeight, roles []kif.Term) {
	number := func(w FeatureWeight) int {
		return slices.IndexFunc(roles, func(r kif.Term) bool { return kif.Equal(r, w.Role) })
	}
	slices.SortStableFunc(list, func(a, b FeatureWeight) int {
		return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)))
	})
}

// Source says what an evaluation is learned from. Neither is better in all games:
// what playouts come to tells who attacks faster, what matches come to tells what
// pieces are worth.
type Source string

// The sources, as the key evaluation of an agent names them.
const (
	FromMatches Source = "matches" // quick matches against itself; also the empty name
	FromTrees   Source = "trees"   // what short searches judge
)

// New is the evaluation with a bias for each role, and with the weights of the fluents
// by bit and role (the fluent with bit i for role r at i*len(bias)+r). names are the
// fluents by bit; nil: the evaluation stays with its machine.
func New(bias []float64, weights []float32, names []string) *Evaluation {
	e := &Evaluation{roles: len(bias), bias: bias, weights: weights, fluents: names}
	e.fix()
	return e
}

// SetShapes has shapes count: the weights are those of the entries of a layout, of an
// entry for a role at entry*roles + role.
func (e *Evaluation) SetShapes(l *shapes.Layout, weights []float32) {
	e.layout, e.entries = l, weights
	e.fix()
}

// HasShapes tells whether shapes are worth anything.
func (e *Evaluation) HasShapes() bool { return e.layout != nil }

// Of the largest weights so many features and entries of shapes are told, for each role.
const ToldFeatures, ToldShapes = 8, 4

// StrongFluents are the fluents with the largest weights.
func (e *Evaluation) StrongFluents(roles []kif.Term) (list []FeatureWeight) {
	for r, role := range roles {
		var all []FeatureWeight
		for bit, name := range e.fluents {
			if w := e.weights[bit*e.roles+r]; name != "" && w != 0 {
				all = append(all, FeatureWeight{Role: role, Feature: name, Weight: float64(w)})
			}
		}
		SortWeights(all, roles)
		list = append(list, all[:min(len(all), ToldFeatures)]...)
	}
	return list
}

// StrongShapes are the strongest entries of shapes, so many for each role.
func (e *Evaluation) StrongShapes(roles []kif.Term, most int) (list []FeatureWeight) {
	if e.layout == nil {
		return nil
	}
	for r, role := range roles {
		var all []FeatureWeight
		for entry := range e.layout.Entries {
			all = append(all, FeatureWeight{Role: role, Weight: float64(e.entries[entry*e.roles+r]), entry: entry})
		}
		SortWeights(all, roles)
		for _, w := range all[:min(len(all), most)] {
			w.Feature = e.layout.Name(w.entry, e.fluents)
			list = append(list, w)
		}
	}
	return list
}

// Words is the length of a state.
func (e *Evaluation) Words() int { return len(e.weights) / e.roles / 64 }

// Roles is the number of roles.
func (e *Evaluation) Roles() int { return e.roles }

// Values puts what a state is worth into values, by role, in [0, 1].
func (e *Evaluation) Values(state []uint64, values []float64) {
	e.LogOdds(state, values)
	e.squash(values)
}

func (e *Evaluation) squash(values []float64) {
	if e.roles == 2 && values[1] == -values[0] { // as of most games: what one wins the other loses
		values[0] = Logistic(values[0])
		values[1] = 1 - values[0]
		return
	}
	for r, v := range values[:e.roles] {
		values[r] = Logistic(v)
	}
}

// Logistic is the expected score at a logarithm of the odds. Between -furthestOdds and
// furthestOdds it is read from a table, and off by 3e-6 at most.
func Logistic(v float64) float64 {
	if !(v >= -furthestOdds && v < furthestOdds) { // or it is no number
		return 1 / (1 + math.Exp(-v))
	}
	at := (v + furthestOdds) * oddsSteps
	i := int(at)
	at -= float64(i)
	return logistic[i] + at*(logistic[i+1]-logistic[i])
}

const (
	furthestOdds = 16
	oddsSteps    = 64 // of the table in 1
)

var logistic = func() (t [2*furthestOdds*oddsSteps + 2]float64) {
	for i := range t {
		t[i] = 1 / (1 + math.Exp(furthestOdds-float64(i)/oddsSteps))
	}
	return t
}()

// ExplainedVariance is the least one for any role that does not always get the same; 0 if
// there is none.
func (e *Evaluation) ExplainedVariance() float64 {
	return leastOf(e.Quality, func(role int) float64 { return e.Quality[role].ExplainedVariance() })
}

// leastOf is the least figure of a role that does not always get the same; 0 if there is none.
func leastOf(roles []Quality, figure func(role int) float64) float64 {
	least, found := 1.0, false
	for role, q := range roles {
		if !q.isConstant() {
			least, found = min(least, figure(role)), true
		}
	}
	if !found {
		return 0
	}
	return least
}

// On is the evaluation for another machine of the same game: what fluents are
// worth goes with them.
func (e *Evaluation) On(m reasoner.Machine) *Evaluation {
	bits := map[string]int{}
	for bit, name := range e.fluents {
		if name != "" {
			bits[name] = bit
		}
	}
	moved := *e
	names := fluentNames(m)
	moved.bias = slices.Clone(e.bias)
	moved.fluents, moved.weights = names, make([]float32, len(names)*e.roles)
	for bit, name := range names {
		if old, ok := bits[name]; ok {
			copy(moved.weights[bit*e.roles:(bit+1)*e.roles], e.weights[old*e.roles:])
		}
	}
	moved.moveShapes(e.fluents, names)
	moved.fix()
	return &moved
}

// Alpha is the weight of the evaluation in implicit minimax backups: at most what
// M. Lanctot et al. found safe, and that part of it which the evaluation has in the best
// mixture with playouts. Where it was not held against playouts, it is more where more is
// explained, and 0 where the evaluation says next to nothing. How a match ends is a single draw, which nobody predicts
// well from its beginning, and the less the more of chance there is in the matches;
// the mean of many playouts is a number that can be known. (Evaluations of Breakthrough
// that explain 4 to 10% of outcomes are steady and play as well as the hand-made one
// with 0.4; docs/knowledge.md.)
func (e *Evaluation) Alpha() float64 {
	const low, high = 0.15, 0.4
	useless, enough := 0.05, 0.6
	if e.Source == FromMatches {
		useless, enough = 0.005, 0.06
	}
	explained := e.ExplainedVariance()
	if explained < useless {
		return 0
	}
	if share, ok := e.share(); ok {
		if share < leastShare {
			return 0
		}
		return high * share
	}
	return low + (high-low)*min(1, explained/enough)
}

// Trust says, from 0 to 1, how much an evaluation is one of those that searches win
// with: one that predicts matches as well as playouts do. Where it was not held against
// playouts, what it explains must do: 13 to 20% from matches and 22 to 72% from trees in
// Chess, Skirmish and Othello.
func (e *Evaluation) Trust() float64 {
	if share, ok := e.share(); ok {
		return min(trustAtRatio(e.VsRollouts.Ratio()), share/enoughShare)
	}
	if e.VsRollouts != nil {
		return trustAtRatio(e.VsRollouts.Ratio())
	}
	nothing, enough := 0.05, 0.2
	if e.Source == FromMatches {
		nothing, enough = 0.005, 0.06
	}
	return min(1, max(0, (e.ExplainedVariance()-nothing)/(enough-nothing)))
}

// Useful tells whether an evaluation says enough to be tried; nil does not.
func (e *Evaluation) Useful() bool { return e != nil && e.Alpha() > 0 }

// Comparison is how well an evaluation and random playouts predict what matches came
// to, on the same positions, which were held out.
type Comparison struct {
	Positions  int       `json:"positions"`
	Evaluation []Quality `json:"evaluation"` // by role
	Playouts   []Quality `json:"playouts"`   // by role

	// Shares are the parts, in [0, 1], that the evaluation has by role in the mixture with
	// the mean of playouts that is nearest to how the matches ended; nil: not known, of
	// what was learned by an earlier program.
	Shares []float64 `json:"shares,omitempty"`
}

// enoughShare is the share from which on an evaluation is trusted, leastShare that from
// which on it is worth its time.
const enoughShare, leastShare = 0.5, 0.1

// share is the least for any role that does not always get the same.
func (e *Evaluation) share() (least float64, ok bool) {
	if e.VsRollouts == nil || len(e.VsRollouts.Shares) == 0 {
		return 0, false
	}
	return leastOf(e.VsRollouts.Evaluation, func(role int) float64 { return e.VsRollouts.Shares[role] }), true
}

// Ratio is what the evaluation explains, as a mean over the roles, in parts of what the
// playouts do.
func (c *Comparison) Ratio() float64 {
	const leastExplained = 0.002 // of playouts
	own, other := 0.0, 0.0
	for r, q := range c.Evaluation {
		own, other = own+q.ExplainedVariance()/float64(len(c.Evaluation)), other+c.Playouts[r].ExplainedVariance()/float64(len(c.Playouts))
	}
	return max(own, 0) / max(other, leastExplained)
}

// trustAtRatio is the trust that a ratio deserves. The bounds are set by eye, from 23 games
// against playouts that see wins: 1.4 and more are most games in which an evaluation wins,
// 0.7 to 1.0 Connect Four, where searches without one keep the value more often
// (docs/experiments/results/evaluations.md).
func trustAtRatio(ratio float64) float64 {
	const nothing, enough = 0.75, 1.4
	return min(1, max(0, math.Log(ratio/nothing)/math.Log(enough/nothing)))
}
