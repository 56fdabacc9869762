package agent

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"semisplit/search/stats"
)

// variants are the names of what the statistics of MAST and RAVE are kept of; the
// standard variant is split or join.
var variants = [...]string{stats.None: "", stats.Split: "split", stats.Join: "join", stats.Context: "context", stats.Mix: "mix"}

func defaultHeuristicParameters() heuristicParameters {
	mast, rave, grave := stats.DefaultMast(), stats.DefaultRave(), stats.DefaultGrave()
	return heuristicParameters{
		Epsilon: mast.Epsilon, Decay: stats.DecayMove, DecayFactor: mast.DecayFactor, MixThreshold: mast.MixThreshold,
		EquivalenceParameter: int64(rave.Equivalence), NGramLength: 3, NGramThreshold: mast.NGramThreshold,
		ReferenceVisits: int(grave.Reference), Bias: grave.Bias,
	}
}

// Mast is the agent's MAST, or its N-gram statistics. It is false for an agent without,
// and for one that Read refuses.
func (a Agent) Mast() (stats.Mast, bool) {
	h, variant := a.heuristic(slices.Concat(mastNames, nstNames))
	if h == nil {
		return stats.Mast{}, false
	}
	use := usage{variant: stats.Split, expansion: true}
	if family, _ := h.parts(); family == "mast" {
		var err error
		if use, err = a.combination().resolve(family, variant); err != nil {
			return stats.Mast{}, false
		}
	}
	m := stats.DefaultMast()
	m.Kind, m.PlainTree = use.variant, !use.expansion
	h.set(&m)
	return m, true
}

// Rave is the agent's RAVE. It is false for an agent without, and for one
// that Read refuses.
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
	r.Kind = use.variant
	h.set(&r)
	return r, true
}

// Grave is the agent's GRAVE. It is false for an agent without.
func (a Agent) Grave() (stats.Grave, bool) {
	h, _ := a.heuristic(graveNames)
	if h == nil {
		return stats.Grave{}, false
	}
	g := stats.DefaultGrave()
	h.set(&g)
	return g, true
}

// heuristic is the first entry with one of the names, and its variant, None
// for the standard one.
func (a Agent) heuristic(names []string) (*Heuristic, stats.Kind) {
	for i := range a.Heuristics {
		if h := &a.Heuristics[i]; slices.Contains(names, h.Name) {
			_, variant := h.parts()
			return h, variant
		}
	}
	return nil, stats.None
}

// parts splits the name into family and variant.
func (h *Heuristic) parts() (family string, variant stats.Kind) {
	family, rest, _ := strings.Cut(h.Name, "-")
	return family, stats.Kind(slices.Index(variants[:], rest))
}

// set sets the options of a search that the heuristic's parameters stand for.
func (h *Heuristic) set(into any) {
	for _, o := range optionsOf(h.Name) {
		assign(into, o.Search, h.value(o))
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
			all[o.Key] = reflect.ValueOf(all[o.Key]).Convert(reflect.TypeFor[float64]()).Interface()
		case TextKind:
			all[o.Key] = fmt.Sprint(all[o.Key])
		}
	}
	return Heuristic{Name: h.Name, Parameters: all}
}
