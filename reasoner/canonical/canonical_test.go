package canonical

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// keywords keep their names when a description is scrambled.
var keywords = strings.Fields("<= role init true next legal does goal terminal base input not or and distinct")

// scrambler renames and reorders a description.
type scrambler struct {
	*rand.Rand
	names map[string]string
	goals map[string]bool // numbers that are goals keep theirs
}

// scramble is the description of the same game in other words.
func scramble(terms []kif.Term, seed uint64) []kif.Term {
	s := &scrambler{Rand: rand.New(rand.NewPCG(seed, 1)), names: map[string]string{}, goals: map[string]bool{}}
	for i := range 101 {
		s.goals[strconv.Itoa(i)] = true
	}
	var scrambled []kif.Term
	for _, i := range s.Perm(len(terms)) {
		t := s.rename(terms[i])
		if t.IsList() && len(t.Items) > 2 && t.Items[0].Name == "<=" {
			s.Shuffle(len(t.Items)-2, func(i, j int) { t.Items[i+2], t.Items[j+2] = t.Items[j+2], t.Items[i+2] })
		}
		scrambled = append(scrambled, t)
	}
	return scrambled
}

func (s *scrambler) rename(t kif.Term) kif.Term {
	if t.IsList() {
		items := make([]kif.Term, len(t.Items))
		for i, item := range t.Items {
			items[i] = s.rename(item)
		}
		return kif.List(items...)
	}
	name := strings.ToLower(t.Name)
	if slices.Contains(keywords, name) || s.goals[name] {
		return kif.Symbol(name)
	}
	renamed, ok := s.names[name]
	if !ok {
		for renamed == "" || s.names["\x00"+renamed] != "" {
			renamed = fmt.Sprintf("w%06d", s.IntN(1_000_000))
		}
		if t.IsVar() {
			renamed = "?" + renamed
		}
		s.names[name], s.names["\x00"+renamed] = renamed, name
	}
	return kif.Symbol(renamed)
}

// description reads a file and its form.
func description(t *testing.T, terms []kif.Term) (*gdl.Program, *Form) {
	t.Helper()
	program, diagnostics := gdl.Analyze(terms)
	if program == nil {
		t.Fatal(diagnostics.Err())
	}
	form, err := Of(context.Background(), program)
	if err != nil {
		t.Fatal(err)
	}
	return program, form
}

func parse(t *testing.T, text string) []kif.Term {
	t.Helper()
	terms, err := kif.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

// bundled are the descriptions of the library that tests read.
func bundled(t *testing.T) map[string][]kif.Term {
	t.Helper()
	files, err := filepath.Glob("../../games/rules/*.kif")
	if err != nil || len(files) == 0 {
		t.Fatal("no games", err)
	}
	descriptions := map[string][]kif.Term{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) < 12_000 || !testing.Short() && len(text) < 40_000 {
			descriptions[filepath.Base(file)] = parse(t, string(text))
		}
	}
	return descriptions
}

// A scrambled description has the same key, and its names stand for the same: the
// rules of one, carried over to the other by way of the form, are the rules of the other.
func TestScrambled(t *testing.T) {
	keys := map[string]string{}
	for name, terms := range bundled(t) {
		_, form := description(t, terms)
		if other := keys[form.Key]; other != "" {
			t.Errorf("%s and %s have the same key", name, other)
		}
		keys[form.Key] = name
		program, scrambled := description(t, scramble(terms, 7))
		if scrambled.Key != form.Key {
			t.Errorf("%s: the key is %.8s, scrambled %.8s", name, form.Key, scrambled.Key)
			continue
		}
		heads := map[string]int{}
		for _, r := range program.Rules {
			if len(r.Body) == 0 {
				heads[program.AtomKIF(r.Head, nil).String()]++
			}
		}
		original, _ := gdl.Analyze(terms)
		for _, r := range original.Rules {
			if len(r.Body) > 0 {
				continue
			}
			fact := original.AtomKIF(r.Head, nil)
			if carried := carry(fact, form, scrambled).String(); heads[carried] == 0 {
				t.Errorf("%s: %s is carried over to %s, which is no fact", name, fact, carried)
			}
		}
	}
}

// carry writes a fact in the names of another form.
func carry(fact kif.Term, from, to *Form) kif.Term {
	if !fact.IsList() {
		fact = kif.List(fact)
	}
	items := slices.Clone(fact.Items)
	for i, item := range items {
		if i == 0 && slices.Contains(keywords, item.Name) {
			continue
		}
		number, ok := from.Abstract(item)
		if ok {
			if item, ok = to.Concrete(number); ok {
				items[i] = item
			}
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	return kif.List(items...)
}

// A rule that says something else makes another game, a goal that is worth something
// else as well.
func TestChanged(t *testing.T) {
	const text = `(role x) (role o) (init (p a)) (init (p b)) (succ a b) (succ b c)
		(legal x (go a)) (legal x (go b)) (legal o noop) (<= (next (p ?y)) (true (p ?x)) (does x (go ?z)) (succ ?z ?y) (distinct ?x ?z))
		(<= terminal (true (p c))) (goal x 100) (goal o 0)`
	_, form := description(t, parse(t, text))
	for _, x := range [][2]string{
		{"(succ b c)", "(succ a c)"}, {"(goal o 0)", "(goal o 50)"}, {"(distinct ?x ?z)", "(distinct ?y ?z)"},
		{"(succ ?z ?y)", "(succ ?y ?z)"}, {"(init (p b))", "(init (p (f b)))"}, {"(true (p c))", "(not (true (p c)))"},
		{" o", " random"}, // whose moves are chance
	} {
		changed := strings.ReplaceAll(text, x[0], x[1])
		if _, other := description(t, parse(t, changed)); other.Key == form.Key {
			t.Errorf("%s in the place of %s changes nothing", x[1], x[0])
		}
	}
	if _, other := description(t, parse(t, strings.Replace(text, "(distinct ?x ?z)", "(distinct ?z ?x)", 1))); other.Key != form.Key {
		t.Error("the order of what is distinct matters")
	}
}

// Names that can change places are told apart all the same; a term with a name that
// Rules may differ in nothing but how variables that look alike are joined.
func TestJoinedVariables(t *testing.T) {
	const base = `(role x) (init (p a b)) (init (p b c)) (init (p c a)) (legal x noop)
		(<= (next (p ?a ?b)) (true (p ?a ?b))) (goal x 100)`
	walk := parse(t, base+`(<= terminal (true (p ?a ?b)) (true (p ?b ?c)) (true (p ?c ?d)) (true (p ?d ?e)) (true (p ?e ?f)) (true (p ?f ?a)))`)
	triangles := parse(t, base+`(<= terminal (true (p ?a ?b)) (true (p ?b ?c)) (true (p ?c ?a)) (true (p ?d ?e)) (true (p ?e ?f)) (true (p ?f ?d)))`)
	other := parse(t, base+`(<= terminal (true (p ?c ?e)) (true (p ?f ?c)) (true (p ?d ?b)) (true (p ?a ?d)) (true (p ?e ?f)) (true (p ?b ?a)))`)
	_, one := description(t, walk)
	_, two := description(t, triangles)
	_, three := description(t, other)
	if one.Key == two.Key || two.Key != three.Key {
		t.Errorf("a closed walk of six has %s, two triangles %s and %s", one.Key, two.Key, three.Key)
	}
}

// the rules do not have is none.
func TestSymmetric(t *testing.T) {
	text := "(role x) (<= (legal x (pick ?c)) (true (free ?c))) (<= (next (free ?c)) (true (free ?c)) (not (does x (pick ?c)))) (<= terminal (not (open))) (<= open (true (free ?c))) (goal x 100)"
	for _, c := range "abcdefgh" {
		text += fmt.Sprintf(" (init (free %c))", c)
	}
	_, form := description(t, parse(t, text))
	_, other := description(t, scramble(parse(t, text), 3))
	if form.Key != other.Key {
		t.Error("scrambled, it is another game")
	}
	seen := map[string]bool{}
	for _, c := range "abcdefgh" {
		number, ok := form.Abstract(kif.List(kif.Symbol("free"), kif.Symbol(string(c))))
		back, also := form.Concrete(number)
		if !ok || !also || back.String() != fmt.Sprintf("(free %c)", c) || seen[number.String()] {
			t.Errorf("%c: %v, back %v", c, number, back)
		}
		seen[number.String()] = true
	}
	if _, ok := form.Abstract(kif.Symbol("nobody")); ok {
		t.Error("a name that is in no rule has a number")
	}
	if _, ok := form.Concrete(kif.Symbol("9999")); ok {
		t.Error("a number that is too large has a name")
	}
}

// What takes too long ends.
func TestLimits(t *testing.T) {
	var text strings.Builder
	text.WriteString("(role x) (legal x noop) (goal x 100) (<= terminal (true (p a0)))")
	for i := range 3000 {
		fmt.Fprintf(&text, " (init (p a%d))", i)
	}
	program, _ := gdl.Analyze(parse(t, text.String()))
	if _, err := (&coloring{graph: newGraph(program), ctx: context.Background(), work: 1 << 20}).discrete(newGraph(program).initial); !errors.Is(err, ErrSymmetric) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Of(ctx, program); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
