package kif_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"semisplit/kif"
)

// allocated is how many bytes f takes from the heap, garbage included.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Reading takes the terms and nothing beside them, whatever the shape of the
// text, and a text with too many is refused before any is made.
func TestMemory(t *testing.T) {
	const number = 200_000
	deep := strings.Repeat("(a ", 500) + strings.Repeat(") ", 500)
	for name, src := range map[string]string{
		"flat":  "(PLAY m (" + strings.Repeat("a ", number) + "))",
		"lists": "(PLAY m (" + strings.Repeat("(a b) ", number/3) + "))",
		"deep":  "(PLAY m (" + strings.Repeat(deep, number/1000) + "))",
	} {
		terms, err := kif.CountFirst(src)
		if err != nil || terms < number*9/10 {
			t.Fatalf("%s: %d terms, %v", name, terms, err)
		}
		took := allocated(func() {
			if _, _, err := kif.First(src); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if most := int64(terms)*kif.TermBytes + 256<<10; took > most {
			t.Errorf("%s: %d bytes for %d terms, more than %d", name, took, terms, most)
		}
	}
	many := "(PLAY m (" + strings.Repeat("a ", 3<<20) + "))"
	if took := allocated(func() {
		if _, _, err := kif.First(many); err == nil {
			t.Error("too many terms were read")
		}
	}); took > 256<<10 {
		t.Errorf("a text that is refused took %d bytes", took)
	}
}

// What is appended to a list does not run into its neighbour.
func TestListsAreApart(t *testing.T) {
	term, err := kif.ParseTerm("((a b) (c d) ())")
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range term.Items {
		_ = append(item.Items, kif.Symbol("x"))
	}
	if got := term.String(); got != "((a b) (c d) ())" {
		t.Errorf("got %s", got)
	}
}

func TestClone(t *testing.T) {
	term, err := kif.ParseTerm("(a (b ?c) ())")
	if err != nil {
		t.Fatal(err)
	}
	clone := term.Clone()
	term.Items[1].Items[0].Name = "changed"
	if got := clone.String(); got != "(a (b ?c) ())" || !clone.Items[2].IsList() {
		t.Errorf("got %s", got)
	}
}

func TestFits(t *testing.T) {
	term, err := kif.ParseTerm("(ü (b c))")
	if err != nil {
		t.Fatal(err)
	}
	if !term.Fits(9) || term.Fits(8) {
		t.Errorf("%s: Fits(9) %v, Fits(8) %v", term, term.Fits(9), term.Fits(8))
	}
}

func TestLeading(t *testing.T) {
	for _, test := range []struct {
		src, want string
		done      bool
	}{
		{"", "", false}, {" ; (a", "", false}, {"(", "", false}, {"(PLAY", "", false}, {"(PLAY ", "PLAY", false},
		{"(PLAY m.1", "PLAY", false}, {"( PLAY m.1 (", "PLAY m.1", true}, {"(PLAY m.1)", "PLAY m.1", true},
		{"(PLAY;c\nm 3 (x)", "PLAY m 3", true}, {"\ufeff(STOP(m) nil)", "STOP", true}, {"(a b c d e", "a b c", true},
		{"ping", "", true}, {"((a) b)", "", true}, {")", "", true}, {"()", "", true},
	} {
		got, done := kif.Leading(test.src, 3)
		if !slices.Equal(got, strings.Fields(test.want)) || done != test.done {
			t.Errorf("%q: %q, %v; want %q, %v", test.src, got, done, test.want, test.done)
		}
	}
}
