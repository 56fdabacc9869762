package prover

import "semisplit/reasoner/gdl"

// The pilot plays a little with plans made from guesses, to learn the sizes
// from which the final plans are made. It is bounded by work, not by time,
// so that the plans are the same every time.
const (
	pilotStates = 200
	pilotWork   = 1 << 21
)

func (m *Machine) pilot(initial []gdl.TermID) *stats {
	s := &stats{
		fluents: make(map[fluentName]*fluentStats),
		calls:   make(map[patternKey]float64),
		answers: make(map[patternKey]float64),
	}
	e := m.NewEngine(1)
	e.eval.budget = pilotWork
	enter := func() {
		e.enter(initial)
		e.look()
	}
	_ = e.guard(m.limits.Stop, func() {
		for enter(); s.states < pilotStates && e.eval.work < pilotWork; {
			s.observe(e.eval)
			if e.terminal || e.stuck {
				enter()
				continue
			}
			e.draw()
			next := e.eval.ask(e.eval.code.next, nil, nil)
			for which := perMove; which < e.eval.code.spaces; which++ {
				s.count(e.eval, which)
			}
			e.enter(next)
			e.look()
		}
	})
	if s.states == 0 {
		return nil
	}
	return s
}

// observe counts the fluents of a position and the tables that it filled.
func (s *stats) observe(e *evaluator) {
	s.states++
	s.total += float64(len(e.position.fluents))
	for i := range e.position.tables {
		t, spec := &e.position.tables[i], &e.code.fluents[i]
		if spec.name.fn == noName {
			continue
		}
		f := s.fluents[spec.name]
		if f == nil {
			f = &fluentStats{distinct: make([]float64, t.width)}
			s.fluents[spec.name] = f
		}
		f.rows += float64(t.n)
		t.values = nil
		for c := range t.width {
			f.distinct[c] += float64(t.distinct(c))
		}
	}
	s.count(e, perState)
}

// count adds the tables of a space.
func (s *stats) count(e *evaluator, which int) {
	for i := range e.spaces[which].tables {
		t := &e.spaces[which].tables[i]
		p := &e.code.patterns[t.pattern]
		k := patternKey{p.rel, p.adorn}
		s.calls[k]++
		s.answers[k] += float64(t.n)
	}
}
