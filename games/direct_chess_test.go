package games_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Kinds of chess pieces; the black ones are higher by blackPiece.
const (
	noPiece = iota
	king
	queen
	rook
	bishop
	knight
	pawn
	blackPiece = 8
)

// Variants of chess.
const (
	fullChess = iota // kings must not be left to be taken
	kingChess        // who takes the king wins
	skirmish         // who has more pieces after a hundred moves wins
)

// chess: a step is its kind and then columns and rows, with the new piece for
// a promotion; for castling the side, 0 for the king's.
type chess struct {
	variant int
	squares [8][8]int8 // [x][y]
	rights  [2][2]bool // by player and side
	passed  [2]int8    // the square that a pawn has just passed over; -1 for none
	turn    int
	count   int // quiet moves; all moves in skirmish
}

// Kinds of steps.
const (
	plainMove = iota
	promotion
	castling
)

func init() {
	boards["chess"] = func() board { return &chess{variant: fullChess} }
	boards["chesswithoutcheck"] = func() board { return &chess{variant: kingChess} }
	boards["skirmish"] = func() board { return &chess{variant: skirmish} }
}

func (c *chess) roles() [2]string { return [2]string{"white", "black"} }

func (c *chess) start() {
	*c = chess{variant: c.variant, passed: [2]int8{-1, -1}, rights: [2][2]bool{{true, true}, {true, true}}}
	for x, piece := range [8]int8{rook, knight, bishop, queen, king, bishop, knight, rook} {
		c.squares[x] = [8]int8{piece, pawn, 0, 0, 0, 0, blackPiece + pawn, blackPiece + piece}
	}
}

// scatter sets up an ending with some pieces anywhere.
func (c *chess) scatter(random *rand.Rand) {
	for {
		*c = chess{variant: c.variant, passed: [2]int8{-1, -1}, turn: random.IntN(2), count: 60 + random.IntN(40)}
		for range 1 + random.IntN(8) {
			c.squares[random.IntN(8)][1+random.IntN(6)] = int8(queen + random.IntN(5) + blackPiece*random.IntN(2))
		}
		for role := range 2 {
			if random.IntN(2) == 0 {
				c.squares[random.IntN(8)][random.IntN(8)] = int8(king + blackPiece*role)
				continue
			}
			row := 7 * role
			c.squares[4][row] = int8(king + blackPiece*role)
			c.squares[0][row], c.squares[7][row] = int8(rook+blackPiece*role), int8(rook+blackPiece*role)
			c.rights[role] = [2]bool{true, random.IntN(2) == 0}
		}
		if c.kings(0) == 1 && c.kings(1) == 1 && !c.inCheck(1-c.turn) {
			return
		}
	}
}

func (c *chess) mover() int { return c.turn }

func chessKind(piece int8) int8 { return piece % blackPiece }

func chessOwner(piece int8) int {
	if piece == noPiece {
		return -1
	}
	return int(piece / blackPiece)
}

func onBoard(x, y int) bool { return x >= 0 && y >= 0 && x < 8 && y < 8 }

var knightLeaps = [8][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}

// each calls for every square to which the piece on x, y, no pawn, can go.
func (c *chess) each(x, y int, do func(x, y int)) {
	piece := c.squares[x][y]
	ways, reach := eightWays[:], 7
	switch chessKind(piece) {
	case king:
		reach = 1
	case knight:
		ways, reach = knightLeaps[:], 1
	}
	for i, d := range ways {
		if kind := chessKind(piece); kind == rook && i%2 == 1 || kind == bishop && i%2 == 0 {
			continue
		}
		for n := 1; n <= reach; n++ {
			x2, y2 := x+n*d[0], y+n*d[1]
			if !onBoard(x2, y2) || chessOwner(c.squares[x2][y2]) == chessOwner(piece) {
				break
			}
			do(x2, y2)
			if c.squares[x2][y2] != noPiece {
				break
			}
		}
	}
}

// attacked says whether a player could take on a square, which holds a piece
// of the other player or none.
func (c *chess) attacked(by, x, y int) bool {
	forward := 1 - 2*by
	for fromX := range 8 {
		for fromY := range 8 {
			piece := c.squares[fromX][fromY]
			if chessOwner(piece) != by {
				continue
			}
			if chessKind(piece) == pawn {
				if fromY+forward == y && (fromX-x == 1 || x-fromX == 1) {
					return true
				}
				continue
			}
			found := false
			c.each(fromX, fromY, func(x2, y2 int) { found = found || x2 == x && y2 == y })
			if found {
				return true
			}
		}
	}
	return false
}

func (c *chess) inCheck(role int) bool {
	for x := range 8 {
		for y := range 8 {
			if piece := c.squares[x][y]; chessOwner(piece) == role && chessKind(piece) == king {
				return c.attacked(1-role, x, y)
			}
		}
	}
	return false
}

func (c *chess) moves(into []step) []step {
	before := len(into)
	for x := range 8 {
		for y := range 8 {
			piece := c.squares[x][y]
			switch {
			case chessOwner(piece) != c.turn:
			case chessKind(piece) == pawn:
				into = c.pawnMoves(into, x, y)
			default:
				c.each(x, y, func(x2, y2 int) {
					into = append(into, step{plainMove, int8(x), int8(y), int8(x2), int8(y2)})
				})
			}
		}
	}
	into = c.castlings(into)
	if c.variant != fullChess {
		return into
	}
	legal := into[:before]
	for _, s := range into[before:] {
		after := *c
		after.play(s)
		if !after.inCheck(c.turn) {
			legal = append(legal, s)
		}
	}
	return legal
}

func (c *chess) pawnMoves(into []step, x, y int) []step {
	forward, first, last := 1, 1, 7
	if c.turn == 1 {
		forward, first, last = -1, 6, 0
	}
	add := func(x2, y2 int) {
		if y2 != last {
			into = append(into, step{plainMove, int8(x), int8(y), int8(x2), int8(y2)})
			return
		}
		for _, kind := range []int8{queen, rook, bishop, knight} {
			into = append(into, step{promotion, int8(x), int8(y), int8(x2), int8(y2), kind})
		}
	}
	if c.squares[x][y+forward] == noPiece {
		add(x, y+forward)
		if y == first && c.squares[x][y+2*forward] == noPiece {
			add(x, y+2*forward)
		}
	}
	for _, x2 := range []int{x - 1, x + 1} {
		if !onBoard(x2, y+forward) {
			continue
		}
		if chessOwner(c.squares[x2][y+forward]) == 1-c.turn || c.passed == [2]int8{int8(x2), int8(y + forward)} {
			add(x2, y+forward)
		}
	}
	return into
}

func (c *chess) castlings(into []step) []step {
	row := 7 * c.turn
	for side, between := range [2][]int{{5, 6}, {3, 2, 1}} {
		if !c.rights[c.turn][side] {
			continue
		}
		free := true
		for _, x := range between {
			free = free && c.squares[x][row] == noPiece
		}
		if free && c.variant == fullChess {
			for _, x := range []int{4, between[0], between[1]} {
				free = free && !c.attacked(1-c.turn, x, row)
			}
		}
		if free {
			into = append(into, step{castling, int8(side)})
		}
	}
	return into
}

func (c *chess) play(s step) {
	c.count++
	passed := c.passed
	c.passed = [2]int8{-1, -1}
	if s[0] == castling {
		row := 7 * c.turn
		rookFrom, rookTo, kingTo := 7, 5, 6
		if s[1] == 1 {
			rookFrom, rookTo, kingTo = 0, 3, 2
		}
		c.squares[kingTo][row], c.squares[rookTo][row] = c.squares[4][row], c.squares[rookFrom][row]
		c.squares[4][row], c.squares[rookFrom][row] = noPiece, noPiece
		c.rights[c.turn] = [2]bool{}
		c.turn = 1 - c.turn
		return
	}
	x, y, x2, y2 := s[1], s[2], s[3], s[4]
	piece := c.squares[x][y]
	if c.variant != skirmish && (chessKind(piece) == pawn || c.squares[x2][y2] != noPiece) {
		c.count = 0
	}
	if chessKind(piece) == pawn {
		if passed == [2]int8{x2, y2} {
			c.squares[x2][y] = noPiece
		}
		if y2-y == 2 || y-y2 == 2 {
			c.passed = [2]int8{x, (y + y2) / 2}
		}
	}
	if s[0] == promotion {
		piece = s[5] + int8(blackPiece*c.turn)
	}
	c.squares[x][y], c.squares[x2][y2] = noPiece, piece
	for role := range 2 {
		for side, rookX := range []int8{7, 0} {
			home := [][2]int8{{4, int8(7 * role)}, {rookX, int8(7 * role)}}
			if slices.Contains(home, [2]int8{x, y}) || slices.Contains(home, [2]int8{x2, y2}) {
				c.rights[role][side] = false
			}
		}
	}
	c.turn = 1 - c.turn
}

// pieces counts a player's pieces, kings a player's kings.
func (c *chess) pieces(role int) int { return c.number(role, false) }

func (c *chess) kings(role int) int { return c.number(role, true) }

func (c *chess) number(role int, onlyKings bool) int {
	n := 0
	for x := range 8 {
		for _, piece := range c.squares[x] {
			if chessOwner(piece) == role && (!onlyKings || chessKind(piece) == king) {
				n++
			}
		}
	}
	return n
}

func (c *chess) stuck() bool {
	var buffer [256]step
	return len(c.moves(buffer[:0])) == 0
}

func (c *chess) over() bool {
	return c.count == 100 || c.variant == kingChess && c.kings(c.turn) == 0 || c.stuck()
}

func (c *chess) goal(role int) int {
	winner := -1
	switch c.variant {
	case fullChess:
		if c.stuck() && c.inCheck(c.turn) {
			winner = 1 - c.turn
		}
	case kingChess:
		if c.kings(c.turn) == 0 {
			winner = 1 - c.turn
		}
	case skirmish:
		if white, black := c.pieces(0), c.pieces(1); white > black {
			winner = 0
		} else if black > white {
			winner = 1
		}
	}
	return points(winner, role)
}

func (c *chess) spell(s step) string {
	kinds := []string{"", "king", "queen", "rook", "bishop", "knight", "pawn"}
	switch s[0] {
	case castling:
		return "(castle " + []string{"kingside", "queenside"}[s[1]] + ")"
	case promotion:
		return "(promote " + square(s[1], s[2]) + " " + square(s[3], s[4]) + " " + kinds[s[5]] + ")"
	}
	return "(move " + square(s[1], s[2]) + " " + square(s[3], s[4]) + ")"
}

func (c *chess) fluents() []string {
	counter := "quiet_moves"
	if c.variant == skirmish {
		counter = "moves_made"
	}
	all := []string{"(control " + c.roles()[c.turn] + ")", fmt.Sprintf("(%s %d)", counter, c.count)}
	for role, name := range c.roles() {
		for side, word := range []string{"kingside", "queenside"} {
			if c.rights[role][side] {
				all = append(all, "(may_castle "+name+" "+word+")")
			}
		}
	}
	if c.passed[0] >= 0 {
		all = append(all, "(en_passant "+square(c.passed[0], c.passed[1])+")")
	}
	for x := range 8 {
		for y, piece := range c.squares[x] {
			content := "empty"
			if piece != noPiece {
				content = string("wb"[chessOwner(piece)]) + string("-kqrbnp"[chessKind(piece)])
			}
			all = append(all, "(cell "+square(x, y)+" "+content+")")
		}
	}
	return all
}
