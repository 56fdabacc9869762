package ground

// maxSubsumeRules bounds the rules of a relation that are compared with each
// other, maxSubsumeSteps the work on one pair.
const (
	maxSubsumeRules = 60
	maxSubsumeSteps = 2000
)

// subsume drops dynamic rules that say less than another rule for the same
// relation: the other one asks for a part of the same literals.
func (tr *translator) subsume() {
	for i := range tr.relations {
		rel := &tr.relations[i]
		if !rel.dynamic || len(rel.rules) < 2 || len(rel.rules) > maxSubsumeRules {
			continue
		}
		var kept []*rule
		for n, r := range rel.rules {
			covered := false
			tr.heed()
			for m, by := range rel.rules {
				// Of two that subsume each other the first stays.
				if m != n && !covered && by.subsumes(r) && (m < n || !r.subsumes(by)) {
					covered = true
				}
			}
			if !covered {
				kept = append(kept, r)
			}
		}
		rel.rules = kept
	}
}

// subsumption looks for values of the variables of one rule for which its
// head is that of the other and its conditions are among the other's.
type subsumption struct {
	to    []*pattern
	other *rule
	steps int
}

func (r *rule) subsumes(other *rule) bool {
	if len(r.pos) > len(other.pos) || len(r.neg) > len(other.neg) || len(r.distinct) > len(other.distinct) {
		return false
	}
	s := &subsumption{to: make([]*pattern, r.vars), other: other}
	if _, ok := s.literal(&r.head, &other.head); !ok {
		return false
	}
	return s.find(r.pos, other.pos, func() bool {
		return s.find(r.neg, other.neg, func() bool {
			return s.find(pairs(r), pairs(other), func() bool { return true })
		})
	})
}

// find maps each literal to one of the others, then goes on.
func (s *subsumption) find(ls, among []literal, then func() bool) bool {
	if len(ls) == 0 {
		return then()
	}
	for i := range among {
		if s.steps++; s.steps > maxSubsumeSteps {
			return false
		}
		if among[i].rel != ls[0].rel {
			continue
		}
		bound, ok := s.literal(&ls[0], &among[i])
		if ok && s.find(ls[1:], among, then) {
			return true
		}
		s.undo(bound)
		if s.steps > maxSubsumeSteps {
			return false
		}
	}
	return false
}

func (s *subsumption) undo(bound []int32) {
	for _, v := range bound {
		s.to[v] = nil
	}
}

// literal maps one literal to another; it undoes what it has bound if it
// cannot.
func (s *subsumption) literal(a, b *literal) (bound []int32, ok bool) {
	if len(a.args) != len(b.args) {
		return nil, false
	}
	for i := range a.args {
		if !s.pattern(&a.args[i], &b.args[i], &bound) {
			s.undo(bound)
			return nil, false
		}
	}
	return bound, true
}

func (s *subsumption) pattern(a, b *pattern, bound *[]int32) bool {
	if a.v >= 0 {
		if s.to[a.v] == nil {
			s.to[a.v] = b
			*bound = append(*bound, a.v)
			return true
		}
		return samePattern(s.to[a.v], b)
	}
	if b.v >= 0 || a.id != b.id || a.fn != b.fn || len(a.args) != len(b.args) {
		return false
	}
	for i := range a.args {
		if !s.pattern(&a.args[i], &b.args[i], bound) {
			return false
		}
	}
	return true
}
