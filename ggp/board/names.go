package board

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
	given map[string]Piece  // what the drawing says

	unseen map[string]bool // contents that the legend leaves out
}

// mostUnseen is how many names of what was not seen yet a legend has. The rules can
// allow many more than ever come.
const mostUnseen = 12

// blankNames mean an empty square wherever they occur.
var blankNames = []string{"blank", "empty", "free", "vacant", "none", "nil", "_", "-", "."}

// abbreviate gives every content a short name, those of the frame first and those
// that are possible next, so that theirs never change. What the drawing names is named by it. Else a content of
// one character, or where all are short, is its own name; pieces of two words
// that make up a set, such as those of chess, get a letter for each word;
// others get a letter.
func abbreviate(frame, possible, now []string, o Options) abbreviations {
	a := abbreviations{short: map[string]string{}, code: map[string]string{}, given: o.Drawing.pieces}
	a.blank = findBlank(frame, possible, now)
	a.order = a.listed(frame, nil)
	unseen := a.listed(possible, a.order)
	a.order = append(a.order, unseen...)
	known := len(a.order)
	a.order = append(a.order, a.listed(now, a.order)...)
	if len(unseen) > mostUnseen {
		a.unseen = map[string]bool{}
		for _, content := range unseen {
			a.unseen[content] = !slices.Contains(now, content)
		}
	}
	used := map[string]bool{empty: true, several: true}
	for _, content := range append(a.order, a.blank) {
		if piece, ok := a.given[content]; ok {
			a.short[content] = piece.text(o.Symbols)
			a.code[content] = colorCodes[piece.Color]
			used[a.short[content]] = true
		}
	}
	a.guess(known, slices.Concat(frame, possible, now), used)
	for i, content := range a.order {
		if a.code[content] == "" {
			a.code[content] = colorOf(content, i)
		}
	}
	return a
}

// guess names the contents that the drawing does not name, of which the
// first so many are known before the state is.
func (a *abbreviations) guess(known int, all []string, used map[string]bool) {
	keep := 1
	if allShort(all, a.blank) {
		keep = 2
	}
	for content, pair := range letterPairs(a.order, known) {
		if a.short[content] == "" && !used[pair] {
			a.short[content] = pair
			used[pair] = true
		}
	}
	for _, content := range a.order {
		if a.short[content] == "" && isShort(content, keep) && !used[content] {
			a.short[content] = content
			used[content] = true
		}
	}
	for _, content := range a.order {
		if a.short[content] == "" {
			a.short[content] = pickLetter(content, used)
			used[a.short[content]] = true
		}
	}
}

// width of the longest short name of these contents, at least 1.
func (a *abbreviations) width(contents []string) int {
	width := 1
	for _, content := range contents {
		width = max(width, length(a.short[content]))
	}
	return width
}

// long is what the legend says of a content; "" if its short name says all, or it is
// left out.
func (a *abbreviations) long(content string) string {
	if a.unseen[content] {
		return ""
	}
	if piece, ok := a.given[content]; ok {
		return piece.Name
	}
	if a.short[content] == content {
		return ""
	}
	return content
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
func findBlank(frame, possible, now []string) string {
	all := slices.Concat(frame, possible, now)
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
	if isNumber(content) {
		return true
	}
	return len(content) > 0 && len(content) <= most
}

// isNumber tells whether a content is a number that can be drawn as it is.
func isNumber(content string) bool {
	_, err := strconv.Atoi(content)
	return err == nil && len(content) <= 4
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
	for n := len(used); ; n++ {
		if name := "#" + strconv.Itoa(n); !used[name] {
			return name
		}
	}
}
