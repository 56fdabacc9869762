package prover

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
)

// translator puts the terms of an engine into the numbers of its machine, and
// back. What was met before it knows without a look at the codec.
type translator struct {
	codec  *codec
	terms  *terms
	layout *layout

	fluents   dictionary
	moves     dictionary
	toCodec   []gdl.TermID // any terms, by term
	fromCodec []gdl.TermID
	numbers   []uint32 // scratch

	toSemimove   map[semiKey]uint32
	fromSemimove []semimove // by number; without a row: not known yet
}

// dictionary has the numbers of terms, plus one, and the terms of numbers; 0:
// not known yet.
type dictionary struct {
	number []uint32
	term   []gdl.TermID
}

func (d *dictionary) learn(id gdl.TermID, n uint32) {
	d.number = remember(d.number, id, n)
	d.term = remember(d.term, n, id)
}

// forget gives up what is known in terms of a store.
func (t *translator) forget() {
	t.fluents, t.moves = dictionary{}, dictionary{}
	t.toCodec, t.fromCodec = nil, nil
	t.toSemimove, t.fromSemimove = nil, nil
}

// shared is the machine's number of a term, plus one.
func (t *translator) shared(d *dictionary, all *numbering, id gdl.TermID) uint32 {
	n := lookup(d.number, id)
	if n == 0 {
		n = t.share(all, id)
		d.learn(id, n)
	}
	return n
}

// local is the engine's term of a number, plus one.
func (t *translator) local(d *dictionary, all *numbering, n uint32) gdl.TermID {
	id := lookup(d.term, n)
	if id == 0 {
		id = t.fetch(all, n-1)
		d.learn(id, n)
	}
	return id
}

// share numbers a term of an engine.
func (t *translator) share(n *numbering, id gdl.TermID) uint32 {
	c := t.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	return n.give(copyTerm(c.store, t.terms.store, id, &t.toCodec))
}

// fetch brings the k-th term of a numbering into the store of the engine.
func (t *translator) fetch(n *numbering, k uint32) gdl.TermID {
	c := t.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	if int(k) >= len(n.terms) {
		panic(fmt.Sprintf("BUG: number %d is not of this machine", k))
	}
	return copyTerm(t.terms.store, c.store, n.terms[k], &t.fromCodec)
}

// sharedMove is the machine's number of a move.
func (t *translator) sharedMove(id gdl.TermID) uint32 {
	return t.shared(&t.moves, &t.codec.moves, id) - 1
}

// localMove is the engine's term of a move.
func (t *translator) localMove(n uint32) gdl.TermID {
	return t.local(&t.moves, &t.codec.moves, n+1)
}

// sharedSemimove is the machine's number of a semimove.
func (t *translator) sharedSemimove(choice int32, row []gdl.TermID) uint32 {
	code := t.layout.choices[choice].code
	k := semiKey{choice, instantiate(t.terms.store, code, row)}
	t.terms.check(k.code)
	if n, ok := t.toSemimove[k]; ok {
		return n
	}
	c := t.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	copied := make([]gdl.TermID, len(row))
	for i, id := range row {
		copied[i] = copyTerm(c.store, t.terms.store, id, &t.toCodec)
	}
	n := c.semis.give(semiKey{choice, instantiate(c.store, code, copied)}, copied)
	if t.toSemimove == nil {
		t.toSemimove = make(map[semiKey]uint32)
	}
	t.toSemimove[k] = n
	return n
}

// localSemimove is a semimove by its number, in terms of the engine.
func (t *translator) localSemimove(n uint32) semimove {
	if int(n) < len(t.fromSemimove) && t.fromSemimove[n].row != nil {
		return t.fromSemimove[n]
	}
	c := t.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	if int(n) >= len(c.semis.list) {
		panic(fmt.Sprintf("BUG: semimove %d is not of this machine", n))
	}
	shared := c.semis.list[n]
	s := semimove{shared.choice, make([]gdl.TermID, len(shared.row))}
	for i, id := range shared.row {
		s.row[i] = copyTerm(t.terms.store, c.store, id, &t.fromCodec)
	}
	if k := int(n) + 1; k > len(t.fromSemimove) {
		t.fromSemimove = append(t.fromSemimove, make([]semimove, k+k/2-len(t.fromSemimove))...)
	}
	t.fromSemimove[n] = s
	return s
}

// pack appends fluents as a state.
func (t *translator) pack(fluents []gdl.TermID, dst []uint64) []uint64 {
	t.numbers = t.numbers[:0]
	for _, id := range fluents {
		t.numbers = append(t.numbers, t.shared(&t.fluents, &t.codec.fluents, id))
	}
	slices.Sort(t.numbers)
	return packWords(t.numbers, dst)
}

// packWords appends numbers two to a word.
func packWords(numbers []uint32, dst []uint64) []uint64 {
	for i := 0; i < len(numbers); i += 2 {
		w := uint64(numbers[i])
		if i+1 < len(numbers) {
			w |= uint64(numbers[i+1]) << 32
		}
		dst = append(dst, w)
	}
	return dst
}

// unpack appends the fluents of a state.
func (t *translator) unpack(state []uint64, dst []gdl.TermID) []gdl.TermID {
	for _, w := range state {
		for _, n := range [2]uint32{uint32(w), uint32(w >> 32)} {
			if n != 0 {
				dst = append(dst, t.local(&t.fluents, &t.codec.fluents, n))
			}
		}
	}
	return dst
}
