package referee

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"semisplit/internal/printable"
	"semisplit/internal/spelling"
	"semisplit/internal/words"
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
	slices.SortFunc(moves, CompareMoves)
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

// CompareMoves orders moves as people do: words before what has arguments,
// then one part after the other, so that squares go by column and row.
func CompareMoves(a, b kif.Term) int {
	switch {
	case a.IsList() && b.IsList():
		return slices.CompareFunc(a.Items, b.Items, CompareMoves)
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

// mostListed is how many choices are shown one by one. More are shown by how they
// begin, and typing a beginning shows those that remain.
const mostListed = 100

// show prints the choices in columns, as many as a line of so many characters holds.
func show(w io.Writer, choices []choice, line int) {
	var cells []string
	if len(choices) > mostListed {
		cells = beginnings(choices)
	}
	if cells == nil {
		for _, c := range choices {
			cells = append(cells, fmt.Sprintf("%4d  %s", c.number, spell(c.move)))
		}
	} else {
		fmt.Fprintf(w, "%d legal moves. Type how yours begins, and the choices that remain are shown:\n", len(choices))
	}
	longest := 0
	for _, cell := range cells {
		longest = max(longest, utf8.RuneCountInString(cell))
	}
	columns := max(1, (line-1)/(longest+1))
	for i, cell := range cells {
		fmt.Fprintf(w, "%-*s ", longest, cell)
		if (i+1)%columns == 0 || i == len(cells)-1 {
			fmt.Fprintln(w)
		}
	}
}

// beginnings are the ways in which moves begin that differ in the first part in
// which any do, each with the number of moves; nil where they do not help.
func beginnings(choices []choice) (cells []string) {
	typed := make([][]string, len(choices))
	common := 0
	for i, c := range choices {
		all := spellings(c.move)
		for len(all) > 1 && len(all[len(all)-1]) < 2 { // a single square has no beginning
			all = all[:len(all)-1]
		}
		typed[i] = all[len(all)-1]
	}
	same := func(depth int) bool {
		return !slices.ContainsFunc(typed, func(parts []string) bool {
			return len(parts) <= depth+1 || parts[depth] != typed[0][depth]
		})
	}
	for common+1 < len(typed[0]) && same(common) {
		common++
	}
	count := map[string]int{}
	var order []string
	for _, parts := range typed {
		begin := strings.Join(parts[:min(len(parts), common+1)], " ")
		if count[begin] == 0 {
			order = append(order, begin)
		}
		count[begin]++
	}
	if len(order) > len(choices)/2 {
		return nil
	}
	for _, begin := range order {
		cells = append(cells, fmt.Sprintf("  %s (%d)", printable.Text(begin, printable.LogLimit), count[begin]))
	}
	return cells
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

// Typed is the legal move that somebody means who types a line, as at the prompt of
// a person: the move, its number, or a part of it that only one has.
func Typed(line string, legal []kif.Term) (kif.Term, error) {
	var none numbers
	move, several, complaint := pick(strings.TrimSpace(line), none.choices(slices.Clone(legal), nil))
	switch {
	case complaint == "":
		return move, nil
	case len(several) > 0:
		return kif.Term{}, fmt.Errorf("%q may be %s", printable.Text(line, printable.LogLimit), words.Or(spellAll(several)))
	}
	return kif.Term{}, errors.New(complaint)
}

// spellAll are the first choices, spelled.
func spellAll(choices []choice) (list []string) {
	const most = 8
	for _, c := range choices[:min(most, len(choices))] {
		list = append(list, spell(c.move))
	}
	return list
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
