package agent

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"semisplit/search/stats"
)

// HeuristicVariant says what the statistics of MAST and RAVE are kept of.
type HeuristicVariant string

// The variants. The standard variant is always one of the first two.
const (
	SplitVariant   HeuristicVariant = "split"   // semimoves, wherever in a move they stand
	JoinVariant    HeuristicVariant = "join"    // whole moves
	ContextVariant HeuristicVariant = "context" // prefixes of moves
	MixVariant     HeuristicVariant = "mix"     // semimoves, until there are samples enough in context
)

// kinds are the search's names of the variants.
var kinds = map[HeuristicVariant]stats.Kind{
	SplitVariant: stats.Split, JoinVariant: stats.Join, ContextVariant: stats.Context, MixVariant: stats.Mix,
}

func defaultHeuristicParameters() heuristicParameters {
	mast, rave := stats.DefaultMast(), stats.DefaultRave()
	return heuristicParameters{
		Epsilon: mast.Epsilon, Decay: stats.DecayMove, DecayFactor: mast.DecayFactor, MixThreshold: mast.MixThreshold,
		EquivalenceParameter: int64(rave.Equivalence), NGramLength: 3, NGramThreshold: mast.NGramThreshold,
	}
}

// Mast is the agent's MAST. It is false for an agent without, and for one
// that Check refuses.
func (a Agent) Mast() (stats.Mast, bool) {
	h, variant := a.heuristic(mastNames)
	if h == nil {
		return stats.Mast{}, false
	}
	use, err := a.combination().resolve("mast", variant)
	if err != nil {
		return stats.Mast{}, false
	}
	m := stats.DefaultMast()
	m.Kind, m.PlainTree = kinds[use.variant], !use.expansion
	h.set(&m)
	return m, true
}

// Rave is the agent's RAVE. It is false for an agent without, and for one
// that Check refuses.
func (a Agent) Rave() (stats.Rave, bool) {
	h, variant := a.heuristic(raveNames)
	if h == nil {
		return stats.Rave{}, false
	}
	use, err := a.combination().resolve("rave", variant)
	if err != nil {
		return stats.Rave{}, false
	}
	r := stats.DefaultRave()
	r.Kind = kinds[use.variant]
	h.set(&r)
	return r, true
}

// Nst are the agent's N-gram statistics. It is false for an agent without.
func (a Agent) Nst() (stats.Mast, bool) {
	h, _ := a.heuristic(nstNames)
	if h == nil {
		return stats.Mast{}, false
	}
	m := stats.DefaultMast()
	m.Kind = stats.Split
	h.set(&m)
	return m, true
}

// heuristic is the first entry with one of the names, and its variant, ""
// for the standard one.
func (a Agent) heuristic(names []string) (*Heuristic, HeuristicVariant) {
	for i := range a.Heuristics {
		if h := &a.Heuristics[i]; slices.Contains(names, h.Name) {
			_, variant := h.parts()
			return h, variant
		}
	}
	return nil, ""
}

// parts splits the name into family and variant.
func (h *Heuristic) parts() (family string, variant HeuristicVariant) {
	family, rest, _ := strings.Cut(h.Name, "-")
	return family, HeuristicVariant(rest)
}

// set sets the options of a search that the heuristic's parameters stand for.
func (h *Heuristic) set(into any) {
	for _, o := range optionsOf(h.Name) {
		if o.Search != "" {
			assign(reflect.ValueOf(into).Elem().FieldByName(o.Search), h.value(o))
		}
	}
}

// value is a parameter as given, or its default.
func (h *Heuristic) value(o *Option) any {
	if v, given := h.Parameters[o.Key]; given {
		return v
	}
	return o.Default
}

// Complete returns the heuristic with every parameter that it takes, numbers
// as float64 like those that were read.
func (h Heuristic) Complete() Heuristic {
	all := map[string]any{}
	for _, o := range optionsOf(h.Name) {
		all[o.Key] = h.value(o)
		switch o.Kind {
		case IntegerKind, NumberKind:
			number := 0.0
			assign(reflect.ValueOf(&number).Elem(), all[o.Key])
			all[o.Key] = number
		case TextKind:
			all[o.Key] = fmt.Sprint(all[o.Key])
		}
	}
	return Heuristic{Name: h.Name, Parameters: all}
}
