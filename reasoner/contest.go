package reasoner

import (
	"fmt"
	"slices"
	"time"

	"semisplit/reasoner/lanes"
)

// A machine is measured a few times before it is chosen or not, and its best
// time counts: others may be using the processor. A trial is long enough for
// the middle of a game to count as well, since the lanes begin together.
const (
	trials     = 3
	trial      = 12 * time.Millisecond
	trialSteps = 2000 // are enough for games that are quick
)

// contest finds the quickest machine of a game.
type contest struct {
	width int     // 0: any
	lead  float64 // a new machine must be quicker by this factor; 0: by any
	best  contender
	field []contender // the best machine of each circuit
}

// contender is a machine that was measured.
type contender struct {
	machine Machine
	speed   float64 // states/s in random playouts
}

// enter lets the machines of a circuit compete. If one of them is the new
// best, it is handed to published. The first machine of all is published at
// once, before anything is measured: whatever its speed, it is better than
// none, and the widest is mostly the quickest.
func (c *contest) enter(circuit *Circuit, t *Trial, published func(Machine)) error {
	var top contender
	widths := lanes.QuickWidths()
	if c.width != 0 {
		widths = slices.DeleteFunc(Widths(), func(width int) bool { return width != c.width })
	}
	for _, width := range slices.Backward(widths) {
		m, err := circuit.Machine(width)
		if err != nil {
			return err
		}
		if c.best.machine == nil {
			c.best = contender{machine: m}
			published(m)
		}
		speed := measured(m)
		if m == c.best.machine {
			c.best.speed = speed
		}
		if top.machine == nil || speed > top.speed {
			top = contender{m, speed}
		}
	}
	if top.machine == nil {
		return fmt.Errorf("no machine with %d lanes here", c.width)
	}
	t.Speed, t.Lanes, t.Machine = top.speed, top.machine.Lanes(), top.machine
	c.field = append(c.field, top)
	c.prefer(top, published)
	return nil
}

func (c *contest) prefer(top contender, published func(Machine)) {
	if top.machine != c.best.machine && (c.best.machine == nil || top.speed > c.best.speed*max(1, c.lead)) {
		c.best = top
		published(top.machine)
	}
}

// final measures again, side by side, what came near the best: while circuits
// were made, the processor was not the machines' own.
func (c *contest) final(published func(Machine)) {
	const near = 0.5
	var field []contender
	for _, f := range c.field {
		if f.speed >= near*c.best.speed {
			field = append(field, contender{machine: f.machine})
		}
	}
	if len(field) < 2 {
		return
	}
	for range trials {
		for i := range field {
			field[i].speed = max(field[i].speed, trialOf(field[i].machine, 0))
		}
	}
	var top contender
	for _, f := range field {
		if f.machine == c.best.machine {
			c.best.speed = f.speed
		}
		if f.speed > top.speed {
			top = f
		}
	}
	if top.machine != c.best.machine {
		c.prefer(top, published)
	}
}

// measured is the best of a few trials.
func measured(m Machine) (speed float64) {
	for i := range trials {
		speed = max(speed, trialOf(m, uint64(i)))
	}
	return speed
}

func trialOf(m Machine, seed uint64) float64 {
	// An error of the rules in some random playout does not make the machine
	// wrong: what was played until then counts.
	tally, _ := Measure(m, Measurement{Seed: seed, Time: trial, Steps: trialSteps})
	return float64(tally.States) / max(tally.Elapsed, time.Microsecond).Seconds()
}
