package local_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/player/local"
	"semisplit/reasoner"
)

// connectThree is Connect Four on four columns of four places with lines of
// three. A move names the column and the row, so that it can be split.
const connectThree = `
(role red) (role yellow)
(index 1) (index 2) (index 3) (index 4)
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (init (cell ?x ?y empty)) (index ?x) (index ?y))
(init (control red))

(<= (lowest ?x 1) (true (cell ?x 1 empty)))
(<= (lowest ?x ?y) (true (cell ?x ?y empty)) (succ ?below ?y) (not (true (cell ?x ?below empty))))
(<= (legal ?role (drop ?x ?y)) (true (control ?role)) (lowest ?x ?y))
(<= (legal red noop) (true (control yellow)))
(<= (legal yellow noop) (true (control red)))

(<= (filled ?x ?y) (does ?role (drop ?x ?y)))
(<= (next (cell ?x ?y ?role)) (does ?role (drop ?x ?y)))
(<= (next (cell ?x ?y ?content)) (true (cell ?x ?y ?content)) (not (filled ?x ?y)))
(<= (next (control red)) (true (control yellow)))
(<= (next (control yellow)) (true (control red)))

(<= (toward across ?x ?y ?x2 ?y) (succ ?x ?x2) (index ?y))
(<= (toward up ?x ?y ?x ?y2) (index ?x) (succ ?y ?y2))
(<= (toward rising ?x ?y ?x2 ?y2) (succ ?x ?x2) (succ ?y ?y2))
(<= (toward falling ?x ?y ?x2 ?y2) (succ ?x ?x2) (succ ?y2 ?y))
(<= (three ?role)
    (role ?role)
    (true (cell ?x1 ?y1 ?role)) (toward ?d ?x1 ?y1 ?x2 ?y2)
    (true (cell ?x2 ?y2 ?role)) (toward ?d ?x2 ?y2 ?x3 ?y3)
    (true (cell ?x3 ?y3 ?role)))
(<= decided (three ?role))
(<= open (true (cell ?x 4 empty)))
(<= terminal decided)
(<= terminal (not open))
(<= (goal ?role 100) (three ?role))
(<= (goal ?role 50) (role ?role) (not decided))
(<= (goal red 0) (three yellow))
(<= (goal yellow 0) (three red))
`

// hexapawn is played with three pawns each on three by three squares, which
// move and capture like pawns of chess. Who reaches the last row or leaves the
// other without a move wins. A square and another one make a move, and a pawn
// that cannot move makes a prefix that leads nowhere.
const hexapawn = `
(role white) (role black)
(other white black) (other black white)
(index 1) (index 2) (index 3)
(near 1 2) (near 2 1) (near 2 3) (near 3 2)
(ahead white 1 2) (ahead white 2 3) (ahead black 3 2) (ahead black 2 1)
(last white 3) (last black 1)
(<= (init (cell ?x 1 white)) (index ?x))
(<= (init (cell ?x 2 empty)) (index ?x))
(<= (init (cell ?x 3 black)) (index ?x))
(init (control white))

(<= (can ?role ?x ?y ?x ?y2) (true (cell ?x ?y ?role)) (ahead ?role ?y ?y2) (true (cell ?x ?y2 empty)))
(<= (can ?role ?x ?y ?x2 ?y2)
    (true (cell ?x ?y ?role)) (ahead ?role ?y ?y2) (near ?x ?x2) (other ?role ?enemy) (true (cell ?x2 ?y2 ?enemy)))
(<= (legal ?role (move ?x ?y ?x2 ?y2)) (true (control ?role)) (can ?role ?x ?y ?x2 ?y2))
(<= (legal ?role noop) (other ?role ?enemy) (true (control ?enemy)))

(<= (touched ?x ?y) (does ?role (move ?x ?y ?x2 ?y2)))
(<= (touched ?x2 ?y2) (does ?role (move ?x ?y ?x2 ?y2)))
(<= (next (cell ?x ?y empty)) (does ?role (move ?x ?y ?x2 ?y2)))
(<= (next (cell ?x2 ?y2 ?role)) (does ?role (move ?x ?y ?x2 ?y2)))
(<= (next (cell ?x ?y ?content)) (true (cell ?x ?y ?content)) (not (touched ?x ?y)))
(<= (next (control ?enemy)) (other ?role ?enemy) (true (control ?role)))

(<= (mobile ?role) (can ?role ?x ?y ?x2 ?y2))
(<= (wins ?role) (last ?role ?y) (true (cell ?x ?y ?role)))
(<= (wins ?role) (other ?role ?enemy) (true (control ?enemy)) (not (mobile ?enemy)))
(<= terminal (wins ?role))
(<= (goal ?role 100) (wins ?role))
(<= (goal ?role 0) (other ?role ?enemy) (wins ?enemy))
`

// matrixGame is a game of one turn, in which both roles choose one of four at
// the same time. Entry [i][j] is the goals of row and column. Action i is the
// move (pick i/2 i%2), so that it can be split.
func matrixGame(entries [4][4][2]int) string {
	var b strings.Builder
	b.WriteString(`
(role row) (role column)
(bit 0) (bit 1)
(init open)
(<= (legal ?role (pick ?a ?b)) (role ?role) (true open) (bit ?a) (bit ?b))
(<= (next (picked ?role ?a ?b)) (does ?role (pick ?a ?b)))
(<= terminal (not (true open)))
(<= (goal row ?v) (true (picked row ?a ?b)) (true (picked column ?c ?d)) (pays ?a ?b ?c ?d ?v ?w))
(<= (goal column ?w) (true (picked row ?a ?b)) (true (picked column ?c ?d)) (pays ?a ?b ?c ?d ?v ?w))
`)
	for i, line := range entries {
		for j, goals := range line {
			fmt.Fprintf(&b, "(pays %d %d %d %d %d %d)\n", i/2, i%2, j/2, j%2, goals[0], goals[1])
		}
	}
	return b.String()
}

// zeroSum gives the column what the row does not get.
func zeroSum(row [4][4]int) (entries [4][4][2]int) {
	for i, line := range row {
		for j, v := range line {
			entries[i][j] = [2]int{v, 100 - v}
		}
	}
	return entries
}

// solver finds the goals of positions of turn-taking games under best play, by
// trying everything. Of several moves that are best for a role it does not
// matter which is taken: the games are of two roles and constant sum.
type solver struct {
	machine reasoner.Machine
	engine  reasoner.Engine
	known   map[string][]float64 // goals in [0, 1], by state
}

func newSolver(m reasoner.Machine) *solver {
	return &solver{m, m.NewEngine(1), map[string][]float64{}}
}

// successor is a position after a joint move.
type successor struct {
	joint []uint32
	state []uint64
	goals []float64 // nil: the game goes on
	moves [][]uint32
}

// open looks at a position.
func (s *solver) open(t *testing.T, state []uint64) successor {
	t.Helper()
	return s.after(t, state, [][]uint32{nil})[0]
}

// after plays joint moves from a state, each in a lane of its own.
func (s *solver) after(t *testing.T, state []uint64, joints [][]uint32) (all []successor) {
	t.Helper()
	for lane := range s.engine.Lanes() {
		s.engine.Unload(lane)
		if lane < len(joints) {
			s.engine.Load(lane, state, joints[lane])
		}
	}
	ended, err := s.engine.Step(new(atomic.Bool))
	if err != nil || len(joints) > s.engine.Lanes() {
		t.Fatal(len(joints), err)
	}
	for lane, joint := range joints {
		next := successor{joint: joint, state: s.engine.State(lane, nil)}
		if ended[lane/64]>>(lane%64)&1 != 0 {
			next.goals = make([]float64, len(s.machine.Roles()))
			s.engine.Goals(lane, next.goals)
		} else {
			for role := range s.machine.Roles() {
				next.moves = append(next.moves, s.engine.Offers(lane, role, nil, nil))
			}
		}
		all = append(all, next)
	}
	return all
}

// choices are the joint moves of a position, and the role that has a choice.
func (p successor) choices(t *testing.T) (role int, joints [][]uint32) {
	t.Helper()
	for r, moves := range p.moves {
		if len(moves) > 1 {
			if r != role && len(p.moves[role]) > 1 {
				t.Fatal("two roles have a choice")
			}
			role = r
		}
	}
	for _, move := range p.moves[role] {
		joint := make([]uint32, len(p.moves))
		for r, moves := range p.moves {
			joint[r] = moves[0]
		}
		joint[role] = move
		joints = append(joints, joint)
	}
	return role, joints
}

// value is the goals that best play from a position leads to.
func (s *solver) value(t *testing.T, p successor) []float64 {
	if p.goals != nil {
		return p.goals
	}
	var key []byte
	for _, word := range p.state {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	if known, ok := s.known[string(key)]; ok {
		return known
	}
	role, joints := p.choices(t)
	var best []float64
	for _, next := range s.after(t, p.state, joints) {
		if v := s.value(t, next); best == nil || v[role] > best[role] {
			best = v
		}
	}
	s.known[string(key)] = best
	return best
}

// solve follows moves from the start and tells what best play comes to there.
func (s *solver) solve(t *testing.T, opening []string) *known {
	t.Helper()
	p := s.open(t, s.machine.Initial())
	for _, move := range opening {
		role, joints := p.choices(t)
		i := slices.IndexFunc(joints, func(joint []uint32) bool { return s.spell(role, joint) == move })
		if i < 0 {
			t.Fatalf("%s is not legal", move)
		}
		p = s.after(t, p.state, joints[i:i+1])[0]
	}
	role, joints := p.choices(t)
	k := &known{value: s.value(t, p), role: role}
	for _, next := range s.after(t, p.state, joints) {
		if s.value(t, next)[role] == k.value[role] {
			k.best = append(k.best, s.spell(role, next.joint))
		}
	}
	return k
}

// spell is the move of a role in a joint move.
func (s *solver) spell(role int, joint []uint32) string {
	return s.machine.Move(role, joint[role:role+1]).String()
}

// follow plays moves of whoever has the choice for a brain.
func follow(t *testing.T, b *local.Player, m reasoner.Machine, opening []string) {
	t.Helper()
	judge, err := board.New(m, 1, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range opening {
		joint := make([]kif.Term, len(m.Roles()))
		for role := range joint {
			if joint[role] = judge.Moves(role)[0]; judge.HasChoice(role) {
				var err error
				if joint[role], err = kif.ParseTerm(text); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := b.Advance(joint); err != nil {
			t.Fatal(err)
		}
		if err := judge.Play(joint); err != nil {
			t.Fatal(err)
		}
	}
}
