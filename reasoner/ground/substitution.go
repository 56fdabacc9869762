package ground

import "semisplit/reasoner/gdl"

// substitution replaces variables that equalities fix.
type substitution struct {
	store *gdl.Store
	to    []*pattern
}

func (s *substitution) apply(p pattern) pattern {
	return p.replace(s.store, func(v int32) pattern {
		if s.to[v] == nil {
			return variable(v)
		}
		return s.apply(*s.to[v])
	})
}

func (s *substitution) unify(a, b pattern) bool {
	a, b = s.apply(a), s.apply(b)
	switch {
	case a.v >= 0 && a.v == b.v:
		return true
	case a.v >= 0:
		occurs := false
		b.vars(func(v int32) { occurs = occurs || v == a.v })
		s.to[a.v] = &b
		if occurs {
			s.to[a.v] = nil
		}
		return !occurs
	case b.v >= 0:
		return s.unify(b, a)
	case a.id != 0 && b.id != 0:
		return a.id == b.id
	}
	a, b = s.open(a), s.open(b)
	if a.fn != b.fn || len(a.args) != len(b.args) {
		return false
	}
	for i := range a.args {
		if !s.unify(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

// open shows a ground term as a functor with arguments.
func (s *substitution) open(p pattern) pattern {
	if p.id == 0 {
		return p
	}
	var args []pattern
	for _, a := range s.store.Args(p.id) {
		args = append(args, constant(a))
	}
	return open(s.store.Functor(p.id), args)
}
