package agent

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"semisplit/internal/strictjson"
)

// TestDefaults holds the table of parameters against the agent that an empty
// file stands for: the same keys, in the same sections, the same values.
func TestDefaults(t *testing.T) {
	agent := Default()
	agent.Description = ""
	found := map[string]bool{}
	compareDefaults(t, agent, topSection, found)
	for i := range options {
		p := &options[i]
		if !strings.HasPrefix(p.Section, heuristicsSection) && !found[p.Path()] {
			t.Errorf("%s is in the table and not in an agent", p.Path())
		}
	}
}

func compareDefaults(t *testing.T, section any, name string, found map[string]bool) {
	text, err := json.Marshal(section)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{}
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	for key, value := range values {
		p := findOption(name, key)
		if p == nil {
			t.Errorf("%q of section %q is not in the table", key, name)
			continue
		}
		found[p.Path()] = true
		switch p.Kind {
		case ObjectKind:
			compareDefaults(t, value, p.Path(), found)
		case ListKind:
		default:
			written, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Trim(p.defaultText(), "`"); string(written) != want {
				t.Errorf("%s: the table says %s, Default %s", p.Path(), want, written)
			}
		}
	}
}

// TestParameters: the table is in order, every default passes its own check,
// and every parameter of a heuristic has takers that exist.
func TestParameters(t *testing.T) {
	paths := map[string]bool{}
	for _, p := range options {
		if paths[p.Path()] {
			t.Errorf("%s is listed twice", p.Path())
		}
		paths[p.Path()] = true
		if !slices.Contains(sectionOrder, p.Section) || p.Meaning == "" || strings.Contains(p.Meaning, "|") {
			t.Errorf("%s: section %q, meaning %q", p.Path(), p.Section, p.Meaning)
		}
		if (len(p.Heuristics) > 0) != (p.Section == heuristicSection) {
			t.Errorf("%s: taken by %v", p.Path(), p.Heuristics)
		}
		for _, name := range p.Heuristics {
			if !slices.Contains(heuristicNames, name) {
				t.Errorf("%s: taken by %s, which does not exist", p.Path(), name)
			}
		}
		if p.Default == nil {
			continue
		}
		value, err := strictjson.Parse([]byte(strings.Trim(p.defaultText(), "`")))
		if err != nil {
			t.Fatal(err)
		}
		if err := (&keyChecker{given: map[string]bool{}}).value(&p, value, ""); err != nil {
			t.Errorf("default: %v", err)
		}
	}
}

// TestDocumentation: docs/agents.md has the tables of the code, and its
// examples are agent files.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := strings.ReplaceAll(string(text), "\r\n", "\n")
	if !strings.Contains(doc, Markdown()) {
		t.Error("docs/agents.md differs from the code: put the output of \"ggp agents --parameters\" in place of its tables")
	}
	examples := strings.Split(doc, "```json\n")[1:]
	if len(examples) == 0 {
		t.Error("docs/agents.md has no example")
	}
	for _, example := range examples {
		example, _, _ = strings.Cut(example, "```")
		mustRead(t, example)
	}
}
