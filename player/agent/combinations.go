package agent

import (
	"fmt"
	"strings"

	"semisplit/internal/words"
	"semisplit/search/stats"
)

// availability is an entry of the table of combinations.
type availability uint8

const (
	absent      availability = iota // does not exist
	works                           // exists
	likeJoin                        // exists and is the join variant
	likeSplit                       // exists and is the split variant
	uselessJoin                     // would do the work of the join variant with more statistics
	noExpansion                     // exists; expansion does not use it
)

// combination is a row of the table: which variants of the action-based
// heuristics exist for a design of tree and playouts. Columns: None (the standard
// one), Split, Join, Context. Mix exists where split and context do.
type combination struct {
	tree, simulation Strategy
	mast, rave       [4]availability
}

// combinations is table 3 of Kowalski et al., Split Moves for Monte-Carlo
// Tree Search, appendix 1.2.
var combinations = []combination{
	{Orthodox, Orthodox, [4]availability{likeJoin, works, works, uselessJoin}, [4]availability{likeJoin, absent, works, uselessJoin}},
	{Orthodox, Semisplit, [4]availability{absent, works, absent, works}, [4]availability{absent, absent, works, uselessJoin}},
	{Semisplit, Orthodox, [4]availability{absent, works, noExpansion, works}, [4]availability{absent, works, absent, works}},
	{Semisplit, Semisplit, [4]availability{likeSplit, works, absent, works}, [4]availability{likeSplit, works, absent, works}},
	{Rollup, Orthodox, [4]availability{absent, works, noExpansion, works}, [4]availability{absent, absent, absent, works}},
	{Rollup, Semisplit, [4]availability{absent, works, absent, works}, [4]availability{absent, absent, absent, works}},
}

// combination is the agent's row; an empty one, where nothing is available,
// if its strategies are unknown.
func (a Agent) combination() combination {
	for _, c := range combinations {
		if c.tree == a.Algorithm.TreeStrategy && c.simulation == a.Algorithm.SimulationStrategy {
			return c
		}
	}
	return combination{tree: a.Algorithm.TreeStrategy, simulation: a.Algorithm.SimulationStrategy}
}

// usage is what a variant comes to in a combination.
type usage struct {
	variant   stats.Kind
	long      stats.Kind // of stats.Mix
	expansion bool
	note      string // what it is equal to
}

// resolve says what a variant of "mast" or "rave" comes to, None being the
// standard one, or why it does not exist.
func (c combination) resolve(family string, variant stats.Kind) (usage, error) {
	row := c.mast
	if family == "rave" {
		row = c.rave
	}
	if variant == stats.Mix {
		return c.resolveMix(family, row)
	}
	use := usage{variant: variant, expansion: true}
	switch row[variant] {
	case absent:
		return usage{}, c.refuse(family, variant)
	case likeJoin:
		use.variant = stats.Join
		use.note = fmt.Sprintf("%s is %s-join here", family, family)
	case likeSplit:
		use.variant = stats.Split
		use.note = fmt.Sprintf("%s is %s-split here", family, family)
	case uselessJoin:
		use.variant = stats.Join
		use.note = fmt.Sprintf("%s-context would only do the work of %s-join here, with more statistics: %s-join is used", family, family, family)
	case noExpansion:
		use.expansion = false
		use.note = fmt.Sprintf("%s-join guides playouts only: expansion chooses semimoves, and it has statistics of moves", family)
	}
	return use, nil
}

func (c combination) resolveMix(family string, row [4]availability) (usage, error) {
	if row[stats.Split] == absent || row[stats.Context] == absent {
		return usage{}, c.refuse(family, stats.Mix)
	}
	use := usage{variant: stats.Mix, long: stats.Context, expansion: true}
	if row[stats.Context] == uselessJoin {
		use.long = stats.Join
		use.note = fmt.Sprintf("%s-mix has %s-join for its longer statistics here", family, family)
	}
	return use, nil
}

// refusals say why a variant does not exist in some combinations.
var refusals = map[string]string{
	"mast":       "needs the same design of tree and playouts, orthodox or semisplit",
	"rave":       "needs the same design of tree and playouts, orthodox or semisplit",
	"mast-join":  "needs orthodox playouts: it has statistics of whole moves, and semisplit playouts choose semimoves",
	"rave-split": "needs a semisplit tree: it has statistics of semimoves, and other trees choose longer parts of moves",
	"rave-join":  "needs an orthodox tree: it has statistics of whole moves, and other trees choose parts of moves",
	"rave-mix":   "needs a semisplit tree: it is rave-split until there are samples enough, and rave-split needs one",
}

func (c combination) refuse(family string, variant stats.Kind) error {
	name := strings.TrimSuffix(family+"-"+variants[variant], "-")
	var others []string
	for _, v := range []stats.Kind{stats.Split, stats.Join, stats.Context, stats.Mix} {
		if c.has(family, v) {
			others = append(others, family+"-"+variants[v])
		}
	}
	return fmt.Errorf("heuristics: %s %s; with tree_strategy %q and simulation_strategy %q choose %s",
		name, refusals[name], c.tree, c.simulation, words.Or(others))
}

// has tells whether a variant exists and is not useless.
func (c combination) has(family string, variant stats.Kind) bool {
	row := c.mast
	if family == "rave" {
		row = c.rave
	}
	switch variant {
	case stats.Split, stats.Join:
		return row[variant] != absent
	case stats.Context:
		return row[stats.Context] != absent && row[stats.Context] != uselessJoin
	}
	return row[stats.Split] != absent && row[stats.Context] != absent
}
