package ground

// What makes a relation worth rewriting for the values that are known where
// it is asked for, instead of grounding it once and looking the values up.
var (
	largeWork = 20000.0 // estimated instances of its rules
	largeSize = 2000.0  // estimated atoms that match
)

// maxSpecials bounds the relations that are made for what is known: constants
// can multiply from call to call.
const maxSpecials = 20_000

// large tells whether a derived literal becomes a special relation.
func (rw *rewriter) large(l *literal, w *rewriting) bool {
	if int(l.rel) >= len(rw.sizes.work) || len(rw.specials) > maxSpecials {
		return false
	}
	known := false
	for i := range l.args {
		known = known || l.args[i].v < 0 || w.pick[l.args[i].v] != noPick
	}
	return known && (rw.sizes.work[l.rel] > largeWork || rw.sizes.atoms(l) > largeSize)
}

// worthJoin is the estimate of a rule's instances from which functional
// fluents are taken for sources.
const worthJoin = 500

// worth tells whether a functional fluent, w.in.pos[i], is to be taken for a
// source: if looking up what shares its variables is less work than the join.
func (w *rewriting) worth(i int) bool {
	s := w.rw.sizes
	n, _ := s.join(&w.in)
	if n < worthJoin {
		return false
	}
	l := &w.in.pos[i]
	var mine []int32
	for _, v := range l.varSet() {
		if !w.shown[v] {
			mine = append(mine, v)
		}
	}
	touched, work := 0, 0.0
	for k := range w.in.pos {
		o := &w.in.pos[k]
		if k == i || !touches(o.vars, mine) {
			continue
		}
		touched++
		if rel := &w.rw.relations[o.rel]; rel.dynamic && !rel.input && (s.work[o.rel] > largeWork || s.atoms(o) > largeSize) {
			return true
		}
		work += s.atoms(o)
	}
	for k := range w.in.neg {
		o := &w.in.neg[k]
		if touches(o.vars, mine) {
			touched++
			if rel := &w.rw.relations[o.rel]; rel.dynamic && !rel.input && (s.work[o.rel] > largeWork || s.atoms(o) > largeSize) {
				return true
			}
			work += s.atoms(o)
		}
	}
	return touched > 1 && n > 2*work
}
