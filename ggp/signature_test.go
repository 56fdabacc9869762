package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"semisplit/ggp/internal/console"
)

// TestSignature holds what the search does with fixed seeds against the
// committed table.
func TestSignature(t *testing.T) {
	switch {
	case testing.Short():
		t.Skip("takes some seconds")
	case runtime.GOARCH != "amd64" || fuses(1+1.0/(1<<30), 1-1.0/(1<<30), -1):
		t.Skip("products are not rounded here as they are in the table")
	}
	file := filepath.Join("testdata", "signature.txt")
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out, errout bytes.Buffer
	if code := run(&console.Session{Ctx: t.Context(), Out: &out, Errout: &errout}, []string{"bench", "--signature"}); code != console.ExitOK {
		t.Fatalf("exit %d: %s", code, errout.String())
	}
	got := strings.Split(out.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("the search does something else; if it is meant to, make signature renews %s\n got %s\nwant %s", file, strings.Join(got[i:min(i+1, len(got))], ""), line)
		}
	}
}

// fuses tells whether a product and a sum are rounded once, as with GOAMD64=v3,
// given numbers whose product would be rounded to -c.
//
//go:noinline
func fuses(a, b, c float64) bool { return a*b+c != 0 }
