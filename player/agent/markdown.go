package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"semisplit/search/stats"
)

// Markdown writes what an agent file can hold as tables in Markdown: the
// parameters of each section, the combinations of heuristics, the presets.
func Markdown() string {
	var b strings.Builder
	for _, section := range sectionOrder {
		writeSection(&b, section)
	}
	writeCombinations(&b)
	writePresets(&b)
	return b.String()
}

var sectionTitles = map[string]string{
	topSection:        "The file",
	generalSection:    "`general`",
	algorithmSection:  "`algorithm`",
	searchSection:     "`algorithm.parameters`",
	dimensionsSection: "`algorithm.combinatorial`",
	heuristicsSection: "Each of `heuristics`",
	heuristicSection:  "`parameters` of a heuristic",
}

func writeSection(b *strings.Builder, section string) {
	fmt.Fprintf(b, "### %s\n\n", sectionTitles[section])
	taken := section == heuristicSection
	if taken {
		b.WriteString("| key | of | values | default | meaning |\n|---|---|---|---|---|\n")
	} else {
		b.WriteString("| key | values | default | meaning |\n|---|---|---|---|\n")
	}
	for i := range options {
		p := &options[i]
		if p.Section != section {
			continue
		}
		fmt.Fprintf(b, "| `%s` |", p.Key)
		if taken {
			fmt.Fprintf(b, " %s |", p.takers())
		}
		fmt.Fprintf(b, " %s | %s | %s |\n", p.Values(), p.defaultText(), p.Meaning)
	}
	b.WriteString("\n")
}

// defaultText is the default as it would stand in a file.
func (p *Option) defaultText() string {
	if p.Default == nil {
		return ""
	}
	text, err := json.Marshal(p.Default)
	if err != nil {
		panic("BUG: default of " + p.Path() + ": " + err.Error())
	}
	return "`" + string(text) + "`"
}

// takers are the heuristics that take a parameter; those of a whole family
// under one name.
func (p *Option) takers() string {
	var takers []string
	for _, family := range [][]string{mastNames, raveNames, nstNames} {
		all := !slices.ContainsFunc(family, func(name string) bool { return !slices.Contains(p.Heuristics, name) })
		if all && len(family) > 1 {
			takers = append(takers, family[0]+" and variants")
			continue
		}
		for _, name := range family {
			if slices.Contains(p.Heuristics, name) {
				takers = append(takers, name)
			}
		}
	}
	return strings.Join(takers, ", ")
}

// writeCombinations writes what resolve answers, not the table that it reads.
func writeCombinations(b *strings.Builder) {
	b.WriteString("### Combinations\n\n| tree | playouts |")
	for _, name := range slices.Concat(mastNames, raveNames) {
		fmt.Fprintf(b, " %s |", name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(mastNames)+len(raveNames)) + "\n")
	for _, c := range combinations {
		fmt.Fprintf(b, "| %s | %s |", c.tree, c.simulation)
		for _, name := range slices.Concat(mastNames, raveNames) {
			h := Heuristic{Name: name}
			family, variant := h.parts()
			fmt.Fprintf(b, " %s |", c.mark(family, variant))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// mark shows what a variant comes to: yes, no, the variant that it is, or what
// is special.
func (c combination) mark(family string, variant stats.Kind) string {
	use, err := c.resolve(family, variant)
	switch {
	case err != nil:
		return "no"
	case use.variant != variant:
		return "as " + variants[use.variant]
	case !use.expansion:
		return "playouts only"
	case use.long == stats.Join:
		return "split and join"
	}
	return "yes"
}

func writePresets(b *strings.Builder) {
	b.WriteString("### Presets\n\n| name | description |\n|---|---|\n")
	for _, preset := range Presets() {
		fmt.Fprintf(b, "| `%s` | %s |\n", preset.Name, preset.Description)
	}
}
