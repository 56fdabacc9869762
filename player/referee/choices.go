package referee

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"semisplit/internal/printable"
	"semisplit/internal/spelling"
	"semisplit/kif"
)

// choice is a legal move with the number that a person may type for it.
type choice struct {
	number int
	move   kif.Term
}

// numbers are those of the moves that a person was offered last, by spelling.
type numbers map[string]int

// choices gives moves their numbers, and sorts them. A move keeps its number
// while it stays legal, or has the one that another at the terminal knows it
// by; else it gets the lowest that is free. So the fourth column is 4 also when
// the first is full, and numbers stay small in games where moves come and go.
func (n *numbers) choices(moves []kif.Term, others []numbers) []choice {
	slices.SortFunc(moves, compareMoves)
	list := make([]choice, len(moves))
	next, taken := make(numbers, len(moves)), make(map[int]bool, len(moves))
	for _, known := range append([]numbers{*n}, others...) {
		for i, move := range moves {
			if number := known[move.String()]; list[i].number == 0 && number > 0 && !taken[number] {
				list[i].number, taken[number] = number, true
			}
		}
	}
	free := 1
	for i, move := range moves {
		if list[i].number == 0 {
			for taken[free] {
				free++
			}
			list[i].number, taken[free] = free, true
		}
		list[i].move = move
		next[move.String()] = list[i].number
	}
	*n = next
	return list
}

// compareMoves orders moves as people do: words before what has arguments,
// then one part after the other, so that squares go by column and row.
func compareMoves(a, b kif.Term) int {
	switch {
	case a.IsList() && b.IsList():
		return slices.CompareFunc(a.Items, b.Items, compareMoves)
	case a.IsList():
		return 1
	case b.IsList():
		return -1
	}
	return compareNames(a.Name, b.Name)
}

// compareNames orders numbers by value, before all other names; those go
// without regard to case, with the numbers in them by value: a2 before a10.
func compareNames(a, b string) int {
	x, errA := strconv.ParseInt(a, 10, 64)
	y, errB := strconv.ParseInt(b, 10, 64)
	switch {
	case errA == nil && errB == nil:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return cmp.Or(slices.CompareFunc(chunks(a), chunks(b), compareChunks), strings.Compare(a, b))
}

// chunks cuts a name into numbers, without the zeros before them, and the
// lower-case text between them.
func chunks(name string) []string {
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	var list []string
	for name = strings.ToLower(name); name != ""; {
		rest := strings.TrimLeftFunc(name, isDigit)
		if digits := name[:len(name)-len(rest)]; digits != "" {
			list = append(list, cmp.Or(strings.TrimLeft(digits, "0"), "0"))
		}
		name = rest
		end := strings.IndexFunc(name, isDigit)
		if end < 0 {
			end = len(name)
		}
		if end > 0 {
			list = append(list, name[:end])
		}
		name = name[end:]
	}
	return list
}

func compareChunks(a, b string) int {
	isNumber := func(s string) bool { return '0' <= s[0] && s[0] <= '9' }
	if isNumber(a) && isNumber(b) {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
	return strings.Compare(a, b)
}

// spell is a term from outside in one line of a terminal.
func spell(t kif.Term) string { return printable.Text(t.String(), printable.LogLimit) }

// show prints the choices, in columns.
func show(w io.Writer, choices []choice) {
	const width = 78
	longest := 0
	for _, c := range choices {
		longest = max(longest, utf8.RuneCountInString(spell(c.move)))
	}
	cell := longest + 7
	columns := max(1, width/cell)
	for i, c := range choices {
		fmt.Fprintf(w, "%4d  %-*s", c.number, longest+1, spell(c.move))
		if (i+1)%columns == 0 || i == len(choices)-1 {
			fmt.Fprintln(w)
		}
	}
}

// pick finds the move that a line means: exactly, by number, or as people write it,
// if that is unambiguous. Of several that it may mean, all come back.
func pick(line string, choices []choice) (move kif.Term, several []choice, complaint string) {
	if line == "" {
		return kif.Term{}, nil, "Type the number of a move."
	}
	for _, c := range choices {
		if c.move.String() == line {
			return c.move, nil, ""
		}
	}
	if n, err := strconv.Atoi(line); err == nil {
		for _, c := range choices {
			if c.number == n {
				return c.move, nil, ""
			}
		}
	}
	several = meant(line, choices)
	switch len(several) {
	case 0:
		if isNumber(line) {
			return kif.Term{}, nil, "There is no move " + line + "."
		}
		return kif.Term{}, nil, fmt.Sprintf("%q is not a legal move.%s", printable.Text(line, printable.LogLimit), suggest(line, choices))
	case 1:
		return several[0].move, nil, ""
	}
	return kif.Term{}, several, "Which of these?"
}

// suggest names the move whose spelling is nearest.
func suggest(line string, choices []choice) string {
	byName := make(map[string]kif.Term, len(choices))
	names := make([]string, 0, len(choices))
	for _, c := range choices {
		name := squeeze(c.move.String())
		byName[name] = c.move
		names = append(names, name)
	}
	near := spelling.Near(squeeze(line), names, 1)
	if len(near) == 0 {
		return ""
	}
	return " Did you mean " + spell(byName[near[0]]) + "?"
}
