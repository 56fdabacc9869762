package lanes

import (
	"context"
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
	spare     []uint64 // fluents that states leave out, as a state; nil: none
	fluents   map[gdl.TermID]int32
	paths     []*split.Paths // by role

	mu    sync.Mutex
	codes map[int]*encoded // by width, made when first asked for

	foreseeing sync.Mutex  // guards what follows
	foreseen   [2]foreseen // by whether replies are foreseen as well; made when first asked for
}

// foreseen is the same game with a circuit that foresees, or why there is none.
type foreseen struct {
	circuit *compiled
	err     error
}

// newCompiled compiles a net.
func newCompiled(net *propnet.Net) (*compiled, error) {
	if err := net.Check(); err != nil {
		return nil, fmt.Errorf("lanes: %w", err)
	}
	c := &compiled{
		net: net, plan: compile(net),
		words:   (len(net.Fluents) + 63) / 64,
		fluents: make(map[gdl.TermID]int32, len(net.Fluents)),
		codes:   map[int]*encoded{},
	}
	c.initial = make([]uint64, c.words)
	for i, id := range net.Fluents {
		c.fluents[id] = int32(i)
		if net.Initial[i] {
			c.initial[i/64] |= 1 << (i % 64)
		}
	}
	for i, spare := range net.Spare {
		if c.spare == nil {
			c.spare = make([]uint64, c.words)
		}
		if spare {
			c.spare[i/64] |= 1 << (i % 64)
		}
	}
	for r := range net.Roles {
		var levels [][]gdl.TermID
		for _, lv := range net.Roles[r].Levels {
			levels = append(levels, lv.Codes)
		}
		if net.Terms != nil {
			c.paths = append(c.paths, split.NewPaths(net.Terms, levels))
		}
		c.semimoves += len(levels)
	}
	for _, o := range net.Ops {
		if o == propnet.And || o == propnet.Or || o == propnet.Not {
			c.gates++
		}
	}
	return c, nil
}

func (c *compiled) encodedFor(set *kernel.Set) *encoded {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.codes[set.Lanes()] == nil {
		c.codes[set.Lanes()] = encode(c.plan, c.initial, set)
	}
	return c.codes[set.Lanes()]
}

// foresee is the same game with a circuit that tells which semimoves to prefer.
func (c *compiled) foresee(ctx context.Context, replies bool) (*compiled, error) {
	c.foreseeing.Lock()
	defer c.foreseeing.Unlock()
	f := &c.foreseen[0]
	if replies {
		f = &c.foreseen[1]
	}
	if f.circuit != nil || f.err != nil {
		return f.circuit, f.err
	}
	net, err := propnet.Foresee(ctx, c.net, replies, propnet.DefaultForesight)
	if err == nil {
		var seeing *compiled
		if seeing, err = newCompiled(net); err == nil {
			f.circuit = seeing
			return seeing, nil
		}
	}
	err = fmt.Errorf("lanes: %w", err)
	if ctx.Err() == nil { // else there may be more time later
		f.err = err
	}
	return nil, err
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
