package games_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

func init() { directs["chinesecheckers3"] = func() direct { return newStar() } }

// hole is a place on the star: how far it is from the middle to the right and
// down, and the third coordinate that makes their sum 0. The points of the star
// have a coordinate beyond 2 or -2.
type hole struct{ right, down, slant int }

func (h hole) plus(d hole, times int) hole {
	return hole{h.right + times*d.right, h.down + times*d.down, h.slant + times*d.slant}
}

func (h hole) String() string { return square(h.right+4, h.down+4) }

// starHoles are the union of two large triangles.
var starHoles = func() (all []hole) {
	for right := -4; right <= 4; right++ {
		for down := -4; down <= 4; down++ {
			slant := -right - down
			if max(right, down, slant) <= 2 || min(right, down, slant) >= -2 {
				all = append(all, hole{right, down, slant})
			}
		}
	}
	return all
}()

// home says whether a hole is in the point from which a role's pieces come,
// target in the one to which they go.
func (h hole) home(role int) bool   { return []int{-h.down, -h.slant, -h.right}[role] > 2 }
func (h hole) target(role int) bool { return []int{h.down, h.slant, h.right}[role] > 2 }
func (h hole) middle() bool         { return max(h.right, h.down, h.slant, -h.right, -h.down, -h.slant) <= 2 }

// star is Chinese Checkers for three.
type star struct {
	pieces map[hole]int // owners from 0
	turn   int
	turns  int
	chain  []hole // where the piece that hops has been in this turn, now last
}

func newStar() *star {
	s := &star{pieces: map[hole]int{}}
	for role := range 3 {
		for _, h := range starHoles {
			if h.home(role) {
				s.pieces[h] = role
			}
		}
	}
	return s
}

// scatter puts pieces anywhere, red's often where they want to go. Sometimes red
// is shut in by more pieces than there are in a match, which has to pass then.
func (s *star) scatter(random *rand.Rand) {
	*s = star{pieces: map[hole]int{}, turns: 30 + random.IntN(25)}
	s.turn = s.turns % 3
	if random.IntN(4) == 0 {
		for i, h := range starHoles {
			if h.home(0) {
				s.pieces[h] = 0
			} else if h.middle() && h.down < 0 {
				s.pieces[h] = 1 + i%2
			}
		}
		return
	}
	for role := range 3 {
		for placed := 0; placed < 3; {
			h := starHoles[random.IntN(len(starHoles))]
			allowed := h.middle() || h.home(role) || h.target(role)
			if role == 0 {
				allowed = h.target(0) || h.middle() && h.down > 0
			}
			if _, taken := s.pieces[h]; allowed && !taken {
				s.pieces[h] = role
				placed++
			}
		}
	}
	if s.terminal() {
		s.scatter(random)
	}
}

func (s *star) roles() []string { return []string{"red", "green", "blue"} }

func (s *star) arrived(role int) int {
	n := 0
	for h, owner := range s.pieces {
		if owner == role && h.target(role) {
			n++
		}
	}
	return n
}

func (s *star) fluents() []string {
	all := []string{"(control " + s.roles()[s.turn] + ")", fmt.Sprintf("(turns %d)", s.turns)}
	for role, who := range s.roles() {
		all = append(all, fmt.Sprintf("(arrived %s %d)", who, s.arrived(role)))
	}
	for _, h := range starHoles {
		content := "empty"
		if owner, taken := s.pieces[h]; taken {
			content = s.roles()[owner]
		}
		all = append(all, fmt.Sprintf("(cell %v %s)", h, content))
	}
	for i, h := range s.chain {
		if i < len(s.chain)-1 {
			all = append(all, fmt.Sprintf("(been %v)", h))
		} else {
			all = append(all, fmt.Sprintf("(hopping %v)", h))
		}
	}
	return all
}

// starMove is what a move of a piece is: a step, or a hop of two holes.
type starMove struct {
	from, to hole
	hop      bool
}

func (m starMove) String() string {
	return fmt.Sprintf("(%s %v %v)", map[bool]string{false: "step", true: "hop"}[m.hop], m.from, m.to)
}

func (s *star) pieceMoves() []starMove {
	var all []starMove
	for from, owner := range s.pieces {
		if owner != s.turn || len(s.chain) > 0 && s.chain[len(s.chain)-1] != from {
			continue
		}
		for _, d := range []hole{{1, 0, -1}, {-1, 0, 1}, {0, 1, -1}, {0, -1, 1}, {1, -1, 0}, {-1, 1, 0}} {
			m := starMove{from: from, to: from.plus(d, 1)}
			if _, m.hop = s.pieces[m.to]; m.hop {
				m.to = from.plus(d, 2)
			}
			if s.mayEnter(m) && (m.hop || len(s.chain) == 0) {
				all = append(all, m)
			}
		}
	}
	return all
}

func (s *star) mayEnter(m starMove) bool {
	_, taken := s.pieces[m.to]
	if taken || !slices.Contains(starHoles, m.to) || slices.Contains(s.chain, m.to) {
		return false
	}
	if m.from.target(s.turn) {
		return m.to.target(s.turn)
	}
	return m.to.middle() || m.to.home(s.turn) || m.to.target(s.turn)
}

func (s *star) legal(role int) []string {
	if role != s.turn {
		return []string{"noop"}
	}
	var all []string
	for _, m := range s.pieceMoves() {
		all = append(all, m.String())
	}
	switch {
	case len(s.chain) > 0:
		all = append(all, "stop")
	case len(all) == 0:
		all = append(all, "pass")
	}
	return all
}

func (s *star) play(joint []string) {
	moves := s.pieceMoves()
	i := slices.IndexFunc(moves, func(m starMove) bool { return m.String() == joint[s.turn] })
	if i >= 0 {
		m := moves[i]
		delete(s.pieces, m.from)
		s.pieces[m.to] = s.turn
		if m.hop {
			if len(s.chain) == 0 {
				s.chain = []hole{m.from}
			}
			s.chain = append(s.chain, m.to)
			return
		}
	}
	s.chain = nil
	s.turn = (s.turn + 1) % 3
	s.turns++
}

func (s *star) terminal() bool {
	return s.turns == 60 || s.arrived(0) == 3 || s.arrived(1) == 3 || s.arrived(2) == 3
}

func (s *star) goal(role int) int {
	if n := s.arrived(role); n < 3 {
		return 30 * n
	}
	return 100
}
