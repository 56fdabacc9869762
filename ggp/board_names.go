package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// abbreviations are the short names of what can stand on a square.
type abbreviations struct {
	order []string          // contents other than the blank one, as they were named
	short map[string]string // by content
	code  map[string]string // ANSI colour, by content
	blank string            // the content that means an empty square; "" if there is none
	width int               // of the longest short name
}

// blankNames mean an empty square wherever they occur.
var blankNames = []string{"blank", "empty", "free", "vacant", "none", "nil", "_", "-", "."}

// abbreviate gives every content a short name, those of the frame first, so
// that theirs never change. A content of one character, or where all are
// short, is its own name; pieces of two words that make up a set, such as those
// of chess, get a letter for each word; others get a letter.
func abbreviate(frame, now []string) abbreviations {
	a := abbreviations{short: map[string]string{}, code: map[string]string{}, width: 1}
	a.blank = findBlank(frame, now)
	a.order = a.listed(frame, nil)
	a.order = append(a.order, a.listed(now, a.order)...)
	keep := 2
	if all := slices.Concat(frame, now); !allShort(all, a.blank) {
		keep = 1
	}
	used := map[string]bool{".": true, "*": true}
	for content, pair := range letterPairs(a.order, len(a.listed(frame, nil))) {
		a.short[content] = pair
		used[pair] = true
	}
	for _, content := range a.order {
		if a.short[content] == "" && isShort(content, keep) && !used[content] {
			a.short[content] = content
			used[content] = true
		}
	}
	for i, content := range a.order {
		if a.short[content] == "" {
			a.short[content] = pickLetter(content, used)
			used[a.short[content]] = true
		}
		a.width = max(a.width, length(a.short[content]))
		a.code[content] = colorOf(content, i)
	}
	return a
}

// listed are the distinct contents that are not blank and not in known,
// sorted, numbers by size.
func (a *abbreviations) listed(contents, known []string) []string {
	seen := map[string]bool{a.blank: a.blank != ""}
	for _, c := range known {
		seen[c] = true
	}
	var list []string
	for _, c := range contents {
		if !seen[c] {
			seen[c] = true
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(p, q string) int {
		m, errP := strconv.Atoi(p)
		n, errQ := strconv.Atoi(q)
		if errP == nil && errQ == nil && m != n {
			return cmp.Compare(m, n)
		}
		return strings.Compare(p, q)
	})
	return list
}

// findBlank is the content that means empty. The letter b is the usual short
// form of blank, but where it faces a w it is black, unless most squares
// have it.
func findBlank(frame, now []string) string {
	all := slices.Concat(frame, now)
	for _, name := range blankNames {
		for _, content := range all {
			if strings.EqualFold(content, name) {
				return content
			}
		}
	}
	first := frame
	if len(first) == 0 {
		first = now
	}
	count := 0
	for _, content := range first {
		if content == "b" {
			count++
		}
	}
	if slices.Contains(all, "b") && (!slices.Contains(all, "w") || count*2 > len(first)) {
		return "b"
	}
	return ""
}

// allShort tells whether no content needs a letter in its place.
func allShort(contents []string, blank string) bool {
	for _, content := range contents {
		if content != blank && !isShort(content, 2) {
			return false
		}
	}
	return true
}

// isShort tells whether a content can stand on a square as it is. Numbers
// may have four digits.
func isShort(content string, most int) bool {
	for i := range len(content) {
		if content[i] <= ' ' || content[i] > '~' {
			return false
		}
	}
	if _, err := strconv.Atoi(content); err == nil {
		return len(content) <= 4
	}
	return len(content) > 0 && len(content) <= most
}

// pickLetter finds an unused letter for a name: the first of its own that is
// free, else one of its own as a capital, else any.
func pickLetter(name string, used map[string]bool) string {
	const any = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for _, source := range []string{name, strings.ToUpper(name), any} {
		for i := range len(source) {
			letter := source[i : i+1]
			if !used[letter] && (source == any || isLetter(source[i])) {
				return letter
			}
		}
	}
	for n := 0; ; n++ {
		if name := "#" + strconv.Itoa(n); !used[name] {
			return name
		}
	}
}

// namedColors are for contents that say their colour themselves. Black would
// not be seen on a dark terminal, nor white on a light one.
var namedColors = map[string]string{
	"red": "31", "green": "32", "yellow": "33", "blue": "34", "white": "1", "black": "35",
}

// colorOf is the colour of the content with this place in the order.
func colorOf(content string, place int) string {
	if code, ok := namedColors[strings.ToLower(content)]; ok {
		return code
	}
	cycle := []string{"36", "33", "32", "35", "34", "31"}
	return cycle[place%len(cycle)]
}
