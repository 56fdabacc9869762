package ground

import (
	"fmt"
)

// special is a relation of which some arguments are known before it is
// grounded: constants, and values that are selected. The arguments of the
// relation that stands for it are the others.
type special struct {
	rel    int32     // whose rules are rewritten
	made   int32     // the relation that stands for it; rel itself if nothing is known
	places []pattern // by argument of rel: variable i stands for leaf i
	leaves []pick    // noPick: free
}

// demand asks for a relation as it is.
func (h *helpers) demand(rel int32) {
	for len(h.demanded) < len(h.relations) {
		h.demanded = append(h.demanded, false)
	}
	if h.demanded[rel] || !h.relations[rel].dynamic {
		return
	}
	h.demanded[rel] = true
	if h.relations[rel].input || h.relations[rel].final {
		return
	}
	s := special{rel: rel, made: rel}
	if rules := h.relations[rel].rules; len(rules) > 0 {
		for i := range rules[0].head.args {
			s.places = append(s.places, variable(int32(i)))
			s.leaves = append(s.leaves, noPick)
		}
	}
	h.waiting = append(h.waiting, s)
}

// pick names one value of a source: the value that its only true atom has in
// the place of a variable.
type pick struct {
	source int32
	v      int32
}

var noPick = pick{source: -1}

func (s pick) String() string { return fmt.Sprintf("s%d.%d", s.source, s.v) }
