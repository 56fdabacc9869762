// Package roles tells who plays against whom.
package roles

// Rival is the only player beside a role; -1: there is none, or several. chance are the roles
// that move at random, which play against nobody.
func Rival(role int, chance []bool) int {
	rival := -1
	for other, random := range chance {
		switch {
		case other == role || random:
		case rival >= 0:
			return -1
		default:
			rival = other
		}
	}
	return rival
}
