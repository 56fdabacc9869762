package minimax

import (
	"math"
	"sync"
	"unsafe"
)

// table keeps what alpha-beta has found of states, in parts: each has a lock, so that
// threads seldom wait for each other.
type table struct {
	parts []part
	shift uint // of a hash, to the number of its part
}

// sharedBits is the logarithm of the number of parts where several threads share a table.
const sharedBits = 6

// newTable is one for so many threads.
func newTable(memory int64, threads int) *table {
	t := &table{shift: 64}
	if threads > 1 {
		t.shift -= sharedBits
	}
	t.parts = make([]part, 1<<(64-t.shift))
	for i := range t.parts {
		t.parts[i].most = max(tablePageBuckets, int(memory/int64(len(t.parts))/int64(unsafe.Sizeof(bucket{}))))
		t.parts[i].clear()
	}
	return t
}

// find is what is known of the state with a hash.
func (t *table) find(hash uint64) (e entry, ok bool) {
	p := &t.parts[hash>>t.shift]
	p.Lock()
	x := p.find(hash)
	if ok = x != nil; ok {
		e = *x
	}
	p.Unlock()
	return e, ok
}

// put keeps an entry.
func (t *table) put(e entry) {
	p := &t.parts[e.hash>>t.shift]
	p.Lock()
	p.put(e)
	p.Unlock()
}

// each does something with each part.
func (t *table) each(f func(*part)) {
	for i := range t.parts {
		f(&t.parts[i])
	}
}

// part is a bounded number of entries. Of those that come to the same bucket the deepest of
// this search stay.
//
// It grows by one bucket at a time (W. Litwin, Linear Hashing, 1980), into which the entries
// go that a longer part of their hash names: a table that doubles stands still for
// seconds where it holds ten million entries.
type part struct {
	sync.Mutex
	pages   []*tablePage
	buckets int  // in use: at least 1<<level, less than 2<<level
	level   uint // bits of a hash that name the buckets which are still to be split
	most    int  // buckets
	used    int  // entries that hold anything
	age     uint8
	epoch   uint8 // of the evaluation
}

type (
	bucket    [waysIn]entry
	tablePage [tablePageBuckets]bucket
)

// entry is what was found of a state. 16 bytes: a bucket is a line of the cache.
type entry struct {
	hash  uint64
	value int16  // a score
	best  uint16 // number of the best move
	depth uint8  // anyDepth: no estimate was used
	kind  kind
	age   uint8
	epoch uint8 // estimates of another one than the table's say nothing
}

// anyDepth is the depth of what holds for any.
const anyDepth = math.MaxUint8

const _ uint = anyDepth - mostDepth - 1 // no search is as deep

// whole tells whether no estimate was used.
func (e *entry) whole() bool { return e.depth == anyDepth }

// kind says what a value is.
type kind uint8

const (
	nothing kind = iota
	exact
	atLeast
	atMost
)

const (
	waysIn           = 4 // entries of a bucket
	tablePageBits    = 10
	tablePageBuckets = 1 << tablePageBits
	grownAt          = 4 // one entry in so many is used where it grows: few buckets are full then
)

func (t *part) bytes() int64 { return int64(len(t.pages)) * int64(unsafe.Sizeof(tablePage{})) }

// clear forgets everything.
func (t *part) clear() {
	t.pages = append(t.pages[:0:0], new(tablePage))
	t.buckets, t.level, t.used = tablePageBuckets, tablePageBits, 0
}

// forgetEstimates keeps values that no estimate was used for, and best moves. Entries are
// looked at when they are found: there may be gigabytes of them.
func (t *part) forgetEstimates() {
	if t.epoch++; t.epoch > 0 {
		return
	}
	for b := range t.buckets { // those of 256 evaluations ago would count again
		at := t.bucket(b)
		for i := range at {
			at[i].epoch = t.epoch - 1
			t.refresh(&at[i])
		}
	}
}

// refresh forgets an estimate of an entry that is not of the table's epoch.
func (t *part) refresh(x *entry) {
	if x.epoch == t.epoch {
		return
	}
	if x.epoch = t.epoch; x.kind != nothing && !x.whole() {
		x.kind, x.value, x.depth = atLeast, -infinite, 0
	}
}

func (t *part) bucket(b int) *bucket { return &t.pages[b>>tablePageBits][b&(tablePageBuckets-1)] }

// bucketOf is the one where the entry of a hash can be.
func (t *part) bucketOf(hash uint64) *bucket {
	b := int(hash & (2<<t.level - 1))
	if b >= t.buckets { // it is in the one that is still to be split
		b -= 1 << t.level
	}
	return t.bucket(b)
}

// find is the entry of a hash, valid until the next put; nil: there is none.
func (t *part) find(hash uint64) *entry {
	at := t.bucketOf(hash)
	for i := range at {
		if x := &at[i]; x.hash == hash && x.kind != nothing {
			t.refresh(x)
			return x
		}
	}
	return nil
}

// put keeps an entry.
func (t *part) put(e entry) {
	if grownAt*t.used > waysIn*t.buckets && t.buckets < t.most {
		t.split()
	}
	e.age, e.epoch = t.age, t.epoch
	at := t.bucketOf(e.hash)
	to, least := 0, 1<<30
	for i := range at {
		x := &at[i]
		if x.kind == nothing || x.hash == e.hash {
			to = i
			break
		}
		t.refresh(x)
		worth := int(x.depth)
		if x.age == t.age {
			worth += 1 << 10
		}
		if worth < least {
			to, least = i, worth
		}
	}
	if at[to].kind == nothing {
		t.used++
	}
	at[to] = e
}

// split makes a new bucket of a part of the next one that is to be split.
func (t *part) split() {
	if t.buckets == len(t.pages)<<tablePageBits {
		t.pages = append(t.pages, new(tablePage))
	}
	from, to := t.bucket(t.buckets-1<<t.level), t.bucket(t.buckets)
	all := *from
	*from = bucket{}
	stay, move := 0, 0
	for _, x := range all {
		switch {
		case x.kind == nothing:
		case x.hash>>t.level&1 == 0:
			from[stay] = x
			stay++
		default:
			to[move] = x
			move++
		}
	}
	if t.buckets++; t.buckets == 2<<t.level {
		t.level++
	}
}
