package player

import (
	"strings"

	"semisplit/internal/printable"
	"semisplit/reasoner"
)

// spellLine writes joint moves for people: the moves of a turn with a slash
// between the roles, the turns with a comma between them.
func spellLine(m reasoner.Machine, line [][]uint32) string {
	const most = 6
	var text strings.Builder
	for i, joint := range line {
		if i == most || text.Len() > printable.LogLimit {
			text.WriteString(", ...")
			break
		}
		if i > 0 {
			text.WriteString(", ")
		}
		for role := range m.Roles() {
			levels := m.Levels(role)
			if len(joint) < levels {
				break
			}
			if role > 0 {
				text.WriteString(" / ")
			}
			text.WriteString(short(m.Move(role, joint[:levels])))
			joint = joint[levels:]
		}
	}
	return text.String()
}
