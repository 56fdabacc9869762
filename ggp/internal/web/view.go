package web

import (
	"time"

	"semisplit/ggp/board"
	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/player/local"
)

// What pages are told, as JSON. Goals and values are from 0 to 100, times in seconds.

// boardView is a state as it is drawn.
type boardView struct {
	N      int           `json:"n"`
	SVG    string        `json:"svg"`
	Legend []board.Entry `json:"legend"`
	Rest   []string      `json:"rest"`
	Minds  []mindView    `json:"minds,omitempty"` // what was thought there last
}

// stepView is a state that was reached, without its drawing.
type stepView struct {
	N        int        `json:"n"`
	Moves    []string   `json:"moves"` // that led there; none in the initial state
	Targets  [][]string `json:"targets"`
	Faults   []string   `json:"faults,omitempty"`
	Elapsed  []float64  `json:"elapsed,omitempty"`
	Terminal bool       `json:"terminal,omitempty"`
	Goals    []int      `json:"goals,omitempty"`
}

// mindView is what a player thinks of a state.
type mindView struct {
	N          int        `json:"n"`
	Role       int        `json:"role"` // who thinks; -1: an analysis
	Iterations int64      `json:"iterations"`
	PerSecond  float64    `json:"perSecond"`
	Nodes      int        `json:"nodes"`
	Depth      int        `json:"depth"` // of the best line, in joint moves
	Roles      []roleView `json:"roles"`
	Line       []lineView `json:"line"`
}

type roleView struct {
	Value *float64   `json:"value"`
	Low   float64    `json:"low"`
	High  float64    `json:"high"`
	Best  string     `json:"best,omitempty"`
	Moves []moveView `json:"moves,omitempty"`
	Count int        `json:"count,omitempty"` // of legal moves
}

type moveView struct {
	Move    string   `json:"move"`
	Targets []string `json:"targets"`
	Visits  int      `json:"visits"`
	Value   float64  `json:"value"`
}

// lineView is a joint move of a line.
type lineView struct {
	Moves   []string   `json:"moves"`
	Targets [][]string `json:"targets"`
}

// longestMove is how many bytes of a move are shown.
const longestMove = 300

// spell is a move as it is shown, whatever somebody named it.
func spell(t kif.Term) string { return printable.Text(t.Short(longestMove), longestMove) }

func spellAll(terms []kif.Term) []string {
	list := make([]string, len(terms))
	for i, t := range terms {
		list[i] = spell(t)
	}
	return list
}

func targetsOf(p *board.Page, roles []string, moves []kif.Term) [][]string {
	list := make([][]string, len(moves))
	for i, move := range moves {
		if p != nil && i < len(roles) {
			list[i] = p.Targets(roles[i], move)
		}
	}
	return list
}

// longestLine is how many joint moves of a line are shown.
const longestLine = 8

func viewMind(p *board.Page, roles []string, n, who int, m local.Mind) mindView {
	v := mindView{N: n, Role: who, Iterations: int64(m.Iterations), Nodes: m.Nodes, Depth: len(m.Line)}
	if seconds := m.Elapsed.Seconds(); seconds > 0 {
		v.PerSecond = float64(m.Iterations) / seconds
	}
	for role, one := range m.Roles {
		r := roleView{Low: 100 * one.Low, High: 100 * one.High, Count: one.Count}
		if one.Known {
			value := 100 * one.Value
			r.Value = &value
		}
		if one.HasBest {
			r.Best = spell(one.Best)
		}
		for _, move := range one.Moves {
			shown := moveView{Move: spell(move.Move), Visits: move.Visits, Value: 100 * move.Value}
			if p != nil && role < len(roles) {
				shown.Targets = p.Targets(roles[role], move.Move)
			}
			r.Moves = append(r.Moves, shown)
		}
		v.Roles = append(v.Roles, r)
	}
	for _, joint := range m.Line[:min(len(m.Line), longestLine)] {
		v.Line = append(v.Line, lineView{spellAll(joint), targetsOf(p, roles, joint)})
	}
	return v
}

func seconds(list []time.Duration) []float64 {
	out := make([]float64, len(list))
	for i, d := range list {
		out[i] = d.Seconds()
	}
	return out
}
