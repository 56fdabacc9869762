package main

import (
	"runtime"
	"testing"
)

func TestReadsUTF8(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no locale variables")
	}
	for _, c := range []struct {
		all, ctype, lang string
		want             bool
	}{
		{"", "", "", false},
		{"", "", "en_GB.UTF-8", true},
		{"", "", "de_DE.utf8@euro", true},
		{"C", "", "en_GB.UTF-8", false},
		{"", "POSIX", "en_GB.UTF-8", false},
		{"", "", "en_GB.ISO-8859-1", false},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_CTYPE", c.ctype)
		t.Setenv("LANG", c.lang)
		if got := readsUTF8(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestAllowsColor(t *testing.T) {
	for _, c := range []struct {
		noColor, term string
		want          bool
	}{
		{"", "xterm", true}, {"1", "xterm", false}, {"", "dumb", false}, {"", "", true},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.term)
		if got := allowsColor(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
