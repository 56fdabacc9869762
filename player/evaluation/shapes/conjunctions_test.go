package shapes

import (
	"testing"

	"semisplit/reasoner/propnet"
)

// A gate far below others is read. What lies too deep is taken for unknown, and the stack
// does not end the process.
func TestDeepCircuit(t *testing.T) {
	for _, deep := range []int{mostDeep / 2, 3_000_000} {
		net := &propnet.Net{First: make([]int32, 5)} // two constants and two inputs
		net.Ops = append(net.Ops, propnet.Const, propnet.Const, propnet.Input, propnet.Input)
		gate := func(op propnet.Op, args ...propnet.Node) propnet.Node {
			net.Ops, net.Args = append(net.Ops, op), append(net.Args, args...)
			net.First = append(net.First, int32(len(net.Args)))
			return propnet.Node(len(net.Ops) - 1)
		}
		n := propnet.Node(2)
		for range deep {
			n = gate(propnet.Not, n)
		}
		net.Terminal = gate(propnet.And, n, 3)
		if all := conjunctions(net, []int32{0, 1}); (len(all) == 1) != (deep < mostDeep) {
			t.Errorf("%d gates deep: %v", deep, all)
		}
	}
}
