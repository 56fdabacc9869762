//go:build !linux

package peer

// available are the processors that this process may use, by their numbers in the
// system; none where processes cannot be kept on some of them, as here.
// Cores are those that processes can be kept on: none here.
func Cores() []int { return nil }

func confine([]int) error { return nil }
