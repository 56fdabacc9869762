package lanes

import (
	"fmt"

	"semisplit/reasoner/propnet"
)

// readsLevels is, by node, how many levels of selections it depends on: 0
// for what the state alone decides, i+1 for what reads a selection of level i.
func readsLevels(net *propnet.Net) []int32 {
	reads := make([]int32, len(net.Ops))
	for r := range net.Roles {
		for i, lv := range net.Roles[r].Levels {
			for _, n := range lv.Select {
				if n != propnet.False {
					reads[n] = int32(i + 1)
				}
			}
		}
	}
	// Gates in order are done after one round, cycles need more.
	for changed := true; changed; {
		changed = false
		for n := range net.Ops {
			for _, arg := range operands(net, propnet.Node(n)) {
				if reads[arg] > reads[n] {
					reads[n] = reads[arg]
					changed = true
				}
			}
		}
	}
	return reads
}

// checkOrder makes sure that nothing is asked for before the selections that
// it depends on are made: values are shared between programs on that ground.
func checkOrder(net *propnet.Net) error {
	reads := readsLevels(net)
	if reads[net.Terminal] > 0 {
		return fmt.Errorf("lanes: terminal depends on a selection")
	}
	for r := range net.Roles {
		for i, lv := range net.Roles[r].Levels {
			for k, n := range lv.Offer {
				if int(reads[n]) > i {
					return fmt.Errorf("lanes: role %d, level %d: offer %d depends on a selection of the same level or a later one", r, i, k)
				}
			}
		}
		for _, g := range net.Roles[r].Goals {
			if reads[g.Node] > 0 {
				return fmt.Errorf("lanes: goal %d of role %d depends on a selection", g.Value, r)
			}
		}
	}
	return nil
}
