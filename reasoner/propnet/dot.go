package propnet

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// ErrTooLarge is for a net that would make a graph of too many nodes.
var ErrTooLarge = errors.New("propnet: too large to draw")

// DotOptions says what WriteDot draws.
type DotOptions struct {
	Cone  string // only what this moment needs, by its name in Cones; "": everything
	Limit int    // nodes, inputs and outputs included; 0: 2,000, about what Graphviz can lay out
}

// dotLimit keeps graphs to what Graphviz lays out in reasonable time.
const dotLimit = 2000

// WriteDot writes a net as a graph for Graphviz: inputs at the left, each gate
// in a cluster with the others of the first moment that needs it, and a box
// for each thing that is asked for. Negations are edges with a dot. It writes
// nothing if the graph is larger than the limit.
func WriteDot(w io.Writer, n *Net, o DotOptions) error {
	d, err := n.drawing(o)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "digraph propnet {\n\trankdir=LR")
	for i, show := range d.shown {
		if show && (n.Ops[i] == Input || n.Ops[i] == Const) {
			fmt.Fprintf(b, "\tn%d [shape=plaintext, label=%q]\n", i, d.name[i])
		}
	}
	for c := range d.cones {
		d.cluster(b, c)
	}
	for _, e := range d.edges {
		style := ""
		if e.not {
			style = " [arrowhead=dot]"
		}
		fmt.Fprintf(b, "\tn%d -> %s%s\n", e.from, e.to, style)
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

// drawing is a graph about to be written.
type drawing struct {
	n     *Net
	name  []string // of inputs
	cones []Cone
	owner []int32
	shown []bool // by node
	boxes [][]box
	edges []edge
}

// box is an output.
type box struct{ id, label string }

type edge struct {
	from Node
	to   string
	not  bool
}

func (n *Net) drawing(o DotOptions) (*drawing, error) {
	d := &drawing{n: n, name: n.names(), shown: make([]bool, len(n.Ops))}
	var roots [][]Node
	d.cones, d.owner, roots = n.cones()
	d.boxes = make([][]box, len(d.cones))
	labels := n.outputNames()
	wanted, count := false, 0
	for c := range d.cones {
		if o.Cone != "" && o.Cone != d.cones[c].Name {
			continue
		}
		wanted = true
		for i, r := range roots[c] {
			x := box{id: fmt.Sprintf("out%d_%d", c, i), label: labels[c][i]}
			d.boxes[c] = append(d.boxes[c], x)
			d.connect(r, x.id)
			count++
		}
		var through []Node
		for _, r := range roots[c] {
			r, _ = n.through(r)
			through = append(through, r)
		}
		n.under(through, func(x Node) bool {
			if d.shown[x] {
				return false
			}
			if n.Ops[x] == Not {
				return true
			}
			d.shown[x] = true
			count++
			return true
		})
	}
	if !wanted {
		return nil, fmt.Errorf("propnet: there is no cone %q", o.Cone)
	}
	limit := o.Limit
	if limit == 0 {
		limit = dotLimit
	}
	if count > limit {
		return nil, fmt.Errorf("%w: a graph of %d nodes, where %d are the limit; draw one cone, or raise it", ErrTooLarge, count, limit)
	}
	for i, show := range d.shown {
		for _, a := range n.operands(Node(i)) {
			if show {
				d.connect(a, fmt.Sprintf("n%d", i))
			}
		}
	}
	return d, nil
}

// connect draws an edge from a node, or from what it negates.
func (d *drawing) connect(from Node, to string) {
	from, not := d.n.through(from)
	d.edges = append(d.edges, edge{from, to, not})
}

// cluster writes the gates and outputs of a cone, if there are any.
func (d *drawing) cluster(b *bufio.Writer, c int) {
	var lines []string
	cyclic := d.n.cyclic()
	for i, show := range d.shown {
		if op := d.n.Ops[i]; show && d.owner[i] == int32(c) && (op == And || op == Or) {
			color := ""
			if cyclic[i] {
				color = ", color=red"
			}
			lines = append(lines, fmt.Sprintf("n%d [label=%q%s]", i, op, color))
		}
	}
	for _, x := range d.boxes[c] {
		lines = append(lines, fmt.Sprintf("%s [shape=box, label=%q]", x.id, x.label))
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\tsubgraph cluster%d {\n\t\tlabel=%q\n", c, d.cones[c].Name)
	for _, l := range lines {
		fmt.Fprintf(b, "\t\t%s\n", l)
	}
	fmt.Fprintln(b, "\t}")
}

// outputNames spells the roots, in the order of cones.
func (n *Net) outputNames() [][]string {
	out := [][]string{{"terminal"}}
	for _, role := range n.Roles {
		for l, level := range role.Levels {
			for len(out) < l+2 {
				out = append(out, nil)
			}
			for _, c := range level.Codes {
				out[l+1] = append(out[l+1], fmt.Sprintf("%s: %s", n.spell(role.Name), n.spell(c)))
			}
		}
	}
	var next, goals []string
	for _, f := range n.Fluents {
		next = append(next, "next "+n.spell(f))
	}
	for _, role := range n.Roles {
		for _, g := range role.Goals {
			goals = append(goals, fmt.Sprintf("goal %s %d", n.spell(role.Name), g.Value))
		}
	}
	return append(out, next, goals)
}
