package ahead

import (
	"slices"
	"sync/atomic"

	"semisplit/search/engine"
)

// lookahead looks at the states after moves, with a lane for each. The moves of
// several plies go together into its lanes.
type lookahead struct {
	engine engine.Engine
	how    *Options
	levels []int
	looks  []pending // by lane
	loaded int       // lanes that the engine may still hold
	values []float64 // scratch
	state  []uint64
	states [][]uint64
	offers []uint32
}

// pending is a state to be looked at: the one after a move of a ply.
type pending struct {
	ply  *onePly
	move int
}

// survey looks at the states after all moves of a ply, some of them not
// before finish. One that wins ends it.
func (s *lookahead) survey(o *onePly, stop *atomic.Bool) error {
	switch {
	case o.forced && s.how.Decisive:
		return s.look(o, 0, stop)
	case o.mover < 0 || !s.how.Decisive && !o.greedy:
		return nil
	}
	for move := range o.struck {
		if o.win >= 0 {
			break
		}
		if err := s.look(o, move, stop); err != nil {
			return err
		}
	}
	return nil
}

func (s *lookahead) look(o *onePly, move int, stop *atomic.Bool) error {
	s.engine.Load(len(s.looks), o.state, o.jointOf(move))
	s.looks = append(s.looks, pending{o, move})
	if len(s.looks) == cap(s.looks) {
		return s.finish(stop)
	}
	return nil
}

// finish looks at what waits to be looked at.
func (s *lookahead) finish(stop *atomic.Bool) error {
	if len(s.looks) == 0 {
		return nil
	}
	looks := s.looks
	s.looks = looks[:0]
	ended, err := s.step(len(looks), stop)
	if err != nil {
		return err
	}
	for lane, look := range looks {
		if look.ply.win < 0 {
			s.note(lane, look, ended[lane/64]>>(lane%64)&1 != 0)
		}
	}
	return nil
}

// note keeps what a lane has come to.
func (s *lookahead) note(lane int, look pending, ended bool) {
	o := look.ply
	switch {
	case o.forced:
		if o.spoilt = ended; ended {
			s.engine.Goals(lane, o.values)
		}
		return
	case ended:
		s.engine.Goals(lane, s.values)
		if !s.how.Decisive {
			break
		}
		if s.values[o.mover] == 1 {
			o.win = look.move
		} else if wins(s.values) {
			o.strike(look.move)
		}
	case o.greedy:
		s.state = s.engine.State(lane, s.state[:0])
		s.how.Evaluate.Values(s.state, s.values)
	default:
		return
	}
	o.values[look.move] = s.values[o.mover]
}

func wins(goals []float64) bool {
	for _, v := range goals {
		if v == 1 {
			return true
		}
	}
	return false
}

// refute strikes the moves of a ply after which its reply wins, some of them
// not before finishRefuting.
func (s *lookahead) refute(o *onePly, stop *atomic.Bool) error {
	for move, struck := range o.struck {
		if struck {
			continue
		}
		s.looks = append(s.looks, pending{o, move})
		if len(s.looks) == cap(s.looks) {
			if err := s.finishRefuting(stop); err != nil {
				return err
			}
		}
	}
	return nil
}

// finishRefuting plays the moves that wait, and the replies to them.
func (s *lookahead) finishRefuting(stop *atomic.Bool) error {
	if len(s.looks) == 0 {
		return nil
	}
	looks := s.looks
	s.looks = looks[:0]
	for lane, look := range looks {
		s.engine.Load(lane, look.ply.state, look.ply.jointOf(look.move))
	}
	ended, err := s.step(len(looks), stop)
	if err != nil {
		return err
	}
	n := 0
	for lane, look := range looks {
		if ended[lane/64]>>(lane%64)&1 == 0 && s.answers(lane, look.ply) {
			s.states[n] = s.engine.State(lane, s.states[n][:0])
			looks[n] = look
			n++
		}
	}
	if n == 0 {
		return nil
	}
	for lane, look := range looks[:n] {
		s.engine.Load(lane, s.states[lane], look.ply.reply)
	}
	if ended, err = s.step(n, stop); err != nil {
		return err
	}
	for lane, look := range looks[:n] {
		if ended[lane/64]>>(lane%64)&1 == 0 {
			continue
		}
		if s.engine.Goals(lane, s.values); s.values[look.ply.replier] == 1 {
			look.ply.strike(look.move)
		}
	}
	return nil
}

// answers tells whether the reply of a ply is legal in a lane, and no other
// role has anything else to play.
func (s *lookahead) answers(lane int, o *onePly) bool {
	reply := o.reply
	for role, levels := range s.levels {
		for level := range levels {
			s.offers = s.engine.Offers(lane, role, reply[:level], s.offers[:0])
			if role != o.replier && len(s.offers) != 1 || !slices.Contains(s.offers, reply[level]) {
				return false
			}
		}
		reply = reply[levels:]
	}
	return true
}

// step is a Step of the engine, with its first lanes alone, all loaded anew.
func (s *lookahead) step(lanes int, stop *atomic.Bool) (ended []uint64, err error) {
	for ; s.loaded > lanes; s.loaded-- {
		s.engine.Unload(s.loaded - 1)
	}
	s.loaded = lanes
	if isSet(stop) {
		return nil, errStopped
	}
	return s.engine.Step(stop)
}
