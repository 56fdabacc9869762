// Package stats keeps what playouts tell of moves, wherever they are played: averages of
// moves and of sequences of moves (MAST, NST), and of moves beside the edges of a tree
// (RAVE). Playouts, and the order in which a tree tries moves, follow them.
package stats

import (
	"semisplit/search/encoding"
	"semisplit/search/engine"
	"semisplit/search/internal/random"
	"semisplit/search/tree"
)

// Learner is what the playouts of one engine teach, and what those playouts follow.
// Each engine has its own.
type Learner struct {
	Mast  *mast // nil: none
	rave  *rave // nil: none
	Trace Trace

	tree      *tree.Tree
	engine    engine.Engine
	rng       *random.Source
	encodings []encoding.Moves
	chance    []bool // roles that move at random
	width     int    // semimoves of a joint move in the tree
	byEdges   *EdgeRave
	byNodes   *NodeGrave

	// The joint moves of the iteration that has ended, those in the tree first:
	// labels in the finest way in which moves are split, by role and level.
	Joints []uint32
	inTree int // joint moves in the tree
	Stride int // labels of a joint move
	spaces []int

	Tallies []tally // by role and level of the engine; nil: the long way, by joints
	order   steering

	joint, labels []uint32 // scratch
	goals         []float64
}

// Iteration is what there is to learn from.
type Iteration struct {
	Lane   int
	Nodes  []uint32 // on its path
	Edges  []uint32 // for each node but perhaps the last: a joint move
	Played bool     // its playout left the tree in the Step left, and ended in the Step now
	Left   int64
	Now    int64

	TakenBack bool // its last joint move was: it tells of moves, but is no result of those before it
}

// Setup is what a learner works on.
type Setup struct {
	Tree      *tree.Tree
	Engine    engine.Engine
	Rng       *random.Source
	Encodings []encoding.Moves
	Chance    []bool
	Mast      Mast
	ByEdges   *EdgeRave
	ByNodes   *NodeGrave
}

// New prepares for the heuristics that the setup asks for.
func New(s Setup) Learner {
	n := Learner{tree: s.Tree, engine: s.Engine, rng: s.Rng, encodings: s.Encodings, chance: s.Chance, byEdges: s.ByEdges, byNodes: s.ByNodes}
	for r := range n.encodings {
		n.spaces = append(n.spaces, n.encodings[r].Finest())
		n.Stride += n.encodings[r].Finest()
		n.width += n.encodings[r].Levels
	}
	if s.Mast.Kind != None {
		n.Mast = newMast(s.Mast, n.spaces)
	}
	if s.ByEdges.on() {
		n.rave = newRave(s.ByEdges.Rave, n.spaces)
	}
	if n.rave != nil || n.Mast != nil || n.byNodes.On() {
		n.Trace = NewTrace(n.engine, encoding.EngineLevels(n.encodings))
	}
	return n
}

// Start makes the engine's playouts follow what is learned. The learner stays where it
// is from now on.
func (n *Learner) Start() {
	if n.Mast != nil {
		n.Mast.beside = newBeside(n)
		n.newTallies()
		n.newSteering()
	}
}

// Moved says that a joint move was played in the match.
func (n *Learner) Moved() {
	if n.Mast != nil {
		n.Mast.moved()
	}
}

// Left says that a lane plays on from a state of the tree: what it played before is of
// another line.
func (n *Learner) Left(lane int) {
	if n.Mast != nil {
		n.Mast.beside.left(lane)
	}
}

// Note keeps what the lanes that moved in a Step have played.
func (n *Learner) Note(step int64, moved []uint64) {
	if n.Trace.tracer != nil {
		n.Trace.Note(step, moved)
		if n.Mast != nil {
			n.Mast.beside.played(moved)
		}
	}
}

// Learn updates the statistics at the end of an iteration.
func (n *Learner) Learn(it *Iteration, goals []float64) {
	if n.Mast == nil && n.rave == nil && !n.byNodes.On() {
		return
	}
	if n.rave == nil && !n.byNodes.On() && n.Mast.passesOver() {
		n.Mast.recorded()
		return
	}
	if n.Tallies != nil {
		n.learnTallies(it, goals)
		return
	}
	n.collect(it)
	if n.Mast != nil {
		n.learnMast(goals)
	}
	if n.rave != nil && !it.TakenBack {
		n.learnRave(it, goals)
	}
	if n.byNodes.On() && !it.TakenBack {
		n.learnGrave(it, goals)
	}
}

// collect gathers the joint moves of an iteration.
func (n *Learner) collect(it *Iteration) {
	n.Joints, n.inTree = n.Joints[:0], 0
	for first := 0; first < len(it.Edges); first += n.width {
		n.joint = n.jointOf(it.Edges[first:first+n.width], n.joint[:0])
		n.appendJoint(n.joint)
		n.inTree++
	}
	if !it.Played || n.Trace.tracer == nil {
		return
	}
	for step := it.firstStep(); step <= it.Now; step++ {
		joint, moved := n.Trace.Played(step, it.Lane, n.joint[:0])
		if n.joint = joint; moved {
			n.appendJoint(joint)
		}
	}
}

// firstStep is the first Step of the playout that is in the trace.
func (it *Iteration) firstStep() int64 { return max(it.Left+1, it.Now-TraceSteps+1) }

// jointOf appends the engine's joint move for a joint move of edges.
func (n *Learner) jointOf(edges, dst []uint32) []uint32 {
	n.labels = n.tree.Semimoves(edges, n.labels[:0])
	return encoding.AppendJoint(n.encodings, dst, n.labels)
}

// appendJoint adds an engine's joint move to those of the iteration.
func (n *Learner) appendJoint(joint []uint32) {
	for r := range n.encodings {
		s := &n.encodings[r]
		n.Joints = s.AppendFinest(n.Joints, joint[:s.EngineLevels])
		joint = joint[s.EngineLevels:]
	}
}

func (n *Learner) learnGrave(it *Iteration, goals []float64) {
	n.goals = n.goals[:0]
	for r, levels := range n.spaces {
		for range levels {
			n.goals = append(n.goals, goals[r])
		}
	}
	n.byNodes.learn(n.tree, it.Nodes, n.Joints, n.goals)
}

func (n *Learner) learnMast(goals []float64) {
	m := n.Mast
	for joints := n.Joints; len(joints) > 0; joints = joints[n.Stride:] {
		joint := joints[:n.Stride]
		for r, levels := range n.spaces {
			m.record(r, joint[:levels], goals[r])
			joint = joint[levels:]
		}
	}
	m.beside.record(goals)
	m.recorded()
}
