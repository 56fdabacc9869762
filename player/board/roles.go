package board

import (
	"strings"

	"semisplit/kif"
	"semisplit/reasoner"
)

// IsChance tells whether a role is the one that managers play at random.
func IsChance(role kif.Term) bool { return strings.EqualFold(role.Name, "random") }

// Chance marks the roles of a machine that managers play at random.
func Chance(m reasoner.Machine) []bool {
	chance := make([]bool, len(m.Roles()))
	for i, role := range m.Roles() {
		chance[i] = IsChance(role)
	}
	return chance
}

// Levels are the numbers of semimoves that each role's moves are made of.
func Levels(m reasoner.Machine) []int {
	levels := make([]int, len(m.Roles()))
	for role := range levels {
		levels[role] = m.Levels(role)
	}
	return levels
}
