package arena

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"semisplit/kif"
	"semisplit/player"
)

// randomMove is a random legal move of a role, the same on every machine: the
// moves are taken in the order of their spelling. False: there is none.
func randomMove(b *player.Board, role int, random *rand.Rand) (kif.Term, bool) {
	moves := b.Moves(role)
	if len(moves) == 0 {
		return kif.Term{}, false
	}
	if len(moves) == 1 {
		return moves[0], true
	}
	spelled := make([]string, len(moves))
	order := make([]int, len(moves))
	for i, m := range moves {
		spelled[i], order[i] = m.String(), i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(spelled[a], spelled[b]) })
	return moves[order[random.IntN(len(order))]], true
}

// seedOf is a seed that depends on all of its parts and on nothing else, so
// that a play has the same one whenever it is played.
func seedOf(seed uint64, parts ...any) uint64 {
	text := fmt.Sprint(seed)
	for _, part := range parts {
		text += fmt.Sprintf("\x00%v", part)
	}
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}
