package games_test

import "fmt"

// kalah: pits 0 to 5 are south's houses from its left, 6 its store, 7 to 12
// north's houses, 13 its store.
type kalah struct {
	begin [14]int8
	pits  [14]int8
	turn  int
}

func init() {
	even := func(n int8) [14]int8 { return [14]int8{n, n, n, n, n, n, 0, n, n, n, n, n, n, 0} }
	for name, begin := range map[string][14]int8{
		"kalah":        even(4),
		"kalah3":       even(3),
		"kalah6":       even(6),
		"kalahrandom1": {8, 1, 4, 2, 7, 2, 0, 4, 5, 6, 1, 5, 3, 0},
		"kalahrandom2": {7, 3, 2, 6, 4, 1, 0, 4, 5, 3, 7, 4, 2, 0},
	} {
		boards[name] = func() board { return &kalah{begin: begin} }
	}
}

func (k *kalah) roles() [2]string { return [2]string{"south", "north"} }

func (k *kalah) start() { k.pits, k.turn = k.begin, 0 }

func (k *kalah) mover() int { return k.turn }

func (k *kalah) moves(into []step) []step {
	for i := range int8(6) {
		if k.pits[7*k.turn+int(i)] > 0 {
			into = append(into, step{i})
		}
	}
	return into
}

func (k *kalah) play(s step) {
	home, store, skipped := 7*k.turn, 7*k.turn+6, 13-7*k.turn
	at := home + int(s[0])
	hand := k.pits[at]
	k.pits[at] = 0
	for ; hand > 0; hand-- {
		at = (at + 1) % 14
		if at == skipped {
			at = (at + 1) % 14
		}
		k.pits[at]++
	}
	if at == store {
		return
	}
	if at >= home && at < store && k.pits[at] == 1 && k.pits[12-at] > 0 {
		k.pits[store] += 1 + k.pits[12-at]
		k.pits[at], k.pits[12-at] = 0, 0
	}
	k.turn = 1 - k.turn
}

// houses are the stones in a player's houses.
func (k *kalah) houses(role int) int8 {
	var n int8
	for _, stones := range k.pits[7*role : 7*role+6] {
		n += stones
	}
	return n
}

func (k *kalah) over() bool { return k.houses(0) == 0 || k.houses(1) == 0 }

func (k *kalah) goal(role int) int {
	south, north := k.houses(0)+k.pits[6], k.houses(1)+k.pits[13]
	switch {
	case south > north:
		return points(0, role)
	case north > south:
		return points(1, role)
	}
	return points(-1, role)
}

func (k *kalah) spell(s step) string { return fmt.Sprintf("(sow %c)", 'a'+s[0]) }

func (k *kalah) fluents() []string {
	all := []string{"(control " + k.roles()[k.turn] + ")"}
	for i, stones := range k.pits {
		pit := string(rune('a' + i%7))
		if i%7 == 6 {
			pit = "store"
		}
		all = append(all, fmt.Sprintf("(stones %s %s %d)", k.roles()[i/7], pit, stones))
	}
	return all
}
