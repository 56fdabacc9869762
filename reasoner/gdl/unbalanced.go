package gdl

import (
	"fmt"
	"strings"

	"semisplit/kif"
)

// adviseUnbalanced says where a parenthesis is likely to be missing. Rules
// begin at the start of a line almost everywhere, so a list that begins there
// while another is open points at the rule before it.
func adviseUnbalanced(src string, fault kif.Error) string {
	if strings.HasPrefix(fault.Expected, "at most") {
		return "" // a limit, not a parenthesis
	}
	line, lineStart, depth, comment := 1, 0, 0, false
	var opened kif.Pos // the outermost open list
	for i := range len(src) {
		switch c := src[i]; {
		case c == '\n' || c == '\r':
			if comment = false; c == '\r' || i == 0 || src[i-1] != '\r' {
				line++
			}
			lineStart = i + 1
		case comment:
		case c == ';':
			comment = true
		case c == '(':
			if i == lineStart && depth > 0 {
				return fmt.Sprintf("the rule that begins at %s is still open where a line begins with a parenthesis, at %d:1", opened, line)
			}
			if depth == 0 {
				opened = kif.Pos{Line: line, Col: i - lineStart + 1}
			}
			depth++
		case c == ')':
			depth--
		}
	}
	return "count the parentheses of the rule that ends here"
}
