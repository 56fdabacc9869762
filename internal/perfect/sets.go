package perfect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"semisplit/internal/strictjson"
)

// Position is one where a mistake is possible: some moves keep what best play
// brings, and others don't.
type Position struct {
	Moves    []string `json:"moves"`    // from the initial state, of who moves; the others have no choice
	Keep     []string `json:"keep"`     // the moves that keep the value
	Value    int      `json:"value"`    // the mover's goal with best play, 0 to 100
	Distance int      `json:"distance"` // of the end, with best play: see Outcome
}

// Set is a file of positions.
type Set struct {
	Game      string     `json:"game"`  // a bundled name, or a path
	About     string     `json:"about"` // for people
	Positions []Position `json:"positions"`
}

// JSON is the set with a line for each position.
func (s Set) JSON() ([]byte, error) {
	var text bytes.Buffer
	fmt.Fprintf(&text, "{\n\"game\": %q,\n\"about\": %q,\n\"positions\": [", s.Game, s.About)
	for i, p := range s.Positions {
		line, err := json.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("position %d: %w", i+1, err)
		}
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, "\n%s", line)
	}
	text.WriteString("\n]\n}\n")
	return text.Bytes(), nil
}

// mostBytes bounds the file of a set.
const mostBytes = 16 << 20

// Read reads a set. Whether its moves are legal is not looked at.
func Read(name string) (Set, error) {
	file, err := os.Open(name)
	if err != nil {
		return Set{}, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostBytes+1))
	if err != nil {
		return Set{}, err
	}
	if len(text) > mostBytes {
		return Set{}, fmt.Errorf("a set of positions has at most %d bytes", mostBytes)
	}
	var set Set
	if err := strictjson.Decode(text, &set); err != nil {
		return Set{}, err
	}
	if len(set.Positions) == 0 {
		return Set{}, errors.New("no positions")
	}
	for i, p := range set.Positions {
		if len(p.Keep) == 0 {
			return Set{}, fmt.Errorf("position %d: no move keeps the value", i+1)
		}
	}
	return set, nil
}

// Spec says how a set is made: by matches at random, in which nobody plays a move that he
// can see to lose, or of plain searches, each until it meets a position of the kind.
type Spec struct {
	Name        string // of the file, without its ending
	Game        string
	About       string // what Distance counts, and what is special
	New         func() Game
	From, To    int // moves before the position
	Least, Most int // distance of the end
	Keeping     int // moves that keep the value, at most; 0: all but one
	Glance      int // nodes of a first look, for what is seen to lose; 0: none
	Playouts    int // of the searches that play the matches, after the first moves; 0: none
	Nodes       int // for the search of a position that is promising
}

// Specs are those of all sets, in the order of their names.
var Specs = []Spec{
	{Name: "breakthrough", Game: "breakthrough", About: "forced wins; distance: moves of both to the win", New: func() Game { return newForced(newBreakthrough(8, 8), 20) },
		From: 30, To: 80, Least: 7, Most: 15, Glance: 20_000, Nodes: 400_000},
	{Name: "connectfour", Game: "connectfour", About: "distance: moves to the end", New: func() Game { return newConnectFour(7, 6, 22) },
		From: 8, To: 36, Least: 3, Most: 34, Glance: 3_000, Nodes: 1_000_000},
	{Name: "connectfour-early", Game: "connectfour", About: "early: who wins, not how soon, and few moves keep it; distance: free places", New: func() Game { return newCoarseConnectFour(7, 6, 24) },
		From: 10, To: 16, Least: 27, Most: 32, Keeping: 2, Playouts: 3_000, Nodes: 20_000_000},
	{Name: "dotsandboxes", Game: "dotsandboxes", About: "distance: open lines", New: func() Game { return newPoints(newDots(4, 4), 20) },
		From: 18, To: 34, Least: 6, Most: 20, Nodes: 5_000_000},
	{Name: "kalah", Game: "kalah", About: "distance: stones in houses", New: func() Game { return newPoints(&kalah{6, 4}, 20) },
		From: 12, To: 80, Least: 6, Most: 24, Nodes: 300_000},
	{Name: "knightthrough", Game: "knightthrough", About: "forced wins; distance: moves of both to the win", New: func() Game { return newForced(newKnightthrough(8, 8), 20) },
		From: 14, To: 30, Least: 7, Most: 15, Glance: 20_000, Nodes: 400_000},
	{Name: "othello", Game: "othello", About: "distance: empty squares", New: func() Game { return newPoints(newOthello(8), 20) },
		From: 48, To: 56, Least: 8, Most: 12, Nodes: 2_000_000},
	{Name: "pentago", Game: "pentago", About: "distance: moves to the end", New: func() Game { return newForced(newPentago(), 20) },
		From: 14, To: 32, Least: 2, Most: 7, Glance: 1_000, Nodes: 200_000},
}

// randomMoves are the first of a match, even if searches play it: no two are alike.
const randomMoves = 4

// Make makes positions until yield, which is given each, is content. They are
// the same for the same seed. Of one distance there is not much more than a third.
func (s Spec) Make(seed uint64, yield func(Position) bool) {
	random := rand.New(rand.NewPCG(seed, 0))
	g := s.New()
	distances, seen := map[int]int{}, map[string]bool{}
	for {
		p, ok := s.walk(g, random, func(distance int) bool { return distances[distance] < 3+len(seen)/3 })
		if line := fmt.Sprint(p.Moves); ok && !seen[line] {
			seen[line] = true
			distances[p.Distance]++
			if !yield(p) {
				return
			}
		}
	}
}

// walk plays a match until it meets a position of a distance that is wanted.
func (s Spec) walk(g Game, random *rand.Rand, wanted func(distance int) bool) (Position, bool) {
	var p Position
	g.Start()
	for first := s.From + random.IntN(s.To-s.From); len(p.Moves) < s.To && len(g.Moves()) > 0; {
		moves := g.Moves()
		outcomes := make([]Outcome, len(moves))
		if len(p.Moves) >= s.From && s.Glance > 0 {
			outcomes = g.Solve(s.Glance)
		}
		if len(p.Moves) >= first && (s.Glance == 0 || promising(outcomes)) {
			outcomes = g.Solve(s.Nodes)
			if s.judge(&p, moves, outcomes) && wanted(p.Distance) {
				return p, true
			}
		}
		move := 0
		if s.Playouts > 0 && len(p.Moves) >= randomMoves {
			move = g.Choose(s.Playouts, random)
		} else {
			move = sensible(outcomes, random)
		}
		p.Moves = append(p.Moves, moves[move])
		g.Play(move)
	}
	return p, false
}

// promising tells whether a first look knows a move that wins, or a third of all.
func promising(outcomes []Outcome) bool {
	known := 0
	for _, o := range outcomes {
		if o.Value > 0 {
			return true
		}
		if o.Known {
			known++
		}
	}
	return 3*known >= len(outcomes)
}

// sensible is a random move, of those that are not seen to lose if there are any.
func sensible(outcomes []Outcome, random *rand.Rand) int {
	var safe []int
	for i, o := range outcomes {
		if !o.Known || o.Value >= 0 {
			safe = append(safe, i)
		}
	}
	if len(safe) == 0 {
		return random.IntN(len(outcomes))
	}
	return safe[random.IntN(len(safe))]
}

// judge tells whether a position is one of the spec, and what it is worth.
func (s Spec) judge(p *Position, moves []string, outcomes []Outcome) bool {
	value := -1
	for _, o := range outcomes {
		if !o.Known {
			return false
		}
		value = max(value, o.Value)
	}
	p.Value, p.Distance, p.Keep = 50+50*value, 0, nil
	for i, o := range outcomes {
		if o.Value != value {
			continue
		}
		p.Keep = append(p.Keep, moves[i])
		if p.Distance == 0 || value > 0 && o.Distance < p.Distance || value < 0 && o.Distance > p.Distance {
			p.Distance = o.Distance
		}
	}
	if s.Keeping > 0 && len(p.Keep) > s.Keeping {
		return false
	}
	return len(p.Keep) < len(moves) && p.Distance >= s.Least && p.Distance <= s.Most
}
