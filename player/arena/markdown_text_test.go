package arena

import (
	"strings"
	"testing"

	"semisplit/internal/printable"
)

func TestPlainMarkdown(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"im implicit_minimax=0.4", "im implicit_minimax=0.4"},
		{"snodal-s-mod (0.1 s)", "snodal-s-mod (0.1 s)"},
		{"a|b", `a\|b`},
		{"`code` **bold** _it_ ~~gone~~ $x$", "\\`code\\` \\*\\*bold\\*\\* \\_it\\_ \\~\\~gone\\~\\~ \\$x\\$"},
		{"<script>alert(1)</script> &lt;", `\<script\>alert(1)\</script\> \&lt;`},
		{"![x](http://a/b)", `!\[x\](http://a/b)`},
		{`back\slash`, `back\\slash`},
		{"two\nlines\x1b[31m\u202e", `two\\nlines\\x1b\[31m\\u202e`},
		{"- item", `\- item`},
		{"12. twelfth", `12\. twelfth`},
		{"0.1 s", "0.1 s"},
		{"# title", `\# title`},
		{"    code", "code"},
	} {
		if got := PlainMarkdown(test.in); got != test.want {
			t.Errorf("%q: %q, want %q", test.in, got, test.want)
		}
	}
	if got := LinkTarget("a b](x).svg"); got != "a%20b%5D%28x%29.svg" {
		t.Errorf("a link to %q", got)
	}
}

// FuzzPlainMarkdown: one line of a table in which nothing means anything but
// itself, and all of which can be read.
func FuzzPlainMarkdown(f *testing.F) {
	for _, seed := range []string{"a|b", "\\|", "<b>`[x](y)`", "__init__ a_b", "1) x", "\x1b\u202e\xff\r\n", "\\\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := PlainMarkdown(text)
		if printable.Text(got, 0) != got {
			t.Fatalf("%q has characters that are none: %q", text, got)
		}
		var plain strings.Builder
		escaped := false
		for _, r := range got {
			switch {
			case escaped:
				escaped = false
			case r == '\\':
				escaped = true
				continue
			case strings.ContainsRune("|`*[]<>&~#$", r):
				t.Fatalf("%q: %q is markup in %q", text, r, got)
			}
			plain.WriteRune(r)
		}
		if want := printable.Text(strings.TrimSpace(text), reportText); escaped || plain.String() != want {
			t.Fatalf("%q reads as %q", want, plain.String())
		}
	})
}
