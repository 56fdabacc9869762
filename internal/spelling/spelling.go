// Package spelling finds the word that a misspelt one may stand for.
package spelling

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// longest is how much of a misspelt word is looked at, in bytes: no name that
// is known is longer, and the work grows with the square.
const longest = 80

// Near are the words that the given one may stand for, best first, at most so
// many: those with few wrong letters for their length, and those of which it is
// a part. Case does not count. There are none where nothing is near.
func Near(given string, words []string, most int) []string {
	given = strings.ToLower(given)
	if given == "" || len(given) > longest {
		return nil
	}
	type match struct {
		word   string
		faults int
	}
	var matches []match
	for _, word := range words {
		if faults, near := compare(given, strings.ToLower(word)); near {
			matches = append(matches, match{word, faults})
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int { return a.faults - b.faults })
	var found []string
	for _, m := range matches[:min(most, len(matches))] {
		found = append(found, m.word)
	}
	return found
}

// compare counts the wrong letters. A third of them may be wrong, at least one,
// but not all.
func compare(given, word string) (faults int, near bool) {
	short, long := utf8.RuneCountInString(given), utf8.RuneCountInString(word)
	if short > long {
		short, long = long, short
	}
	faults = edits(given, word)
	if faults <= max(1, long/3) && faults < short {
		return faults, true
	}
	// An abbreviation, or a name with something around it.
	const leastPart = 3
	part := strings.Contains(word, given) || strings.Contains(given, word) && 2*short >= long
	return long - short, part && short >= leastPart
}

// edits is the number of letters that were left out, put in, mistaken, or, once
// only, exchanged with their neighbour.
func edits(given, word string) int {
	least := levenshtein.ComputeDistance(given, word)
	letters := []rune(given)
	for i := range len(letters) - 1 {
		letters[i], letters[i+1] = letters[i+1], letters[i]
		least = min(least, 1+levenshtein.ComputeDistance(string(letters), word))
		letters[i], letters[i+1] = letters[i+1], letters[i]
	}
	return least
}
