package reasoner

import (
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/propnet"
)

// Circuit is a game that was grounded under a plan. The machines of all
// widths run the same circuit, and understand each other's states and
// semimoves.
type Circuit struct {
	plan    string
	machine *lanes.Machine // of the least width, without the spare fluents
	whole   *lanes.Machine // the same with all of them
}

// Plan is the name of the plan.
func (c *Circuit) Plan() string { return c.plan }

// Net is the circuit itself, without the spare fluents (propnet.Essential).
func (c *Circuit) Net() *propnet.Net { return c.machine.Net() }

// Widths are the numbers of lanes that this processor can run side by side.
func Widths() []int { return lanes.Widths() }

// Machine runs the circuit with a number of lanes.
func (c *Circuit) Machine(lanes int) (Machine, error) {
	m, err := c.machine.WithLanes(lanes)
	if err != nil {
		return nil, err
	}
	return lanesMachine{m, c.whole, c.plan}, nil
}

// Quickest is the machine of the width that plays the most random states a
// second, measured for a moment each.
func (c *Circuit) Quickest() (Machine, error) {
	var all contest
	err := all.enter(c, &Trial{}, func(Machine) {})
	return all.best.machine, err
}
