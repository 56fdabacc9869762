// Package berlin is a test domain for searches of combinatorial moves: conquest on a graph
// by two sides that move at once, without chance (J. Roelofs, Action Space Representation in
// Combinatorial Multi-Armed Bandits, 2015, section 2.2).
//
// Each turn a side sends any part of its soldiers on a node along the links from there. On
// each node all soldiers of the side with more stand against those of the other: the
// difference survives, and the node is theirs; equal numbers leave it empty to whom it
// belonged. Then nodes give soldiers to their owners. After the last turn whoever owns more
// points wins.
package berlin

import (
	"embed"
	"fmt"
	"slices"

	"semisplit/internal/strictjson"
)

// Sides is the number of players.
const Sides = 2

// Limits of a map.
const (
	mostNodes = 100
	mostLinks = 6 // from a node
	mostTurns = 1000
	mostGift  = 10 // soldiers and points of a node
	mostText  = 1 << 16
)

// Map is a graph to play on, and how a match on it begins.
type Map struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	Turns int    `json:"turns"` // of a match
	Nodes []Node `json:"nodes"`

	// Links are pairs of names of nodes; soldiers go both ways.
	Links [][2]string `json:"links"`

	next     [][]int     // by node: where its links lead
	distance [][]float64 // between nodes, in turns
	prizes   []int       // nodes that the heuristic wants
	near     [][]float64 // what they are worth, by node and prize
}

// Node is a place of a map.
type Node struct {
	Name     string `json:"name"`
	Points   int    `json:"points"`   // for its owner at the end
	Gift     int    `json:"gift"`     // soldiers for its owner after each turn
	Owner    int    `json:"owner"`    // at first: 1 or 2; 0: nobody
	Soldiers int    `json:"soldiers"` // at first
}

//go:embed maps
var maps embed.FS

// Load reads a map that comes with the package.
func Load(name string) (*Map, error) {
	text, err := maps.ReadFile("maps/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("berlin: there is no map %q", name)
	}
	return Parse(text)
}

// Parse reads a map in JSON.
func Parse(text []byte) (*Map, error) {
	m := new(Map)
	if len(text) > mostText {
		return nil, fmt.Errorf("berlin: a map has %d bytes at most", mostText)
	}
	if err := strictjson.Decode(text, m); err != nil {
		return nil, fmt.Errorf("berlin: %w", err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("berlin: map %q: %w", m.Name, err)
	}
	m.measure()
	m.seek()
	return m, nil
}

// check tells what is wrong with a map, and finds where links lead.
func (m *Map) check() error {
	if len(m.Nodes) < 2 || len(m.Nodes) > mostNodes {
		return fmt.Errorf("it has %d nodes, not 2 to %d", len(m.Nodes), mostNodes)
	}
	if m.Turns < 1 || m.Turns > mostTurns {
		return fmt.Errorf("it has %d turns, not 1 to %d", m.Turns, mostTurns)
	}
	named := map[string]int{}
	for i, n := range m.Nodes {
		if _, ok := named[n.Name]; ok || n.Name == "" {
			return fmt.Errorf("node %d has the name %q, which is another's or none", i, n.Name)
		}
		named[n.Name] = i
		if min(n.Points, n.Gift, n.Soldiers, n.Owner) < 0 || max(n.Points, n.Gift, n.Soldiers) > mostGift || n.Owner > Sides || n.Owner == 0 && n.Soldiers > 0 {
			return fmt.Errorf("node %q: points, gift and soldiers are from 0 to %d, the owner is from 0 to %d, and nobody's nodes are empty", n.Name, mostGift, Sides)
		}
	}
	m.next = make([][]int, len(m.Nodes))
	for _, link := range m.Links {
		a, okA := named[link[0]]
		b, okB := named[link[1]]
		if !okA || !okB || a == b || slices.Contains(m.next[a], b) {
			return fmt.Errorf("the link from %q to %q does not join two nodes, or stands twice", link[0], link[1])
		}
		m.next[a], m.next[b] = append(m.next[a], b), append(m.next[b], a)
	}
	for i, next := range m.next {
		if len(next) > mostLinks {
			return fmt.Errorf("node %q has %d links, more than %d", m.Nodes[i].Name, len(next), mostLinks)
		}
		slices.Sort(next)
	}
	return nil
}

// measure finds the distances; between nodes that no way joins, more than any.
func (m *Map) measure() {
	m.distance = make([][]float64, len(m.Nodes))
	for i := range m.Nodes {
		d := make([]float64, len(m.Nodes))
		for j := range d {
			d[j] = float64(2 * len(m.Nodes))
		}
		d[i] = 0
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			for _, j := range m.next[queue[0]] {
				if d[j] > d[queue[0]]+1 {
					d[j] = d[queue[0]] + 1
					queue = append(queue, j)
				}
			}
		}
		m.distance[i] = d
	}
}
