package games_test

import (
	"slices"
	"strings"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/kif"
)

// encode is the state in which a direct game is.
func encode(t *testing.T, v viewer, b interface{ fluents() []string }) []uint64 {
	t.Helper()
	terms, err := kif.Parse(strings.Join(b.fluents(), " "))
	if err != nil {
		t.Fatal(err)
	}
	state, err := v.Encode(terms)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// sameMoves holds the moves of a position against those of the direct game.
func sameMoves(t *testing.T, v viewer, b board) {
	t.Helper()
	v.play(t, encode(t, v, b), nil)
	var got, want []string
	for _, path := range v.moves(b.mover()) {
		got = append(got, v.Move(b.mover(), path).String())
	}
	for _, s := range b.moves(nil) {
		want = append(want, b.spell(s))
	}
	if got, want := sorted(got), sorted(want); got != want {
		t.Fatalf("moves in %v\n got %s\nwant %s", b.fluents(), got, want)
	}
}

// TestShogiPawnDrops looks at positions in which a pawn can be dropped before
// the king: some of these drops are checkmates, and forbidden.
func TestShogiPawnDrops(t *testing.T) {
	v := view(proverOf(t, "minishogi"))
	random := newWalk(1)
	wanted := 60
	if testenv.Long() {
		wanted = 3000
	}
	mates, checks := 0, 0
	for checks < wanted {
		var s shogi
		s.scatter(random)
		s.hands[s.turn][shogiPawn]++ // a third pawn does no harm
		if s.hands[s.turn][shogiPawn] > 2 || s.inCheck(s.turn) {
			continue
		}
		found := false
		for _, m := range s.drops(nil) {
			after := s
			after.play(m)
			if m[1] == shogiPawn && after.inCheck(after.turn) && !s.inCheck(1-s.turn) {
				found = true
				if len(after.moves(nil)) == 0 {
					mates++
					break
				}
			}
		}
		// Most of these checks are no mates: only some of them are looked at.
		if found && (mates > 0 || random.IntN(4) == 0) {
			checks++
			sameMoves(t, v, &s)
		}
	}
	t.Logf("%d positions, %d forbidden drops", checks, mates)
	if mates == 0 {
		t.Error("no drop was a checkmate")
	}
}

// TestDraughtsLongCaptures looks at a king that can take nine pieces, and at
// one that can return to its square.
func TestDraughtsLongCaptures(t *testing.T) {
	v := view(proverOf(t, "englishdraughts"))
	for _, c := range []struct {
		king    int
		taken   []int
		longest int // jumps
	}{
		{1, []int{6, 7, 8, 14, 15, 16, 22, 23, 24}, 9},
		{9, []int{6, 7, 14, 15}, 4},
	} {
		d := &draughts{}
		d.squares[c.king-1] = 3
		for _, at := range c.taken {
			d.squares[at-1] = 4
		}
		sameMoves(t, v, d)
		longest := slices.MaxFunc(d.moves(nil), func(a, b step) int { return int(a[0] - b[0]) })
		if int(longest[0])-1 != c.longest {
			t.Errorf("the longest capture is %s, want %d jumps", d.spell(longest), c.longest)
		}
	}
}

// TestRareEnds looks at ends that random walks hardly meet.
func TestRareEnds(t *testing.T) {
	bothFive := &pentago{stones: 10}
	for x := range 5 {
		bothFive.squares[x][0], bothFive.squares[x][2] = 1, 2
	}
	bothJoined := &loa{size: 8, made: 50}
	bothJoined.squares[2][2], bothJoined.squares[3][3] = 1, 1
	bothJoined.squares[6][6], bothJoined.squares[6][5] = 2, 2

	// Black's four men cannot move.
	blocked := mill{men: [2]int{4, 4}, turn: 1}
	for p, name := range millNames {
		switch name {
		case "a 7", "d 7", "g 7", "a 4":
			blocked.at[p] = 2
		case "d 6", "g 4", "a 1", "b 4":
			blocked.at[p] = 1
		}
	}
	blockedLate := blocked
	blockedLate.quiet = 20

	cases := []struct {
		what, game string
		b          board
		first      int // the goal of the first player
	}{
		{"five of both colours", "pentago", bothFive, 50},
		{"both connected", "linesofaction", bothJoined, 50},
		{"no move", "millgame", &blocked, 100},
		{"no move after the last quiet move", "millgame", &blockedLate, 50},
		{"two passes on an empty board", "go9", &goBoard{size: 9, passes: 2, made: 2}, 50},
		{"flagship taken", "breakthru", &breakthru{placed: 12}, 0},
	}
	for _, at := range [4][2]int{{0, 4}, {10, 4}, {4, 0}, {4, 10}} {
		b := &breakthru{placed: 12, turn: 1}
		b.squares[at[0]][at[1]] = flagship
		cases = append(cases, struct {
			what, game string
			b          board
			first      int
		}{"flagship at the edge", "breakthru", b, 100})
	}
	views := map[string]viewer{}
	for _, c := range cases {
		v, known := views[c.game]
		if !known {
			v = view(proverOf(t, c.game))
			views[c.game] = v
		}
		state := encode(t, v, c.b)
		if _, ended := v.play(t, state, nil); !ended || !c.b.over() {
			t.Errorf("%s, %s: over is %v, directly %v", c.game, c.what, ended, c.b.over())
		}
		want := [2]int{c.first, 100 - c.first}
		for role := range want {
			if got := v.GoalValues(role, state); !slices.Equal(got, []int{want[role]}) || c.b.goal(role) != want[role] {
				t.Errorf("%s, %s: goals %v, directly %d, want %d", c.game, c.what, got, c.b.goal(role), want[role])
			}
		}
	}
}
