package agent

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"semisplit/internal/words"
	"semisplit/reasoner/split"
)

// Option describes a key of the agent file.
type Option struct {
	Section string // where the key stands: "" for the top level, else keys joined by dots
	Key     string
	Kind    Kind
	Default any // nil in objects, lists, and the names that a file has to give

	// Values of numbers lie in [Min, Max], units in Meaning. Choices are the
	// only values otherwise, as written in JSON without quotes.
	Min, Max float64
	Choices  []string

	// Heuristics are the names of those that take this parameter.
	Heuristics []string

	Meaning string
	Refusal string // why other values than the only choice are refused
	Search  string // the field of the search's options that it sets; "": none
}

// Kind is the JSON type of a value.
type Kind string

// The kinds of values.
const (
	TextKind    Kind = "text"
	IntegerKind Kind = "integer"
	NumberKind  Kind = "number"
	BoolKind    Kind = "true or false"
	ObjectKind  Kind = "object"
	ListKind    Kind = "list"
)

// Sections of the agent file.
const (
	topSection        = ""
	generalSection    = "general"
	algorithmSection  = "algorithm"
	searchSection     = "algorithm.parameters"
	dimensionsSection = "algorithm.combinatorial"
	heuristicsSection = "heuristics"
	heuristicSection  = "heuristics.parameters"
)

var sectionOrder = []string{topSection, generalSection, algorithmSection, searchSection, dimensionsSection, heuristicsSection, heuristicSection}

// Path is the section and the key.
func (p *Option) Path() string {
	if p.Section == topSection {
		return p.Key
	}
	return p.Section + "." + p.Key
}

const unbounded = 1 << 53 // integers beyond have no exact JSON number everywhere

var (
	mastNames  = []string{"mast", "mast-split", "mast-join", "mast-context", "mast-mix"}
	raveNames  = []string{"rave", "rave-split", "rave-join", "rave-context", "rave-mix"}
	nstNames   = []string{"nst"}
	graveNames = []string{"grave"}

	heuristicNames = slices.Concat(mastNames, raveNames, nstNames, graveNames)
)

// families are the names of heuristics that a tag may say at once.
var families = map[string][]string{"mast": mastNames, "rave": raveNames, "nst": nstNames, "grave": graveNames}

// options are those that can stand in an agent file, as the structs declare them.
var options = func() (all []Option) {
	def := Default()
	def.Description = "" // that of the preset
	all = declared(all, topSection, reflect.ValueOf(def))
	all = declared(all, heuristicsSection, reflect.ValueOf(Heuristic{}))
	return declared(all, heuristicSection, reflect.ValueOf(defaultHeuristicParameters()))
}()

// declared appends the options of a section, and of the sections in it. def
// holds the defaults.
func declared(all []Option, section string, def reflect.Value) []Option {
	var inner []Option
	for field, value := range def.Fields() {
		tag := field.Tag
		o := Option{Section: section, Key: tag.Get("json"), Meaning: tag.Get("help"), Refusal: tag.Get("refusal"), Search: tag.Get("search"), Max: unbounded}
		o.Kind, o.Default = kindOf(value), value.Interface()
		switch o.Kind {
		case ObjectKind:
			o.Default = nil
			if value.Kind() == reflect.Struct {
				inner = declared(inner, o.Path(), value)
			}
		case ListKind:
			o.Default = nil
		}
		if choices, ok := tag.Lookup("choices"); ok {
			choices = strings.Replace(choices, "${plans}", strings.Join(split.Names(), ","), 1) // as in flags
			o.Choices = strings.Split(choices, ",")
		}
		if section == heuristicsSection && o.Key == "name" {
			o.Default, o.Choices = nil, heuristicNames
		}
		o.Min, o.Max = bound(tag, "min", 0), bound(tag, "max", unbounded)
		for name := range strings.SplitSeq(tag.Get("of"), ",") {
			if family, ok := families[name]; ok {
				o.Heuristics = append(o.Heuristics, family...)
			} else if name != "" {
				o.Heuristics = append(o.Heuristics, name)
			}
		}
		all = append(all, o)
	}
	return append(all, inner...)
}

func kindOf(v reflect.Value) Kind {
	switch v.Kind() {
	case reflect.String:
		return TextKind
	case reflect.Bool:
		return BoolKind
	case reflect.Float64:
		return NumberKind
	case reflect.Slice:
		return ListKind
	case reflect.Struct, reflect.Map:
		return ObjectKind
	}
	return IntegerKind
}

// bound is a number in a tag, or what holds without it.
func bound(tag reflect.StructTag, key string, usual float64) float64 {
	text, ok := tag.Lookup(key)
	if !ok {
		return usual
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("BUG: the tag of an option: " + err.Error())
	}
	return v
}

// findOption is the entry of a key in a section, or nil.
func findOption(section, key string) *Option {
	for i := range options {
		if p := &options[i]; p.Section == section && p.Key == key {
			return p
		}
	}
	return nil
}

// optionsOf are the keys that a heuristic takes.
func optionsOf(heuristic string) []*Option {
	var found []*Option
	for i := range options {
		if slices.Contains(options[i].Heuristics, heuristic) {
			found = append(found, &options[i])
		}
	}
	return found
}

// Values says which values are accepted.
func (p *Option) Values() string {
	switch {
	case len(p.Choices) > 0 && p.Kind == TextKind:
		return words.Or(quoted(p.Choices))
	case len(p.Choices) > 0:
		return words.Or(p.Choices)
	case p.Kind != IntegerKind && p.Kind != NumberKind:
		return string(p.Kind)
	case p.Max == unbounded:
		return fmt.Sprintf("%s from %s", p.Kind, plainNumber(p.Min))
	}
	return fmt.Sprintf("%s from %s to %s", p.Kind, plainNumber(p.Min), plainNumber(p.Max))
}

// plainNumber avoids the exponents of %g for whole numbers.
func plainNumber(v float64) string {
	if v == float64(int64(v)) {
		return fmt.Sprint(int64(v))
	}
	return fmt.Sprint(v)
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = `"` + w + `"`
	}
	return out
}
