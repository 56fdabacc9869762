package gdl

import (
	"math"
	"slices"

	"semisplit/kif"
)

// TermID is the number of a ground term in a Store, from 1; 0 is no term.
// Equal terms have equal numbers.
type TermID int32

// Store holds ground terms, each once. One goroutine may add terms; when none
// does any more, all may read. Nothing is ever removed.
//
// Terms lie in flat arrays without pointers: finding a term that exists
// allocates nothing, and the garbage collector has nothing to walk.
//
// Arguments are shared, so that a few terms can stand for a text beyond any
// memory: (f a a), (f (f a a) (f a a)), and so on. Whoever makes terms of
// rules holds each new one against MaxTermSize and MaxTermDepth; what walks
// over terms as trees relies on that.
type Store struct {
	symbols *Symbols
	terms   []storedTerm // by TermID; the first is unused
	pool    []TermID     // the arguments of all compounds, one after the other
	consts  []TermID     // by Symbol: the constant, or 0; grows when needed
	table   []TermID     // compounds by hash, open addressing, 0 = free; a power of two long
	used    int          // compounds in the table
}

type storedTerm struct {
	fn    Symbol
	first int32 // of its arguments in the pool
	arity int32
	depth int32
	size  int32 // see Size
	hash  uint32
}

// Bounds of what can be a move, a fluent or anything else that is ever sent or
// written. Nothing in a published game has a hundred symbols. What is nested
// deeper than kif reads could be sent, but not read again; a message needs some
// of that depth for itself.
const (
	MaxTermSize  = 1 << 15 // symbols, see Store.Size
	MaxTermDepth = 900     // see Store.Depth
)

const firstTable = 1 << 8

// NewStore returns an empty store of terms with these names. FromKIF adds to
// the names; nothing else does.
func NewStore(symbols *Symbols) *Store {
	return &Store{symbols: symbols, terms: make([]storedTerm, 1), table: make([]TermID, firstTable)}
}

// Symbols returns the names that the terms are made of.
func (s *Store) Symbols() *Symbols { return s.symbols }

// Len returns one more than the number of terms: the bound of all TermIDs.
func (s *Store) Len() int { return len(s.terms) }

// Arguments returns how many arguments the terms have together.
func (s *Store) Arguments() int { return len(s.pool) }

// Const returns the constant of that name.
func (s *Store) Const(sym Symbol) TermID {
	if int(sym) < len(s.consts) {
		if id := s.consts[sym]; id != 0 {
			return id
		}
	} else {
		s.consts = append(s.consts, make([]TermID, max(int(sym)+1, s.symbols.Len())-len(s.consts))...)
	}
	id := TermID(len(s.terms))
	s.terms = append(s.terms, storedTerm{fn: sym, depth: 1, size: 1})
	s.consts[sym] = id
	return id
}

// Compound returns the term fn(args...), and without arguments the constant
// fn. The arguments are copied.
func (s *Store) Compound(fn Symbol, args []TermID) TermID {
	if len(args) == 0 {
		return s.Const(fn)
	}
	hash := hashTerm(fn, args)
	slot, found := s.locate(hash, fn, args)
	if found {
		return s.table[slot]
	}
	if 2*(s.used+1) > len(s.table) {
		s.grow()
		slot, _ = s.locate(hash, fn, args)
	}
	depth, size := int32(0), int64(1)
	for _, a := range args {
		depth = max(depth, s.terms[a].depth)
		size += int64(s.terms[a].size)
	}
	id := TermID(len(s.terms))
	s.terms = append(s.terms, storedTerm{fn, int32(len(s.pool)), int32(len(args)), depth + 1, int32(min(size, math.MaxInt32)), hash})
	s.pool = append(s.pool, args...)
	s.table[slot] = id
	s.used++
	return id
}

// FindConst returns the constant of that name, or 0 if it is not stored.
func (s *Store) FindConst(sym Symbol) TermID {
	if int(sym) < len(s.consts) {
		return s.consts[sym]
	}
	return 0
}

// FindCompound returns the term fn(args...), or 0 if it is not stored.
func (s *Store) FindCompound(fn Symbol, args []TermID) TermID {
	if len(args) == 0 {
		return s.FindConst(fn)
	}
	slot, _ := s.locate(hashTerm(fn, args), fn, args)
	return s.table[slot]
}

// locate returns the table's slot that holds the compound, or the free one
// where it belongs.
func (s *Store) locate(hash uint32, fn Symbol, args []TermID) (slot uint32, found bool) {
	mask := uint32(len(s.table) - 1)
	for slot = hash & mask; ; slot = (slot + 1) & mask {
		id := s.table[slot]
		if id == 0 {
			return slot, false
		}
		t := &s.terms[id]
		if t.hash == hash && t.fn == fn && slices.Equal(s.pool[t.first:t.first+t.arity], args) {
			return slot, true
		}
	}
}

func (s *Store) grow() {
	s.table = make([]TermID, 2*len(s.table))
	mask := uint32(len(s.table) - 1)
	for id, t := range s.terms {
		if t.arity == 0 {
			continue
		}
		slot := t.hash & mask
		for s.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		s.table[slot] = TermID(id)
	}
}

func hashTerm(fn Symbol, args []TermID) uint32 {
	h := uint64(uint32(fn)) * 0x9E3779B97F4A7C15
	for _, a := range args {
		h ^= uint64(uint32(a))
		h *= 0xBF58476D1CE4E5B9
		h ^= h >> 29
	}
	return uint32(h>>32) ^ uint32(h)
}

// Functor returns the name of a constant or the functor of a compound.
func (s *Store) Functor(id TermID) Symbol { return s.terms[id].fn }

// Args returns the arguments of a compound, nil for a constant. The caller
// must not change them; they stay valid while the store grows.
func (s *Store) Args(id TermID) []TermID {
	t := &s.terms[id]
	if t.arity == 0 {
		return nil
	}
	return s.pool[t.first : t.first+t.arity : t.first+t.arity]
}

// Depth returns 1 for a constant and one more than the deepest argument's for
// a compound.
func (s *Store) Depth(id TermID) int { return int(s.terms[id].depth) }

// Size returns how many symbols the term has when it is written out: what is
// shared counts as often as it stands there. math.MaxInt32 is that or more.
func (s *Store) Size(id TermID) int { return int(s.terms[id].size) }

// Fits tells whether the term is within MaxTermSize and MaxTermDepth.
func (s *Store) Fits(id TermID) bool { return s.Within(id, MaxTermSize, MaxTermDepth) }

// Within tells whether a term is within bounds of size and depth.
func (s *Store) Within(id TermID, size, depth int) bool {
	t := &s.terms[id]
	return int(t.size) <= size && int(t.depth) <= depth
}

// Bytes returns about how much memory the store takes.
func (s *Store) Bytes() int {
	return 24*cap(s.terms) + 4*(cap(s.pool)+cap(s.consts)+cap(s.table))
}

// KIF returns the term as text can show it.
func (s *Store) KIF(id TermID) kif.Term {
	name := kif.Symbol(s.symbols.Name(s.Functor(id)))
	args := s.Args(id)
	if args == nil {
		return name
	}
	items := make([]kif.Term, 1, 1+len(args))
	items[0] = name
	for _, a := range args {
		items = append(items, s.KIF(a))
	}
	return kif.List(items...)
}

// String returns the term on one line.
func (s *Store) String(id TermID) string { return string(s.Append(nil, id)) }

// Append appends what String gives to dst and returns the longer slice.
func (s *Store) Append(dst []byte, id TermID) []byte {
	args := s.Args(id)
	if args == nil {
		return append(dst, s.symbols.Name(s.Functor(id))...)
	}
	dst = append(dst, '(')
	dst = append(dst, s.symbols.Name(s.Functor(id))...)
	for _, a := range args {
		dst = append(dst, ' ')
		dst = s.Append(dst, a)
	}
	return append(dst, ')')
}

// FromKIF stores the term, adding names where they are new. "(f)" reads as
// "f". What is no ground term gives 0: a variable anywhere, the empty list, a
// list in place of a functor.
func (s *Store) FromKIF(t kif.Term) TermID {
	if !isGround(t) {
		return 0
	}
	return s.fromKIF(t)
}

func (s *Store) fromKIF(t kif.Term) TermID {
	if !t.IsList() {
		return s.Const(s.symbols.Intern(t.Name))
	}
	var buf [8]TermID
	args := buf[:0]
	for _, item := range t.Items[1:] {
		args = append(args, s.fromKIF(item))
	}
	return s.Compound(s.symbols.Intern(t.Items[0].Name), args)
}

// Find returns the number of the term if it is stored, and adds nothing.
func (s *Store) Find(t kif.Term) (TermID, bool) {
	if !t.IsList() {
		sym, ok := s.symbols.Lookup(t.Name)
		if !ok {
			return 0, false
		}
		id := s.FindConst(sym)
		return id, id != 0
	}
	if len(t.Items) == 0 || !t.Items[0].IsSymbol() {
		return 0, false
	}
	fn, ok := s.symbols.Lookup(t.Items[0].Name)
	if !ok {
		return 0, false
	}
	var buf [8]TermID
	args := buf[:0]
	for _, item := range t.Items[1:] {
		arg, ok := s.Find(item)
		if !ok {
			return 0, false
		}
		args = append(args, arg)
	}
	id := s.FindCompound(fn, args)
	return id, id != 0
}

// Clone returns a copy that grows on its own, with names of its own.
func (s *Store) Clone() *Store {
	return &Store{
		symbols: s.symbols.Clone(),
		terms:   slices.Clone(s.terms),
		pool:    slices.Clone(s.pool),
		consts:  slices.Clone(s.consts),
		table:   slices.Clone(s.table),
		used:    s.used,
	}
}

func isGround(t kif.Term) bool {
	if !t.IsList() {
		return t.IsSymbol()
	}
	if len(t.Items) == 0 || !t.Items[0].IsSymbol() {
		return false
	}
	for _, item := range t.Items[1:] {
		if !isGround(item) {
			return false
		}
	}
	return true
}
