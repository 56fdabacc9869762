package player

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// unknownKey says that a key does not exist in a section, and which one was
// likely meant: the same key of another section, or the nearest of all,
// preferably of this section.
func unknownKey(section, key string) string {
	key = clip(key)
	for i := range agentParameters {
		if p := &agentParameters[i]; p.Key == key {
			return fmt.Sprintf("key %q stands in another section: it belongs %s, not %s", key, place(p.Section), place(section))
		}
	}
	best, least := &agentParameters[0], 1<<30
	for i := range agentParameters {
		p := &agentParameters[i]
		faults := 2 * levenshtein.ComputeDistance(strings.ToLower(key), p.Key)
		if p.Section != section {
			faults++
		}
		if faults < least {
			best, least = p, faults
		}
	}
	if best.Section == section {
		return fmt.Sprintf("unknown key %q %s: did you mean %q?", key, place(section), best.Key)
	}
	return fmt.Sprintf("unknown key %q %s: did you mean %q, which belongs %s?", key, place(section), best.Key, place(best.Section))
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
	usual := DefaultAgent().Algorithm.Parameters
	for i := range a.Heuristics {
		if family, variant := a.Heuristics[i].parts(); family != "nst" {
			use, err := a.combination().resolve(family, variant)
			add(err == nil && use.note != "", "%s", use.note)
		}
	}
	add(algorithm.SplitStrategy == string(Orthodox) && (!wholeTree || algorithm.SimulationStrategy != Orthodox),
		"split_strategy orthodox leaves moves whole: tree and playouts are orthodox in effect")
	add(wholeTree && !algorithm.Parameters.IsNodal, "is_nodal has no effect in an orthodox tree")
	add(wholeTree && algorithm.Parameters.FinalSelection == SelectRollup, "the final selection rollup is greedy in an orthodox tree")
	add(algorithm.TreeStrategy != Rollup && algorithm.Parameters.MinSimulationsFactor != usual.MinSimulationsFactor,
		"min_simulations_factor has an effect in a rollup tree only")
	add(algorithm.Parameters.FinalSelection != SelectRollup && algorithm.Parameters.FinalRollupFactor != usual.FinalRollupFactor,
		"final_rollup_factor has an effect with the final selection rollup only")
	return notes
}

// clip shortens what a file said for an error.
func clip(text string) string {
	const most = 60 // bytes
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// nearest is the word with the fewest edits to key, the first of equals.
func nearest(key string, words []string) string {
	key = clip(key)
	best, least := "", 1<<30
	for _, word := range words {
		if d := levenshtein.ComputeDistance(strings.ToLower(key), strings.ToLower(word)); d < least {
			best, least = word, d
		}
	}
	return best
}
