package split

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

func term(t *testing.T, text string) kif.Term {
	t.Helper()
	terms, err := kif.Parse(text)
	if err != nil || len(terms) != 1 {
		t.Fatalf("%s: %v", text, err)
	}
	return terms[0]
}

// codesOf stores the codes of levels.
func codesOf(t *testing.T, levels [][]string) (*gdl.Store, [][]gdl.TermID) {
	t.Helper()
	store := gdl.NewStore(gdl.NewSymbols())
	out := make([][]gdl.TermID, len(levels))
	for i, codes := range levels {
		for _, c := range codes {
			out[i] = append(out[i], store.FromKIF(term(t, c)))
		}
	}
	return store, out
}

var pathCases = []struct {
	name   string
	levels [][]string
	moves  map[string][]uint32 // nil: no path
}{
	{
		"whole moves",
		[][]string{{"noop", "(move 1 2)", "(move 2 1)"}},
		map[string][]uint32{"noop": {0}, "(move 2 1)": {2}, "(move 2 2)": nil, "other": nil, "_": nil},
	},
	{
		"squares, with a move that has nothing to choose later",
		[][]string{
			{"(move a 1 _ _)", "(move a 2 _ _)", "noop", "(drop a _)"},
			{"(move _ _ b 1)", "_", "(move _ _ b 2)", "(drop _ 7)"},
		},
		map[string][]uint32{
			"(move a 2 b 1)": {1, 0}, "noop": {2, 1}, "(drop a 7)": {3, 3}, "(noop)": {2, 1},
			"(move a 2 b 3)": nil, "(move a 2 _ _)": nil, "(drop a)": nil, "(move a 2 b)": nil, "()": nil,
		},
	},
	{
		"a whole move beside a split one of the same functor: nothing is said twice",
		[][]string{
			{"(move 1 _)", "(move 1 2)", "(pass)"},
			{"(move _ 2)", "_", "(move _ 3)"},
		},
		map[string][]uint32{"(move 1 3)": {0, 2}, "pass": {2, 1}, "(move 1 2)": {0, 0}},
	},
	{
		"functor, then arguments, constants said again, nested terms, a test at the end",
		[][]string{
			{"(go _ _ x)", "(stay _ _ x)"},
			{"(go (at 1 _) _ x)", "(stay (at 1 _) _ x)", "(go (at 2 _) _ x)"},
			{"(go (at _ 5) (f (g 1)) x)", "(stay (at _ 5) (f (g 1)) x)", "(go (at _ 6) (f (g 1)) x)"},
			{"_"},
		},
		map[string][]uint32{
			"(go (at 2 5) (f (g 1)) x)": {0, 2, 0, 0}, "(stay (at 1 5) (f (g 1)) x)": {1, 1, 1, 0},
			"(go (at 2 5) (f (g 1)) y)": nil, "(go (at 2 5) (f 1) x)": nil, "(go at (f (g 1)) x)": nil,
		},
	},
}

func TestPaths(t *testing.T) {
	for _, c := range pathCases {
		store, levels := codesOf(t, c.levels)
		p := NewPaths(store, levels)
		for text, want := range c.moves {
			got, ok := p.Path(term(t, text))
			if ok != (want != nil) || !slices.Equal(got, want) {
				t.Errorf("%s: Path(%s) = %v, %v, want %v", c.name, text, got, ok, want)
			}
			if ok && text != "(noop)" && p.Move(got).String() != text {
				t.Errorf("%s: Move(%v) = %s, want %s", c.name, got, p.Move(got), text)
			}
		}
	}
}

// The path of a move with many arguments, each at a level that another move leaves out, is
// found without a try of all that leave something out.
func TestPathOfManyLevels(t *testing.T) {
	const levels = 60
	codes, whole := make([][]string, levels), "(set"
	for i := range codes {
		for value := range 2 {
			args := slices.Repeat([]string{"_"}, levels)
			args[i] = fmt.Sprint(value)
			codes[i] = append(codes[i], "(set "+strings.Join(args, " ")+")")
		}
		codes[i] = append(codes[i], "_")
		whole += fmt.Sprint(" ", i%2)
	}
	store, ids := codesOf(t, codes)
	p := NewPaths(store, ids)
	path, ok := p.Path(term(t, whole+")"))
	if !ok || p.Move(path).String() != whole+")" {
		t.Errorf("%v, %v", path, ok)
	}
	if _, ok := p.Path(term(t, "(set"+strings.Repeat(" 2", levels)+")")); ok {
		t.Error("a path of a move that there is none of")
	}
}

// TestPathsOfEveryMove tries all rows of semimoves: one that leaves no hole,
// and whose codes do not contradict each other, spells a move whose path
// spells the same move.
func TestPathsOfEveryMove(t *testing.T) {
	for _, c := range pathCases {
		store, levels := codesOf(t, c.levels)
		p := NewPaths(store, levels)
		path := make([]uint32, len(levels))
		var try func(i int)
		try = func(i int) {
			if i < len(levels) {
				for k := range levels[i] {
					path[i] = uint32(k)
					try(i + 1)
				}
				return
			}
			move := p.Move(path)
			back, ok := p.Path(move)
			if ok && p.Move(back).String() != move.String() {
				t.Errorf("%s: %v spells %s, its path %v spells %s", c.name, path, move, back, p.Move(back))
			}
			if !ok && agree(p, path, move) {
				t.Errorf("%s: no path for %s, which %v spells", c.name, move, path)
			}
		}
		try(0)
	}
}

// agree tells whether every code of a path says what the move says, and
// nothing is left open.
func agree(p *Paths, path []uint32, move kif.Term) bool {
	for i, k := range path {
		if !kif.Equal(overlay(p.store.KIF(p.codes[i][k]), move), move) {
			return false
		}
	}
	return !hasHole(move)
}

func TestLazyPaths(t *testing.T) {
	symbols := gdl.NewSymbols()
	c := func(name string) gdl.Term { return gdl.Term{Var: -1, Name: symbols.Intern(name)} }
	v := func(i int32) gdl.Term { return gdl.Term{Var: i} }
	move := func(a, b, k gdl.Term) gdl.Term {
		return gdl.Term{Var: -1, Name: symbols.Intern("move"), Args: []gdl.Term{a, b, k}}
	}
	open := c(Hole)
	levels := []Level{
		{Choices: []Choice{{Code: move(v(0), open, c("k"))}, {Code: c("noop")}}},
		{Choices: []Choice{{Code: move(open, v(0), c("k"))}, {Code: open}}},
	}
	var numbers []string
	p := NewLazyPaths(symbols, levels, func(level int, code kif.Term) (uint32, bool) {
		text := string(rune('0'+level)) + code.String()
		if i := slices.Index(numbers, text); i >= 0 {
			return uint32(i), true
		}
		numbers = append(numbers, text)
		return uint32(len(numbers) - 1), true
	})
	for _, m := range []struct {
		text string
		want []string
	}{
		{"(move (a b) 7 k)", []string{"0(move (a b) _ k)", "1(move _ 7 k)"}},
		{"noop", []string{"0noop", "1_"}},
		{"(move 1 2 j)", nil},
		{"(other)", nil},
	} {
		path, ok := p.Path(term(t, m.text))
		var got []string
		for _, k := range path {
			got = append(got, numbers[k])
		}
		if ok != (m.want != nil) || !slices.Equal(got, m.want) {
			t.Errorf("Path(%s) = %v, %v, want %v", m.text, got, ok, m.want)
		}
	}
}
