package lanes

import (
	"fmt"
	"sync"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/split"
)

// compiled is what machines of all widths share.
type compiled struct {
	net       *propnet.Net
	plan      *plan
	words     int // of a state
	semimoves int // in a joint move
	gates     int
	initial   []uint64
	fluents   map[gdl.TermID]int32
	paths     []*split.Paths // by role

	mu    sync.Mutex
	codes map[int]*encoded // by width, made when first asked for
}

func (c *compiled) encodedFor(set *kernel.Set) *encoded {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.codes[set.Lanes()] == nil {
		c.codes[set.Lanes()] = encode(c.plan, c.initial, set)
	}
	return c.codes[set.Lanes()]
}

// checkJoint tells whether a joint move names a semimove for each level.
func (c *compiled) checkJoint(joint []uint32) error {
	if len(joint) != c.semimoves {
		return fmt.Errorf("lanes: a joint move of %d semimoves instead of %d was loaded", len(joint), c.semimoves)
	}
	next := 0
	for r := range c.plan.roles {
		for i := range c.plan.roles[r].levels {
			if k := joint[next]; int(k) >= c.plan.roles[r].levels[i].count {
				return fmt.Errorf("lanes: role %d has no semimove %d at level %d", r, k, i)
			}
			next++
		}
	}
	return nil
}
