package gdl_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

func drawGround(t *rapid.T, depth int) kif.Term {
	name := kif.Symbol(rapid.SampledFrom([]string{"a", "b", "A", "f", "12"}).Draw(t, "name"))
	n := rapid.IntRange(0, 3).Draw(t, "arguments")
	if depth == 0 || n == 0 {
		return name
	}
	items := []kif.Term{name}
	for range n {
		items = append(items, drawGround(t, depth-1))
	}
	return kif.List(items...)
}

// TestStoreNumbers: terms have the same number exactly when they are equal,
// and come out as they went in.
func TestStoreNumbers(t *testing.T) {
	testenv.Check(t, func(t *rapid.T) {
		store := gdl.NewStore(gdl.NewSymbols())
		byText := make(map[string]gdl.TermID)
		for range 30 {
			term := drawGround(t, 4)
			text := term.String()
			before := store.Len()
			found, ok := store.Find(term)
			if store.Len() != before {
				t.Fatal("Find adds terms")
			}
			id := store.FromKIF(term)
			if old, seen := byText[text]; seen && (!ok || found != old || id != old) {
				t.Fatalf("%s: stored as %d, found %d %v, stored again as %d", text, old, found, ok, id)
			}
			if ok && found != id {
				t.Fatalf("%s: found %d, stored as %d", text, found, id)
			}
			byText[text] = id
			if got := store.KIF(id); !kif.Equal(got, term) || store.String(id) != text {
				t.Fatalf("%s comes out as %s, %s", text, got, store.String(id))
			}
			if got := depth(term); store.Depth(id) != got {
				t.Fatalf("%s: depth %d", text, store.Depth(id))
			}
		}
		seen := make(map[gdl.TermID]string)
		clone := store.Clone()
		clone.FromKIF(kif.List(kif.Symbol("new"), kif.Symbol("names")))
		if _, ok := store.Symbols().Lookup("names"); ok {
			t.Fatal("the clone's names are the store's")
		}
		for text, id := range byText {
			if other, twice := seen[id]; twice {
				t.Fatalf("%s and %s are both %d", text, other, id)
			}
			seen[id] = text
			if clone.String(id) != text {
				t.Fatalf("%s is %s in the clone", text, clone.String(id))
			}
		}
	})
}

func depth(t kif.Term) int {
	deepest := 0
	for _, item := range t.Items {
		deepest = max(deepest, depth(item))
	}
	if len(t.Items) == 0 {
		return 1
	}
	return deepest + 1
}

// TestStoreReading: what stands for a term in the text of others.
func TestStoreReading(t *testing.T) {
	store := gdl.NewStore(gdl.NewSymbols())
	for text, want := range map[string]string{
		"a": "a", "(a)": "a", "(f (a) 1)": "(f a 1)",
		"?x": "", "(f ?x)": "", "()": "", "(f ())": "", "((f) a)": "", "(?x a)": "",
	} {
		term, err := kif.ParseTerm(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if id := store.FromKIF(term); id != 0 {
			got = store.String(id)
			if found, ok := store.Find(term); !ok || found != id {
				t.Errorf("%s: stored as %d, found %d", text, id, found)
			}
		} else if found, ok := store.Find(term); ok {
			t.Errorf("%s: found %d", text, found)
		}
		if got != want {
			t.Errorf("%s reads as %q, not as %q", text, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	symbols := gdl.NewSymbols()
	for name, want := range map[string]string{
		"0": "0 true", "100": "100 true", "-5": "-5 true", "+7": "7 true", "007": "7 true", "999999999": "999999999 true",
		"1000000000": "0 false", "": "0 false", "-": "0 false", "1a": "0 false", "1.5": "0 false", "x": "0 false",
	} {
		n, ok := symbols.Number(symbols.Intern(name))
		if got := fmt.Sprint(n, ok); got != want {
			t.Errorf("%q is %s, not %s", name, got, want)
		}
	}
}

// TestStoreFindsWithoutAllocating: the prover asks for existing terms in its
// inner loop.
func TestStoreFindsWithoutAllocating(t *testing.T) {
	symbols := gdl.NewSymbols()
	store := gdl.NewStore(symbols)
	cell := symbols.Intern("cell")
	args := []gdl.TermID{store.Const(symbols.Intern("1")), store.Const(symbols.Intern("2"))}
	id := store.Compound(cell, args)
	if n := testing.AllocsPerRun(100, func() {
		if store.Compound(cell, args) != id || store.FindCompound(cell, args) != id || len(store.Args(id)) != 2 {
			t.Fatal("not the same term")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkStoreCompound(b *testing.B) {
	symbols := gdl.NewSymbols()
	store := gdl.NewStore(symbols)
	cell := symbols.Intern("cell")
	var ids []gdl.TermID
	for i := range 64 {
		ids = append(ids, store.Const(symbols.Intern(fmt.Sprint(i))))
	}
	var args [3]gdl.TermID
	for i := 0; b.Loop(); i++ {
		args[0], args[1], args[2] = ids[i&63], ids[i>>6&63], ids[i>>12&7]
		store.Compound(cell, args[:])
	}
}
