package kif_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"semisplit/internal/testenv"
	"semisplit/kif"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"nothing", "", ""},
		{"white space of all kinds", " \t\r\n\f\v\u00a0\u2003a", "a"},
		{"symbols", "a B ?x 12 <= :-", "a B ?x 12 <= :-"},
		{"lists", "(a(b c)()(d))e", "(a (b c) () (d)) e"},
		{"as managers pad", "( PLAY id ( ( mark 1 1 ) noop ) )", "(PLAY id ((mark 1 1) noop))"},
		{"comment", "a ; b (\nc", "a c"},
		{"comment ends a symbol", "a;b\nc", "a c"},
		{"comment at the very end", "(a) ; b", "(a)"},
		{"comment inside a list", "(a ; )\n b)", "(a b)"},
		{"comment ended by CR", "a ; b\rc", "a c"},
		{"comment ended by CRLF", "a ; b\r\nc", "a c"},
		{"only a comment", ";", ""},
		{"byte order mark", "\ufeff(a)", "(a)"},
		{"byte order mark inside", "(a (\ufeffb))", "(a (b))"},
		{"beyond ASCII", "(größe 国 ¬)", "(größe 国 ¬)"},
		{"bytes that are not UTF-8", "(a\xff \xc3 b)", "(a\xff \xc3 b)"},
		{"NUL and other controls", "(a\x00b \x01)", "(a\x00b \x01)"},
		{"quotes and bars", `("a b" |c d| 'e)`, `("a b" |c d| 'e)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			terms, err := kif.Parse(test.src)
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, term := range terms {
				all = append(all, term.String())
			}
			if got := strings.Join(all, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestShort(t *testing.T) {
	long := kif.List(kif.Symbol(strings.Repeat("a", 100)), kif.Symbol("b"))
	for _, test := range []struct {
		term  kif.Term
		limit int
		want  string
	}{
		{kif.Symbol("abc"), 3, "abc"},
		{kif.Symbol("abcd"), 3, "abc..."},
		{kif.Symbol("ab\u00fc"), 3, "ab..."},
		{kif.List(), 2, "()"},
		{kif.List(kif.Symbol("mark"), kif.Symbol("1")), 8, "(mark 1)"},
		{kif.List(kif.Symbol("mark"), kif.Symbol("12")), 8, "(mark 12..."},
		{long, 5, "(aaaa..."},
		{kif.List(long, long), 104, "((" + strings.Repeat("a", 100) + " b..."},
	} {
		if got := test.term.Short(test.limit); got != test.want {
			t.Errorf("%v in %d bytes: %q, want %q", test.term, test.limit, got, test.want)
		}
	}
	items := make([]kif.Term, 1<<20)
	for i := range items {
		items[i] = kif.Symbol("a")
	}
	if bytes := testing.AllocsPerRun(1, func() { kif.List(items...).Short(100) }); bytes > 20 {
		t.Errorf("%v allocations for the beginning of a large term", bytes)
	}
}

func TestErrors(t *testing.T) {
	small := kif.Limits{Bytes: 30, Depth: 3, Terms: 5}
	for _, test := range []struct {
		name, src, want string
		limits          kif.Limits
	}{
		{"unclosed", "(a\n  (b c)", `2:8: expected ")" to close the list opened at 1:1, found the end of the text`, kif.Limits{}},
		{"unclosed within", "(a\r(b\r\n", `3:1: expected ")" to close the list opened at 2:1, found the end of the text`, kif.Limits{}},
		{"unclosed in a comment", "(a ;)", `1:6: expected ")" to close the list opened at 1:1, found the end of the text`, kif.Limits{}},
		{"closed twice", "(a)\n\t)", `2:2: expected a term, found ")" without a list to close`, kif.Limits{}},
		{"columns count runes", "国国) ", `1:3: expected a term, found ")" without a list to close`, kif.Limits{}},
		{"too long", strings.Repeat("a", 31), "1:1: expected at most 30 bytes, found 31", small},
		{"too deep", "(a (b ((c))))", "1:8: expected at most 3 lists inside each other, found another", small},
		{"too many", "a b c d\ne f", "2:3: expected at most 5 terms, found another", small},
		{"deep by default", strings.Repeat("(", 1e6), "1:1001: expected at most 1000 lists inside each other, found another", kif.Limits{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			terms, err := test.limits.Parse(test.src)
			if err == nil {
				t.Fatalf("read as %v", terms)
			}
			if err.Error() != test.want {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
			var fault kif.Error
			if !errors.As(err, &fault) || fault.Pos.Line == 0 || fault.Expected == "" || fault.Found == "" {
				t.Errorf("incomplete: %#v", err)
			}
		})
	}
}

func TestParseTerm(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{" (a b) ; c", "(a b)"},
		{"a", "a"},
		{"", "1:1: expected a term, found the end of the text"},
		{"; a\n", "2:1: expected a term, found the end of the text"},
		{"a b", `1:3: expected the end of the text after one term, found "b"`},
		{"(a) (", `1:5: expected the end of the text after one term, found "("`},
		{"(a))", `1:4: expected the end of the text after one term, found ")"`},
		{")", `1:1: expected a term, found ")" without a list to close`},
	} {
		term, err := kif.ParseTerm(test.src)
		got := term.String()
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q: got %s, want %s", test.src, got, test.want)
		}
	}
}

func TestFirst(t *testing.T) {
	for _, test := range []struct{ src, want, rest string }{
		{" (a b)) more (", "(a b)", ") more ("},
		{"noop, really", "noop,", " really"},
		{"a(b", "a", "(b"},
		{"a;b", "a", ";b"},
		{"(a", `1:3: expected ")" to close the list opened at 1:1, found the end of the text`, "(a"},
		{" ", "1:2: expected a term, found the end of the text", " "},
	} {
		term, rest, err := kif.First(test.src)
		got := term.String()
		if err != nil {
			got = err.Error()
		}
		if got != test.want || rest != test.rest {
			t.Errorf("%q: got %s and %q, want %s and %q", test.src, got, rest, test.want, test.rest)
		}
	}
}

func TestPositions(t *testing.T) {
	terms, err := kif.Parse("\ufeffa\n\r(b\r\n  ?c)\r ü;\fx\n(d)")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var walk func(t kif.Term)
	walk = func(t kif.Term) {
		got = append(got, t.Name+"@"+t.Pos.String())
		for _, item := range t.Items {
			walk(item)
		}
	}
	for _, term := range terms {
		walk(term)
	}
	want := "a@1:2 @3:1 b@3:2 ?c@4:3 ü@5:2 @6:1 d@6:2"
	if strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
}

func TestKinds(t *testing.T) {
	for src, want := range map[string]string{"a": "symbol", "?a": "var", "?": "var", "()": "list", "(?a)": "list", "1": "symbol"} {
		term, err := kif.ParseTerm(src)
		if err != nil {
			t.Fatal(err)
		}
		for kind, is := range map[string]bool{"symbol": term.IsSymbol(), "var": term.IsVar(), "list": term.IsList()} {
			if is != (kind == want) {
				t.Errorf("%s: %s is %v", src, kind, is)
			}
		}
	}
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		a, b       string
		same, fold bool
	}{
		{"a", "a", true, true},
		{"a", "A", false, true},
		{"(a (b))", " ( a\n( b ) )", true, true},
		{"(mark 1 1)", "(MARK 1 1)", false, true},
		{"(a)", "a", false, false},
		{"()", "(())", false, false},
		{"(a b)", "(a b c)", false, false},
	} {
		a, _ := kif.ParseTerm(test.a)
		b, _ := kif.ParseTerm(test.b)
		if kif.Equal(a, b) != test.same || kif.EqualFold(a, b) != test.fold {
			t.Errorf("%s and %s: Equal %v, EqualFold %v", a, b, kif.Equal(a, b), kif.EqualFold(a, b))
		}
	}
}

// drawTerm draws any term that a text can hold.
func drawTerm(t *rapid.T, depth int) kif.Term {
	if depth > 0 && rapid.Bool().Draw(t, "list") {
		items := []kif.Term{}
		for range rapid.IntRange(0, 4).Draw(t, "items") {
			items = append(items, drawTerm(t, depth-1))
		}
		return kif.List(items...)
	}
	name := rapid.StringOfN(rapid.Rune().Filter(func(r rune) bool {
		return !unicode.IsSpace(r) && r != '(' && r != ')' && r != ';' && r != '\ufeff'
	}), 1, 6, -1).Draw(t, "name")
	return kif.Symbol(rapid.SampledFrom([]string{"", "?", "\xff", "\xe5\x9b"}).Draw(t, "prefix") + name)
}

// TestRoundTrip: what is written reads as what it was.
func TestRoundTrip(t *testing.T) {
	testenv.Check(t, func(t *rapid.T) {
		term := drawTerm(t, 5)
		for _, text := range []string{term.String(), string(term.Append([]byte(" ")))} {
			again, err := kif.ParseTerm(text)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if !kif.Equal(term, again) {
				t.Fatalf("%q reads as %q", text, again)
			}
		}
	})
}

// FuzzParse: any text gives terms or an error with a place, and terms read
// back from what they are written as.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		"", "(a b)", "(<= (p ?x) ; c\r\n (q ?x))", "\ufeff(a)", "((", "))", "(\xff)", "a;b\rc", "(\u00a0 \u2028)", "|a b| \"c (d\"",
	} {
		f.Add(src)
	}
	limits := kif.Limits{Bytes: 1 << 12, Depth: 20, Terms: 500}
	f.Fuzz(func(t *testing.T, src string) {
		terms, err := limits.Parse(src)
		if err != nil {
			var fault kif.Error
			if !errors.As(err, &fault) || fault.Pos.Line < 1 || fault.Pos.Col < 1 {
				t.Fatalf("no place: %#v", err)
			}
			return
		}
		for _, term := range terms {
			again, err := kif.ParseTerm(term.String())
			if err != nil || !kif.Equal(term, again) {
				t.Fatalf("%q reads as %q, %v", term, again, err)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	src := strings.Repeat("(<= (next (cell ?m ?n ?x)) ; a line\n  (does ?w (mark ?m ?n))\n  (true (cell ?m ?n b)))\n", 1000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := kif.Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}
