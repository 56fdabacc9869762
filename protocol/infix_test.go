package protocol

import (
	"errors"
	"strings"
	"testing"

	"semisplit/kif"
)

func TestInfix(t *testing.T) {
	for text, want := range map[string]string{
		"noop":                    "noop",
		" ping ( ) ":              "(ping)",
		"play(m1,nil)":            "(play m1 nil)",
		"play(M1,[mark(1,2), X])": "(play M1 ((mark 1 2) X))",
		"stop(m,[])":              "(stop m ())",
		"start(M,White,[role(White),p(X,_y,b),p(X) :- q(X) & ~r(X), (t:-u)],10,5)": "(start M White ((role ?White) (p ?X ?_y b) (<= (p ?X) (q ?X) (not (r ?X))) (<= t u)) 10 5)",
		"":                            "error",
		"play(m1":                     "error",
		"play(m1,)":                   "error",
		"play(m1]":                    "error",
		"play(m1,[a b])":              "error",
		"f(a)g":                       "error",
		"(a":                          "error",
		strings.Repeat("f(", 100_000): "error",
		strings.Repeat("~", 100_000):  "error",
		strings.Repeat("[", 100_000):  "error",
		strings.Repeat("(", 100_000):  "error",
	} {
		got, err := parseInfix(text)
		switch {
		case want == "error" && !errors.Is(err, ErrMessage):
			t.Errorf("%.40s: got %v, %v", text, got, err)
		case want != "error" && (err != nil || got.String() != want):
			t.Errorf("%.40s: got %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"noop": "noop", "(mark 1 (f a))": "mark(1,f(a))", "((name X) (status busy))": "[name(X),status(busy)]", "(pass)": "pass()", "()": "[]"} {
		term, err := kif.ParseTerm(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := infix(term); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// FuzzContent: a message is read or refused, within a bounded depth, and what
// was read prints and reads again as the same term.
func FuzzContent(f *testing.F) {
	for _, s := range []string{
		"info()", "(PLAY m (a b))", "play(m,[mark(1,1),noop])", "start(m,r,[p(X) :- ~q(X)],1,1)", "((((",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, _, err := parseContent(text); err != nil && !errors.Is(err, ErrMessage) {
			t.Fatalf("the error %v is none of ours", err)
		}
		term, err := parseInfix(text)
		if err != nil || strings.ContainsAny(term.String(), "?:") || strings.Contains(term.String(), "not") || strings.Contains(term.String(), "<=") || strings.Contains(term.String(), ".") {
			return // written in other ways, or with variables of rules
		}
		again, err := parseInfix(infix(term))
		if err != nil || !kif.Equal(term, again) {
			t.Errorf("%v came back as %v, %v", term, again, err)
		}
	})
}

// The number of terms is bounded as in KIF: each takes many times the memory of its text.
func TestManyInfixTerms(t *testing.T) {
	most := kif.DefaultLimits.Terms
	for n, refused := range map[int]bool{most / 2: false, most: true} {
		if _, err := parseInfix("f(" + strings.Repeat("a,", n) + "a)"); errors.Is(err, ErrMessage) != refused {
			t.Errorf("%d terms: %v", n, err)
		}
	}
}
