package stats

import (
	"unsafe"

	"semisplit/search/tree"
)

// Grave are the parameters of Generalized Rapid Action Value Estimation (T. Cazenave,
// Generalized Rapid Action Value Estimation, 2015): a semimove is valued by the iterations
// in which it was played at a node or later, the last node on the path that has been visited
// often enough, as long as it has few visits itself. Semimoves that were never tried are
// valued as well.
type Grave struct {
	Reference uint32  // visits from which on a node's statistics count, which begin at half of them; 0: none do
	Bias      float64 // how soon they count less: see tree.Mix
}

// DefaultGrave are the usual parameters; others are no better, with 20 ms or 0.2 s a move
// (docs/experiments/results/amaf.md).
func DefaultGrave() Grave { return Grave{Reference: 300, Bias: 1e-4} }

// NodeGrave are the statistics beside the nodes of a tree.
type NodeGrave struct {
	Grave
	memory *tree.Memory
	rows   tree.Rows[uint32] // by node: its table; 0: none
	tables []graveTable      // that of place 0 is none
	free   []uint32
	bytes  int64 // of all tables
	most   int64 // that they may take

	// Scratch of an iteration that is learned from.
	seen   []generationSet // by semimove of a joint move: labels that were played
	now    uint32          // names the node
	played []playedLabel
}

// graveTable is what semimoves are worth from a node on.
type graveTable struct {
	evidence   [][]tree.Evidence // by semimove of a joint move and label
	iterations uint32
}

type playedLabel struct{ semimove, label uint32 }

// graveShare is the part of the memory that the tables may take. The tree leaves it to them,
// as most of them come when it is full. Where it is reached nodes go by the tables of those
// above them.
const graveShare = 4

// Keep puts the statistics beside the nodes of a tree, if there are to be any.
func (s *NodeGrave) Keep(t *tree.Tree, g Grave) {
	if s.Grave = g; !s.On() {
		return
	}
	s.memory, s.tables = &t.Edges.Memory, make([]graveTable, 1)
	s.most = s.memory.Limit / graveShare
	s.memory.Limit -= s.most
	s.seen = make([]generationSet, len(t.RoleOf))
	tree.AddRows(s.memory, &s.rows, 1, func(n uint32) {
		if at := &s.rows.Of(n)[0]; *at != 0 {
			s.free = append(s.free, *at)
			*at = 0
		}
	})
}

// GiveMemory takes one part in so many of what the tables may take away.
func (s *NodeGrave) GiveMemory(part int64) { s.most -= s.most / part }

// On says whether there are statistics.
func (s *NodeGrave) On() bool { return s.Reference > 0 }

// Table is that of a node; 0: it has none that counts yet.
func (s *NodeGrave) Table(n uint32) uint32 {
	if at := s.rows.Of(n)[0]; s.tables[at].iterations > s.Reference/2 {
		return at
	}
	return 0
}

// Of is what a table says of the semimoves of a joint move, by label.
func (s *NodeGrave) Of(table, semimove uint32) []tree.Evidence {
	return s.tables[table].evidence[semimove]
}

// learn adds an iteration with these joint moves, of so many semimoves each, the first of
// which was played in the first of the nodes. goals are by semimove.
func (s *NodeGrave) learn(t *tree.Tree, nodes, joints []uint32, goals []float64) {
	stride := len(s.seen)
	s.begin()
	for i := len(joints)/stride - 1; i >= 0; i-- {
		for k, label := range joints[i*stride:][:stride] {
			if !s.seen[k].has(label, s.now) {
				s.seen[k].add(label, s.now)
				s.played = append(s.played, playedLabel{uint32(k), label})
			}
		}
		if i < len(nodes) {
			if table := s.tableOf(t, nodes[i]); table != 0 {
				s.add(&s.tables[table], goals)
			}
		}
	}
}

// begin empties what was played.
func (s *NodeGrave) begin() {
	s.played = s.played[:0]
	if s.now++; s.now == 0 {
		for _, set := range s.seen {
			clear(set)
		}
		s.now = 1
	}
}

// tableOf is the table of a node, which is made where it has visits enough and there is
// memory; 0: there is none.
func (s *NodeGrave) tableOf(t *tree.Tree, n uint32) uint32 {
	at := &s.rows.Of(n)[0]
	if *at != 0 || t.Node(n).Visits < s.Reference/2 {
		return *at
	}
	if k := len(s.free); k > 0 {
		*at, s.free = s.free[k-1], s.free[:k-1]
		s.tables[*at].iterations = 0
		for _, of := range s.tables[*at].evidence {
			forget(of)
		}
		return *at
	}
	size := int64(unsafe.Sizeof(graveTable{}))
	for _, labels := range s.seen {
		size += int64(unsafe.Sizeof(labels)) + int64(len(labels))*int64(unsafe.Sizeof(tree.Evidence{}))
	}
	if !s.takes(size) {
		return 0
	}
	table := graveTable{evidence: make([][]tree.Evidence, len(s.seen))}
	for k, labels := range s.seen {
		table.evidence[k] = make([]tree.Evidence, len(labels))
		forget(table.evidence[k])
	}
	*at = uint32(len(s.tables))
	s.tables = append(s.tables, table)
	return *at
}

// forget makes a list say nothing of any label.
func forget(of []tree.Evidence) {
	for i := range of {
		of[i] = tree.NoEvidence
	}
}

// takes says whether there is memory for so many bytes more, and counts them if there is.
func (s *NodeGrave) takes(bytes int64) bool {
	if s.bytes+bytes > s.most {
		return false
	}
	s.bytes += bytes
	s.memory.Bytes += bytes
	s.memory.Limit += bytes
	return true
}

// add adds what was played to a table.
func (s *NodeGrave) add(table *graveTable, goals []float64) {
	table.iterations++
	for _, p := range s.played {
		of := table.evidence[p.semimove]
		if labels := len(s.seen[p.semimove]); int(p.label) >= len(of) { // which came up later
			if !s.takes(int64(labels-len(of)) * int64(unsafe.Sizeof(tree.Evidence{}))) {
				continue
			}
			longer := append(make([]tree.Evidence, 0, labels), of...)[:labels]
			forget(longer[len(of):])
			of, table.evidence[p.semimove] = longer, longer
		}
		of[p.label].Add(float32(goals[p.semimove]))
	}
}
