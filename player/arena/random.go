package arena

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// SeedOf is a seed that depends on all of its parts and on nothing else, so
// that a play has the same one whenever it is played.
func SeedOf(seed uint64, parts ...any) uint64 {
	text := fmt.Sprint(seed)
	for _, part := range parts {
		text += fmt.Sprintf("\x00%v", part)
	}
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}
