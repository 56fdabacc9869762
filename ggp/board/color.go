package board

import "strings"

// colorCodes are the colours that can be asked for. Black would not be seen
// on a dark terminal, nor white on a light one.
var colorCodes = map[string]string{
	"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36",
	"white": "1", "black": "35", "gold": "33", "silver": "36",
}

// colorOf is the colour of the content with this place in the order: the one
// that a word of its name says, if any.
func colorOf(content string, place int) string {
	words := []string{content}
	if first, second, ok := twoWords(content); ok {
		words = append(words, first, second)
	}
	for _, word := range words {
		if code, ok := colorCodes[strings.ToLower(word)]; ok {
			return code
		}
	}
	cycle := []string{"36", "33", "32", "35", "34", "31"}
	return cycle[place%len(cycle)]
}
