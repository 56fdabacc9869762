package games_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"semisplit/games"
)

var rewrite = flag.Bool("rewrite", false, "write the playthroughs anew instead of comparing")

// A playthrough is cut off after so many plies, or so much work.
const (
	playthroughPlies = 150
	playthroughWork  = 40_000
)

// TestPlaythroughs plays one seeded match of every game and compares it with
// the committed one: the initial state, then for each ply the moves chosen,
// how many there were and a hash of them all, and what changed; at the end the
// state and the goals. -rewrite renews them.
func TestPlaythroughs(t *testing.T) {
	folder := filepath.Join("testdata", "playthroughs")
	for _, name := range games.Names() {
		t.Run(name, func(t *testing.T) {
			got := playthrough(t, view(proverOf(t, name)))
			file := filepath.Join(folder, name+".txt")
			if *rewrite {
				if err := os.MkdirAll(folder, 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v (go test ./games -run TestPlaythroughs -rewrite writes it)", err)
			}
			if got != string(want) {
				t.Error(firstDifference(got, string(want)))
			}
		})
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

func playthrough(t *testing.T, v viewer) string {
	var out strings.Builder
	random := newWalk(2)
	state, ended := v.play(t, v.Initial(), nil)
	writeState(&out, "start", v, state)
	work := 0
	for ply := 1; !ended; ply++ {
		if ply > playthroughPlies || work > playthroughWork {
			out.WriteString("cut off\n")
			break
		}
		var joint []uint32
		for role, who := range v.Roles() {
			spelt, paths := spelledMoves(v, role)
			work += plyWork + len(paths)
			chosen := random.IntN(len(paths))
			joint = append(joint, paths[chosen]...)
			if len(paths) > 1 || spelt[chosen] != "noop" {
				fmt.Fprintf(&out, "%d. %s %s, of %d (%08x)\n", ply, who, spelt[chosen], len(paths), hashWords(spelt))
			}
		}
		before := strings.Split(spellLines(v, state), "\n")
		state, ended = v.play(t, state, joint)
		after := strings.Split(spellLines(v, state), "\n")
		writeChange(&out, "-", before, after)
		writeChange(&out, "+", after, before)
	}
	writeState(&out, "end", v, state)
	out.WriteString("goals")
	for role, who := range v.Roles() {
		fmt.Fprintf(&out, " %s %v", who, v.GoalValues(role, state))
	}
	return out.String() + "\n"
}

// spelledMoves are the legal moves of a role in the order of their spelling,
// which does not depend on the machine.
func spelledMoves(v viewer, role int) ([]string, [][]uint32) {
	paths := v.moves(role)
	bySpelling := make(map[string][]uint32, len(paths))
	for _, path := range paths {
		bySpelling[v.Move(role, path).String()] = path
	}
	spelt := make([]string, 0, len(paths))
	for word := range bySpelling {
		spelt = append(spelt, word)
	}
	slices.Sort(spelt)
	for i, word := range spelt {
		paths[i] = bySpelling[word]
	}
	return spelt, paths[:len(spelt)]
}

func hashWords(words []string) uint32 {
	h := fnv.New32a()
	for _, word := range words {
		fmt.Fprintln(h, word)
	}
	return h.Sum32()
}

// spellLines is a state with a fluent in each line, sorted.
func spellLines(v viewer, state []uint64) string {
	words := make([]string, 0, 64)
	for _, f := range v.Fluents(state) {
		words = append(words, f.String())
	}
	slices.Sort(words)
	return strings.Join(words, "\n")
}

func writeState(out *strings.Builder, what string, v viewer, state []uint64) {
	out.WriteString(what)
	width := 100
	for _, f := range strings.Split(spellLines(v, state), "\n") {
		if width+len(f) >= 100 {
			out.WriteString("\n ")
			width = 1
		}
		out.WriteString(" " + f)
		width += 1 + len(f)
	}
	out.WriteString("\n")
}

// writeChange writes the lines that only the first list has.
func writeChange(out *strings.Builder, sign string, has, hasNot []string) {
	out.WriteString("  " + sign)
	for _, f := range has {
		if _, found := slices.BinarySearch(hasNot, f); !found {
			out.WriteString(" " + f)
		}
	}
	out.WriteString("\n")
}
