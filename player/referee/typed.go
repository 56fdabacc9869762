package referee

import (
	"slices"
	"strconv"
	"strings"

	"semisplit/kif"
)

// meant are the moves that a line may mean which is neither a move of the rules nor a
// number. People write "e2e4" or "5 2 5 4" for (move 5 2 5 4), "e4" where only one
// piece can go there, and "e2" to see where that piece can go. So a line is held
// against the arguments of each move, as they stand and with pairs of numbers as
// squares: all of them, else the first of them or the last.
func meant(line string, choices []choice) []choice {
	typed := squeeze(line)
	if typed == "" {
		return nil
	}
	fits := [3]func(parts []string) bool{
		func(parts []string) bool { return strings.Join(parts, "") == typed },
		func(parts []string) bool {
			return slices.ContainsFunc(cuts(parts), func(i int) bool { return strings.Join(parts[:i], "") == typed })
		},
		func(parts []string) bool {
			return slices.ContainsFunc(cuts(parts), func(i int) bool { return strings.Join(parts[i:], "") == typed })
		},
	}
	for _, fit := range fits {
		var found []choice
		for _, c := range choices {
			if slices.ContainsFunc(spellings(c.move), fit) {
				found = append(found, c)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// cuts are the places between parts.
func cuts(parts []string) (places []int) {
	for i := 1; i < len(parts); i++ {
		places = append(places, i)
	}
	return places
}

// squeeze leaves out what people write between the parts of a move.
func squeeze(line string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("() \t,-", r) }), ""))
}

// spellings are the ways to write a move, each as its parts: all of it, its arguments,
// and these with pairs of numbers as squares.
func spellings(move kif.Term) [][]string {
	all := parts(nil, move)
	list := [][]string{all}
	if len(all) > 1 {
		list = append(list, all[1:])
		if squares := squares(all[1:]); squares != nil {
			list = append(list, squares)
		}
	}
	return list
}

func parts(list []string, t kif.Term) []string {
	if !t.IsList() {
		return append(list, squeeze(t.Name))
	}
	for _, item := range t.Items {
		list = parts(list, item)
	}
	return list
}

// squares writes each pair of numbers, or of a letter and a number, as a square: 5 2 is
// e2. It is nil where there is no such pair.
func squares(parts []string) (list []string) {
	found := false
	for i := 0; i < len(parts); i++ {
		if i+1 < len(parts) && isNumber(parts[i+1]) {
			if column := letter(parts[i]); column != "" {
				list = append(list, column+parts[i+1])
				found = true
				i++
				continue
			}
		}
		list = append(list, parts[i])
	}
	if !found {
		return nil
	}
	return list
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}

// letter is the column of a number from 1 to 26, or a letter itself; "": it is none.
func letter(s string) string {
	if len(s) == 1 && 'a' <= s[0] && s[0] <= 'z' {
		return s
	}
	if n, err := strconv.Atoi(s); err == nil && 1 <= n && n <= 26 {
		return string(rune('a' + n - 1))
	}
	return ""
}
