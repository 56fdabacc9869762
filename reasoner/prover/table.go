package prover

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// table holds the answers to one call: linked rows in its space, in the
// order of their arrival.
type table struct {
	pattern     int32
	key         int32 // offset in space.keys
	first, last int32 // offsets in space.rows; 0: none
	width       int32 // columns
	n           int32 // number of answers; a table without columns has at most one
	readers     int32 // first consumer, 0: none
	lastReader  int32
	started     bool
	queued      bool
}

// consumer is a rule that waits for answers of a table of its own group.
type consumer struct {
	plan   *plan
	target int32 // table that the rule answers
	pc     int32 // the operation that waits
	regs   int32 // offset in space.saved
	seen   int32 // last row that was delivered; 0: none, -1: finished
	next   int32 // consumer of the same table, 0: none
}

// space is an arena of tables that are forgotten together. Slots carry a
// stamp, so that forgetting costs nothing.
type space struct {
	stamp     uint32
	tables    []table
	keys      []gdl.TermID
	rows      []gdl.TermID // [table, next, columns ...]; a row's offset is that of next; offset 0 is not used
	consumers []consumer   // 0 is not used
	saved     []gdl.TermID
	queue     []int32 // tables of the running groups with something to do

	tableSlots, rowSlots hashSlots
}

// hashSlots is an open hash table of numbers whose keys lie elsewhere.
type hashSlots struct {
	slots []slot
	used  int
}

func newSpace() *space {
	s := &space{stamp: 1, rows: make([]gdl.TermID, 1), consumers: make([]consumer, 1)}
	s.tableSlots.slots = make([]slot, 64)
	s.rowSlots.slots = make([]slot, 64)
	return s
}

// keepWords is the size up to which an arena is kept for the next state.
const keepWords = 1 << 22

func (s *space) reset() {
	s.stamp++
	if s.stamp == 0 || s.size() > keepWords {
		*s = *newSpace()
		return
	}
	s.tables = s.tables[:0]
	s.keys = s.keys[:0]
	s.rows = s.rows[:1]
	s.consumers = s.consumers[:1]
	s.saved = s.saved[:0]
	s.queue = s.queue[:0]
	s.tableSlots.used = 0
	s.rowSlots.used = 0
}

// size is the number of 4-byte words in use.
func (s *space) size() int {
	return 9*len(s.tables) + len(s.keys) + len(s.rows) + 7*len(s.consumers) + len(s.saved) + 2*s.rowSlots.used
}

func hashKey(pattern int32, key []gdl.TermID) uint64 {
	h := mix(hashSeed, gdl.TermID(pattern))
	for _, v := range key {
		h = mix(h, v)
	}
	return h * hashSeed
}

// find returns the table of a call, and whether it was made just now.
func (s *space) find(p *pattern, key []gdl.TermID) (int32, bool) {
	h := hashKey(p.id, key)
	mask := uint64(len(s.tableSlots.slots) - 1)
	i := h >> 32 & mask
	for ; s.tableSlots.slots[i].stamp == s.stamp; i = (i + 1) & mask {
		at := s.tableSlots.slots[i].at
		t := &s.tables[at]
		if t.pattern == p.id && slices.Equal(s.keys[t.key:int(t.key)+p.keys], key) {
			return at, false
		}
	}
	at := int32(len(s.tables))
	s.tables = append(s.tables, table{pattern: p.id, width: int32(p.width), key: int32(len(s.keys))})
	s.keys = append(s.keys, key...)
	s.tableSlots.slots[i] = slot{s.stamp, at}
	s.tableSlots.used++
	if s.tableSlots.used*2 > len(s.tableSlots.slots) {
		s.growTables()
	}
	return at, true
}

func (s *space) growTables() {
	s.tableSlots.slots = make([]slot, 4*len(s.tableSlots.slots))
	mask := uint64(len(s.tableSlots.slots) - 1)
	for at := range s.tables {
		t := &s.tables[at]
		end := len(s.keys)
		if at+1 < len(s.tables) {
			end = int(s.tables[at+1].key)
		}
		i := hashKey(t.pattern, s.keys[t.key:end]) >> 32 & mask
		for s.tableSlots.slots[i].stamp == s.stamp {
			i = (i + 1) & mask
		}
		s.tableSlots.slots[i] = slot{s.stamp, int32(at)}
	}
}

// commit makes the row that was appended at offset off an answer of the
// table, or takes it back if the table has it. It reports whether it is new.
func (s *space) commit(t int32, off, width int) bool {
	row := s.rows[off : off+1+width]
	h := hashKey(t, row[1:])
	mask := uint64(len(s.rowSlots.slots) - 1)
	i := h >> 32 & mask
	for ; s.rowSlots.slots[i].stamp == s.stamp; i = (i + 1) & mask {
		other := int(s.rowSlots.slots[i].at)
		if s.rows[other-1] == gdl.TermID(t) && slices.Equal(s.rows[other+1:other+1+width], row[1:]) {
			s.rows = s.rows[:off-1]
			return false
		}
	}
	s.rowSlots.slots[i] = slot{s.stamp, int32(off)}
	s.rowSlots.used++
	if s.rowSlots.used*2 > len(s.rowSlots.slots) {
		s.growRows()
	}
	tab := &s.tables[t]
	if tab.last != 0 {
		s.rows[tab.last] = gdl.TermID(off)
	} else {
		tab.first = int32(off)
	}
	tab.last = int32(off)
	tab.n++
	return true
}

func (s *space) growRows() {
	old := s.rowSlots.slots
	s.rowSlots.slots = make([]slot, 4*len(old))
	mask := uint64(len(s.rowSlots.slots) - 1)
	for _, o := range old {
		if o.stamp != s.stamp {
			continue
		}
		t := int32(s.rows[o.at-1])
		i := hashKey(t, s.rows[o.at+1:o.at+1+s.tables[t].width]) >> 32 & mask
		for s.rowSlots.slots[i].stamp == s.stamp {
			i = (i + 1) & mask
		}
		s.rowSlots.slots[i] = o
	}
}

// spaces are all tables of an evaluation, by where they live.
type spaces []*space

// forget empties a space.
func (all spaces) forget(which int) {
	if s := all[which]; len(s.tables) > 0 {
		s.reset()
	}
}

// forgetAll empties all spaces, whose tables may be half done.
func (all spaces) forgetAll() {
	for i := range all {
		all[i] = newSpace()
	}
}

// size is the number of 4-byte words in use.
func (all spaces) size() (n int) {
	for _, s := range all {
		n += s.size()
	}
	return n
}

// holds tells whether a table has an answer.
func (all spaces) holds(p *pattern, t int32) bool { return all[p.space].tables[t].n > 0 }

// column appends the answers of a table with one column.
func (all spaces) column(p *pattern, t int32, dst []gdl.TermID) []gdl.TermID {
	s := all[p.space]
	for at := s.tables[t].first; at != 0; at = int32(s.rows[at]) {
		dst = append(dst, s.rows[at+1])
	}
	return dst
}
