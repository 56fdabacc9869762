package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"semisplit/ggp/internal/console"
)

// TestTellEverywhere holds that every command takes --quiet and --verbose, behind its
// name as before it, and has no other flag of these letters.
func TestTellEverywhere(t *testing.T) {
	for _, leaf := range newParser(&commands{}, io.Discard, io.Discard).Model.Leaves(false) {
		found := map[rune][]string{}
		for _, flags := range leaf.AllFlags(false) {
			for _, flag := range flags {
				found[flag.Short] = append(found[flag.Short], flag.Name)
			}
		}
		if !slices.Equal(found['q'], []string{"quiet"}) || !slices.Equal(found['v'], []string{"verbose"}) {
			t.Errorf("%s: -q is %v, -v is %v", leaf.Path(), found['q'], found['v'])
		}
		name := strings.Fields(leaf.Path())
		for _, flag := range []string{"-q", "--quiet", "-v", "--verbose"} {
			for _, args := range [][]string{append(slices.Clone(name), flag, "--help"), append(append([]string{flag}, name...), "--help")} {
				var out, errout bytes.Buffer
				if code := run(&console.Session{Ctx: t.Context(), Out: &out, Errout: &errout}, args); code != console.ExitOK || !strings.Contains(out.String(), "--quiet") {
					t.Errorf("%v: %d %s", args, code, &errout)
				}
			}
		}
	}
}

// TestTell runs commands: quiet ones say nothing but results, verbose ones tell at the
// end what they took.
func TestTell(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, line := range []string{
		"agents auto", "bench nim --seconds 10ms", "bench nim --suite --seconds 10ms", "check nim --seconds 0", "games nim --gdl", "knowledge --knowledge .",
		"man", "match nim --player legal --player legal --start 60 --play 60", "new spec NAME", "practice nim --agent legal --opponent legal --start 60 --play 60", "version",
	} {
		for _, flag := range []string{"--quiet", "--verbose"} {
			args := strings.Fields(strings.Replace(line, "NAME", strings.TrimPrefix(flag, "--"), 1) + " " + flag)
			var out, errout bytes.Buffer
			if code := run(&console.Session{Ctx: t.Context(), Out: &out, Errout: &errout}, args); code != console.ExitOK {
				t.Errorf("%v: %d %s", args, code, &errout)
			}
			told := errout.String()
			if flag == "--quiet" && told != "" || flag == "--verbose" && !strings.Contains(told, "DBG done command=") {
				t.Errorf("%v: %q", args, told)
			}
			if strings.Contains(out.String(), "step 1\n") == (flag == "--quiet") && slices.Contains([]string{"match", "practice"}, args[0]) {
				t.Errorf("%v: %s", args, &out)
			}
		}
	}
}
