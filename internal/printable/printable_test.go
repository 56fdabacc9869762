package printable

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"(mark 1 2)", "(mark 1 2)"},
		{"Zug nach für, 移動, é", "Zug nach für, 移動, é"},
		{"a\x1b[31mred", `a\x1b[31mred`},
		{"\x1b]0;title\x07", `\x1b]0;title\x07`},
		{"\u202eevil\u2066", `\u202eevil\u2066`},
		{"zero\u200bwidth\ufeff", `zero\u200bwidth\ufeff`},
		{"tag\U000e0041", `tag\U000e0041`},
		{"line\nnext\r\tend", `line\nnext\r\tend`},
		{"\x9b31m as C1: \u009b", `\x9b31m as C1: \u009b`},
		{"\uFFFD stays", "\uFFFD stays"},
		{"\x00\x7f\u2028", `\x00\x7f\u2028`},
	} {
		if got := Text(test.in, 0); got != test.want {
			t.Errorf("Text(%q) = %q, want %q", test.in, got, test.want)
		}
	}
	for in, want := range map[string]string{"a\tb\nc\x1b": "a\tb\nc\\x1b", "one\r\ntwo\r\n": "one\r\ntwo\r\n", "over\rwritten\r": `over\rwritten\r`} {
		if got := Lines(in); got != want {
			t.Errorf("Lines(%q): %q, want %q", in, got, want)
		}
	}
}

func TestTextIsCut(t *testing.T) {
	if got, want := Text(strings.Repeat("a", 1000), 10), "aaaaaaaaaa... (990 more bytes)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Text("aaü", 3), "aa... (2 more bytes)"; got != want {
		t.Errorf("cut inside a character: %q, want %q", got, want)
	}
	if got := Text("aaü", 4); got != "aaü" {
		t.Errorf("cut without need: %q", got)
	}
}

func TestAttr(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: Attr}))
	log.Info("reply", "move", strings.Repeat("\u202e", 1<<20), "error", errors.New("bad \x1b[2J"), "many", []string{"\x1b"})
	if out.Len() > 4*LogLimit*6 {
		t.Errorf("a line of %d bytes", out.Len())
	}
	if line := out.String(); strings.ContainsAny(line, "\x1b\u202e") || !strings.Contains(line, "more bytes") {
		t.Errorf("the line is not clean: %q", line)
	}
}

func TestAttrLeavesTheRest(t *testing.T) {
	for _, value := range []any{slog.LevelWarn, []int{1, 2}} {
		if got := Attr(nil, slog.Any("key", value)); fmt.Sprintf("%T", got.Value.Any()) != fmt.Sprintf("%T", value) {
			t.Errorf("%v became %v", value, got)
		}
	}
	var none *bytes.Buffer // its String panics no more than it should
	if got := Attr(nil, slog.Any("key", none)).Value.String(); got != "<nil>" {
		t.Errorf("nil is logged as %q", got)
	}
	if got := Attr(nil, slog.Any("key", struct{ Name string }{"\x1b"})).Value.String(); got != `{Name:\x1b}` {
		t.Errorf("a struct is logged as %q", got)
	}
}

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	if n, err := Writer(&out).Write([]byte("a\x1bb\n")); n != 4 || err != nil || out.String() != "a\\x1bb\n" {
		t.Errorf("%d %v %q", n, err, out.String())
	}
}

func TestRaw(t *testing.T) {
	var out bytes.Buffer
	if Raw(Writer(&out)) != &out || Raw(&out) != &out {
		t.Error("the writer below is not found")
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b\u202e\xff", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := Text(s, limit)
		if !utf8.ValidString(got) || Text(got, 0) != got || strings.ContainsAny(got, "\n\r\x1b\u202e\u200b") {
			t.Fatalf("Text(%q, %d) = %q", s, limit, got)
		}
	})
}
