package board

import "strings"

// letterPairs names contents of two words by a letter for each word, if that
// is shorter to learn than a letter for each content: white and black times
// king, queen and so on. Whether it is, the first decide contents tell (all, if
// decide is 0), since the answer should stay the same for a match.
func letterPairs(contents []string, decide int) map[string]string {
	if decide == 0 {
		decide = len(contents)
	}
	pairs, words := 0, map[string]bool{}
	for _, content := range contents[:decide] {
		if first, second, ok := twoWords(content); ok {
			pairs++
			words[first], words[second] = true, true
		}
	}
	if pairs < 4 || pairs < len(words) {
		return nil
	}
	firsts, seconds := letterer{}, letterer{}
	names, taken := map[string]string{}, map[string]bool{}
	for _, content := range contents {
		first, second, ok := twoWords(content)
		if !ok {
			continue
		}
		name := firsts.letter(first) + seconds.letter(second)
		if len(name) != 2 || taken[name] {
			return nil
		}
		names[content], taken[name] = name, true
	}
	return names
}

// letterer gives different words different letters.
type letterer struct {
	letters map[string]string
	used    map[string]bool
}

func (l *letterer) letter(word string) string {
	if l.letters == nil {
		l.letters, l.used = map[string]string{}, map[string]bool{}
	}
	letter, known := l.letters[word]
	if !known {
		if letter = word; !isShort(word, 1) || len(word) != 1 || l.used[word] {
			letter = pickLetter(word, l.used)
		}
		l.letters[word], l.used[letter] = letter, true
	}
	return letter
}

// twoWords splits a content such as "white pawn", white_pawn or whitePawn.
func twoWords(content string) (first, second string, ok bool) {
	for _, separator := range []string{" ", "_", "-"} {
		if first, second, ok = strings.Cut(content, separator); ok {
			return first, second, first != "" && second != "" && !strings.Contains(second, separator)
		}
	}
	for i := 1; i < len(content); i++ {
		if isCapital(content[i]) && !isCapital(content[i-1]) {
			return content[:i], content[i:], true
		}
	}
	return "", "", false
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }
