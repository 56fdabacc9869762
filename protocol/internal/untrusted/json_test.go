package untrusted

import "testing"

func TestPlainText(t *testing.T) {
	for _, x := range []struct {
		text string
		most int
		want string
	}{
		{" a\r\n\tb  c ", 10, "a b c"},
		{"\x1b[31mred\x00", 20, "?[31mred?"},
		{"abcdef", 3, "abc..."},
		{"tür\xff", 10, "tür?"},
		{"\u202egnp\u2066", 10, "?gnp?"},
		{"", 5, ""},
	} {
		if got := PlainText(x.text, x.most); got != x.want {
			t.Errorf("%q: got %q, want %q", x.text, got, x.want)
		}
	}
}
