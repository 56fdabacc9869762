package combinatorial

import "sync/atomic"

// flight is an iteration whose result is not known yet, in a lane of the engine.
type flight struct {
	busy   bool
	key    uint64 // of the state that it comes to first, which becomes a node; 0: it does not
	visits []visit
	moves  []int32  // of the visits, one after the other
	marks  []uint32 // parts of the graph, combinations of the album, or values measured
}

// visit is the pass of an iteration through a choice.
type visit struct {
	choice      uint32
	move        int // first of its values in flight.moves
	marks, last int // in flight.marks
}

// begin chooses moves from the root on and puts the state where they leave the tree into a
// lane. It tells whether the lane is loaded; otherwise the iteration ended in the tree.
func (s *Search) begin(lane int) bool {
	f := &s.flights[lane]
	f.visits, f.moves, f.marks, f.key = f.visits[:0], f.moves[:0], f.marks[:0], 0
	defer func() { s.begun++ }()
	for n := uint32(0); ; {
		x := s.nodes[n]
		if x.goals >= 0 {
			f.busy = false
			s.settle(f, s.results[x.goals:x.goals+len(s.levels)])
			return false
		}
		f.busy = true
		if s.isStuck(n) {
			s.engine.Load(lane, s.state(n), nil)
			return true
		}
		whole := true
		s.joint = s.joint[:0]
		for r := range s.levels {
			number := uint32(x.choices + r)
			whole = s.choose(number, f) && whole
			s.joint = s.choices[number].space.path(s.partial.move, s.joint)
		}
		if whole && !s.options.RootOnly {
			key := below(n, s.joint)
			child := s.children.Find(key)
			if child != 0 && s.children.At(child).node != 0 {
				n = s.children.At(child).node
				continue
			}
			if s.hasRoom() {
				if child == 0 {
					child = s.children.Add(key)
				}
				x := s.children.At(child)
				if x.met++; x.met >= s.worth(n) {
					f.key = key
				}
			}
		}
		s.engine.Load(lane, s.state(n), s.joint)
		s.states++
		return true
	}
}

// isStuck tells that some role has no legal move in a node: the engine ends the game there.
func (s *Search) isStuck(n uint32) bool {
	for r := range s.levels {
		if s.choices[s.nodes[n].choices+r].space.size == 0 {
			return true
		}
	}
	return false
}

// step lets the engine go on, and settles what has ended.
func (s *Search) step(stop *atomic.Bool) error {
	ended, err := s.engine.Step(stop)
	if err != nil {
		return err
	}
	late := false
	for lane := range s.flights {
		if lane%64 == 0 {
			// To list thousands of moves in 64 lanes takes a tenth of a second.
			if late = s.clock.over(); !late {
				s.look(lane, ended)
			}
		}
		f := &s.flights[lane]
		if !f.busy {
			continue
		}
		over := ended[lane/64]>>(lane%64)&1 != 0
		if f.key != 0 {
			// The lanes before may have taken the room that there was.
			if child := s.children.At(s.children.Find(f.key)); child.node == 0 && !late && s.hasRoom() {
				child.node = s.add(lane, over)
			}
			f.key = 0
		}
		if !over {
			s.states++
			continue
		}
		s.engine.Goals(lane, s.goals)
		s.playouts++
		s.land(lane)
		s.settle(f, s.goals)
	}
	return nil
}

// land frees a lane.
func (s *Search) land(lane int) {
	s.flights[lane].busy = false
	s.engine.Unload(lane)
}

// settle takes the result of an iteration to all that it went through.
func (s *Search) settle(f *flight, goals []float64) {
	s.iterations++
	for r, x := range goals {
		s.sums[r] += x
	}
	for _, v := range f.visits {
		s.learn(v, f, goals[s.choices[v.choice].role])
	}
}

// unload takes back all iterations in flight.
func (s *Search) unload() {
	for lane := range s.flights {
		f := &s.flights[lane]
		if f.busy {
			s.begun--
			for _, v := range f.visits {
				s.forget(v, f)
			}
		}
		s.land(lane)
	}
}
