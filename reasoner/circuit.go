package reasoner

import (
	"fmt"
	"time"

	"semisplit/reasoner/lanes"
	"semisplit/reasoner/propnet"
)

// Circuit is a game that was grounded under a plan. The machines of all
// widths run the same circuit, and understand each other's states and
// semimoves.
type Circuit struct {
	plan    string
	machine *lanes.Machine // of the least width
}

// Plan is the name of the plan.
func (c *Circuit) Plan() string { return c.plan }

// Net is the circuit itself.
func (c *Circuit) Net() *propnet.Net { return c.machine.Net() }

// Widths are the numbers of lanes that this processor can run side by side.
func Widths() []int { return lanes.Widths() }

// Machine runs the circuit with a number of lanes.
func (c *Circuit) Machine(lanes int) (Machine, error) {
	m, err := c.machine.WithLanes(lanes)
	if err != nil {
		return nil, err
	}
	return lanesMachine{m, c.machine, c.plan}, nil
}

// A machine is measured a few times before it is chosen or not, and its best
// time counts: others may be using the processor. A trial is long enough for
// the middle of a game to count as well, since the lanes begin together.
const (
	trials     = 3
	trial      = 25 * time.Millisecond
	trialSteps = 4000 // are enough for games that are quick
)

// Quickest is the machine of the width that plays the most random states a
// second, measured for a moment each.
func (c *Circuit) Quickest() (Machine, error) {
	var best contender
	err := best.circuit(c, &Trial{}, func(Machine) {})
	return best.machine, err
}

// contender is the quickest machine so far.
type contender struct {
	width   int     // 0: any
	lead    float64 // a new machine must be quicker by this factor; 0: by any
	machine Machine
	speed   float64 // states/s in random playouts
}

// circuit lets the machines of a circuit compete. If one of them is the new
// best, it is handed to published.
func (b *contender) circuit(c *Circuit, t *Trial, published func(Machine)) error {
	top := contender{}
	for _, width := range Widths() {
		if b.width != 0 && width != b.width {
			continue
		}
		m, err := c.Machine(width)
		if err != nil {
			return err
		}
		top.consider(m, t)
	}
	if top.machine == nil {
		return fmt.Errorf("no machine with %d lanes here", b.width)
	}
	if b.beaten(top.speed) {
		b.machine, b.speed = top.machine, top.speed
		published(top.machine)
	}
	return nil
}

// consider measures a machine; true if it is the new best.
func (b *contender) consider(m Machine, t *Trial) bool {
	speed := 0.0
	for i := range trials {
		// An error of the rules in some random playout does not make the machine
		// wrong: what was played until then counts.
		tally, _ := Measure(m, Measurement{Seed: uint64(i), Time: trial, Steps: trialSteps})
		speed = max(speed, float64(tally.States)/max(tally.Elapsed, time.Microsecond).Seconds())
	}
	if !b.beaten(speed) {
		return false
	}
	b.machine, b.speed = m, speed
	t.Speed, t.Lanes = speed, m.Lanes()
	return true
}

func (b *contender) beaten(speed float64) bool {
	return b.machine == nil || speed > b.speed*max(1, b.lead)
}
