package agent

import (
	"fmt"
	"slices"

	"semisplit/internal/spelling"
	"semisplit/internal/strictjson"
	"semisplit/search/final"
)

// unknownKey says that a key does not exist in a section, and which one was
// likely meant: the same key of another section, or the nearest of all,
// preferably of this section.
func unknownKey(section, key string) string {
	key = strictjson.Clip(key)
	for i := range options {
		if p := &options[i]; p.Key == key {
			return fmt.Sprintf("key %q stands in another section: it belongs %s, not %s", key, place(p.Section), place(section))
		}
	}
	own, _ := nearestKey(key, func(other string) bool { return other == section })
	other, elsewhere := nearestKey(key, func(other string) bool { return other != section })
	switch {
	case own != "":
		return fmt.Sprintf("unknown key %q %s: did you mean %q?", key, place(section), own)
	case other != "":
		return fmt.Sprintf("unknown key %q %s: did you mean %q, which belongs %s?", key, place(section), other, place(elsewhere))
	}
	return fmt.Sprintf("unknown key %q %s (ggp agents --parameters lists what there is)", key, place(section))
}

// nearestKey is the key of some sections that a misspelt one may stand for, and
// its section; empty if there is none.
func nearestKey(key string, among func(section string) bool) (near, section string) {
	var keys []string
	for i := range options {
		if among(options[i].Section) {
			keys = append(keys, options[i].Key)
		}
	}
	found := spelling.Near(key, keys, 1)
	if len(found) == 0 {
		return "", ""
	}
	index := slices.IndexFunc(options, func(p Option) bool { return p.Key == found[0] && among(p.Section) })
	return found[0], options[index].Section
}

// place says where a section's keys stand.
func place(section string) string {
	if section == topSection {
		return "at the top level"
	}
	return "in " + section
}

// Notes says what an agent names without effect, or what is the same as
// something else: for people.
func (a Agent) Notes() []string {
	var notes []string
	add := func(applies bool, format string, args ...any) {
		if applies {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
	}
	algorithm := a.Algorithm
	wholeTree := algorithm.TreeStrategy == Orthodox
	usual := Default().Algorithm.Parameters
	for i := range a.Heuristics {
		if family, variant := a.Heuristics[i].parts(); family != "nst" && family != "grave" {
			use, err := a.combination().resolve(family, variant)
			add(err == nil && use.note != "", "%s", use.note)
		}
	}
	add(!a.Minimax() && !a.Combinatorial() && algorithm.SplitStrategy == string(Orthodox) && (!wholeTree || algorithm.SimulationStrategy != Orthodox),
		"split_strategy orthodox leaves moves whole: tree and playouts are orthodox in effect")
	add(wholeTree && !algorithm.Parameters.IsNodal, "is_nodal has no effect in an orthodox tree")
	add(wholeTree && algorithm.Parameters.FinalSelection == final.RollUp, "the final selection rollup is greedy in an orthodox tree")
	add(algorithm.TreeStrategy != Rollup && algorithm.Parameters.MinSimulationsFactor != usual.MinSimulationsFactor,
		"min_simulations_factor has an effect in a rollup tree only")
	return notes
}
