package games_test

import (
	"fmt"
	"math/rand/v2"
)

// Kinds of pieces of minishogi; the promoted ones are higher by promoted, those
// of white by whitePiece.
const (
	shogiKing = 1 + iota
	shogiGold
	shogiSilver
	shogiBishop
	shogiRook
	shogiPawn
	promoted   = 8
	whitePiece = 16
)

// shogi: columns count from the left, which is column 5 of the board, rows from
// the bottom, which is e. A step is its kind, then columns and rows, or for a
// drop the piece and the square.
type shogi struct {
	squares [5][5]int8 // [x][y]
	hands   [2][7]int8 // by player and kind
	turn    int
	made    int
}

// Kinds of steps.
const (
	shogiMove = iota
	shogiPromote
	shogiDrop
)

func init() { boards["minishogi"] = func() board { return &shogi{} } }

func (s *shogi) roles() [2]string { return [2]string{"black", "white"} }

func (s *shogi) start() {
	*s = shogi{}
	for x, kind := range [5]int8{shogiKing, shogiGold, shogiSilver, shogiBishop, shogiRook} {
		s.squares[x][0], s.squares[4-x][4] = kind, whitePiece+kind
	}
	s.squares[0][1], s.squares[4][3] = shogiPawn, whitePiece+shogiPawn
}

// scatter deals the pieces anywhere, and many of them into the hands.
func (s *shogi) scatter(random *rand.Rand) {
	for {
		*s = shogi{turn: random.IntN(2), made: 150 + random.IntN(48)}
		for role := range 2 {
			s.squares[random.IntN(5)][random.IntN(5)] = int8(shogiKing + whitePiece*role)
		}
		for _, kind := range []int{shogiGold, shogiSilver, shogiBishop, shogiRook, shogiPawn} {
			for range 2 {
				at := &s.squares[random.IntN(5)][1+random.IntN(3)]
				if owner := random.IntN(2); random.IntN(2) == 0 || *at != 0 {
					s.hands[owner][kind]++
				} else {
					*at = int8(kind + whitePiece*owner)
					if kind != shogiGold && random.IntN(4) == 0 {
						*at += promoted
					}
				}
			}
		}
		kings := 0
		for x := range 5 {
			for _, piece := range s.squares[x] {
				if piece%whitePiece == shogiKing {
					kings++
				}
			}
		}
		if kings == 2 && !s.inCheck(1-s.turn) {
			return
		}
	}
}

func (s *shogi) mover() int { return s.turn }

func shogiOwner(piece int8) int {
	if piece == 0 {
		return -1
	}
	return int(piece / whitePiece)
}

// shogiReach is how far a piece goes in one of the eight directions, of which
// the first is east and the third black's forward.
func shogiReach(piece int8, way int) int {
	if piece >= whitePiece {
		piece -= whitePiece
		way = (way + 4) % 8
	}
	straight := way%2 == 0
	gold := straight || way == 1 || way == 3
	steps := false
	switch piece {
	case shogiKing:
		steps = true
	case shogiGold, shogiSilver + promoted, shogiPawn + promoted:
		steps = gold
	case shogiSilver:
		steps = !straight || way == 2
	case shogiPawn:
		steps = way == 2
	case shogiBishop, shogiBishop + promoted:
		if !straight {
			return 4
		}
		steps = piece > promoted
	case shogiRook, shogiRook + promoted:
		if straight {
			return 4
		}
		steps = piece > promoted
	}
	if steps {
		return 1
	}
	return 0
}

// each calls for every square to which the piece on x, y can go.
func (s *shogi) each(x, y int, do func(x, y int)) {
	piece := s.squares[x][y]
	for way, d := range eightWays {
		for n := 1; n <= shogiReach(piece, way); n++ {
			x2, y2 := x+n*d[0], y+n*d[1]
			if x2 < 0 || y2 < 0 || x2 > 4 || y2 > 4 || shogiOwner(s.squares[x2][y2]) == shogiOwner(piece) {
				break
			}
			do(x2, y2)
			if s.squares[x2][y2] != 0 {
				break
			}
		}
	}
}

func (s *shogi) inCheck(role int) bool {
	found := false
	for x := range 5 {
		for y := range 5 {
			if shogiOwner(s.squares[x][y]) == 1-role {
				s.each(x, y, func(x2, y2 int) { found = found || s.squares[x2][y2]%whitePiece == shogiKing })
			}
		}
	}
	return found
}

func (s *shogi) moves(into []step) []step {
	before := len(into)
	into = s.drops(s.boardMoves(into))
	legal := into[:before]
	for _, m := range into[before:] {
		after := *s
		after.play(m)
		if after.inCheck(s.turn) {
			continue
		}
		if m[0] == shogiDrop && m[1] == shogiPawn && after.inCheck(after.turn) && len(after.moves(nil)) == 0 {
			continue
		}
		legal = append(legal, m)
	}
	return legal
}

func (s *shogi) boardMoves(into []step) []step {
	far := 4 - 4*s.turn
	for x := range 5 {
		for y := range 5 {
			piece := s.squares[x][y]
			if shogiOwner(piece) != s.turn {
				continue
			}
			kind := piece % whitePiece
			s.each(x, y, func(x2, y2 int) {
				m := step{shogiMove, int8(x), int8(y), int8(x2), int8(y2)}
				if kind != shogiPawn || y2 != far {
					into = append(into, m)
				}
				if kind >= shogiSilver && kind <= shogiPawn && (y == far || y2 == far) {
					m[0] = shogiPromote
					into = append(into, m)
				}
			})
		}
	}
	return into
}

func (s *shogi) drops(into []step) []step {
	mine := int8(whitePiece * s.turn)
	for kind, n := range s.hands[s.turn] {
		for x := range 5 {
			hasPawn := false
			for _, piece := range s.squares[x] {
				hasPawn = hasPawn || piece == mine+shogiPawn
			}
			for y := range 5 {
				if n == 0 || s.squares[x][y] != 0 || kind == shogiPawn && (hasPawn || y == 4-4*s.turn) {
					continue
				}
				into = append(into, step{shogiDrop, int8(kind), int8(x), int8(y)})
			}
		}
	}
	return into
}

func (s *shogi) play(m step) {
	if m[0] == shogiDrop {
		s.hands[s.turn][m[1]]--
		s.squares[m[2]][m[3]] = m[1] + int8(whitePiece*s.turn)
	} else {
		piece := s.squares[m[1]][m[2]]
		if m[0] == shogiPromote {
			piece += promoted
		}
		if taken := s.squares[m[3]][m[4]]; taken != 0 {
			s.hands[s.turn][taken%promoted]++
		}
		s.squares[m[1]][m[2]], s.squares[m[3]][m[4]] = 0, piece
	}
	s.turn = 1 - s.turn
	s.made++
}

func (s *shogi) stuck() bool {
	var buffer [256]step
	return len(s.moves(buffer[:0])) == 0
}

func (s *shogi) over() bool { return s.made == 200 || s.stuck() }

func (s *shogi) goal(role int) int {
	if s.stuck() {
		return points(1-s.turn, role)
	}
	return points(-1, role)
}

var shogiNames = [7]string{"", "king", "gold", "silver", "bishop", "rook", "pawn"}

func (s *shogi) name(x, y int8) string { return fmt.Sprintf("%d %c", 5-x, 'e'-y) }

func (s *shogi) spell(m step) string {
	switch m[0] {
	case shogiDrop:
		return "(drop " + shogiNames[m[1]] + " " + s.name(m[2], m[3]) + ")"
	case shogiPromote:
		return "(promote " + s.name(m[1], m[2]) + " " + s.name(m[3], m[4]) + ")"
	}
	return "(move " + s.name(m[1], m[2]) + " " + s.name(m[3], m[4]) + ")"
}

func (s *shogi) fluents() []string {
	all := []string{"(control " + s.roles()[s.turn] + ")", fmt.Sprintf("(moves_made %d)", s.made)}
	for role, name := range s.roles() {
		for kind := shogiGold; kind <= shogiPawn; kind++ {
			all = append(all, fmt.Sprintf("(hand %s %s %d)", name, shogiNames[kind], s.hands[role][kind]))
		}
	}
	for x := range s.squares {
		for y, piece := range s.squares[x] {
			content := "empty"
			if piece != 0 {
				kind := piece % whitePiece
				if kind < promoted {
					content = shogiNames[kind]
				} else {
					content = map[int8]string{shogiSilver: "promoted_silver", shogiBishop: "horse", shogiRook: "dragon", shogiPawn: "tokin"}[kind-promoted]
				}
				content = s.roles()[shogiOwner(piece)] + "_" + content
			}
			all = append(all, "(cell "+s.name(int8(x), int8(y))+" "+content+")")
		}
	}
	return all
}
