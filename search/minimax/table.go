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

func (p *part) bytes() int64 { return int64(len(p.pages)) * int64(unsafe.Sizeof(tablePage{})) }

// clear forgets everything.
func (p *part) clear() {
	p.pages = append(p.pages[:0:0], new(tablePage))
	p.buckets, p.level, p.used = tablePageBuckets, tablePageBits, 0
}

// forgetEstimates keeps values that no estimate was used for, and best moves. Entries are
// looked at when they are found: there may be gigabytes of them.
func (p *part) forgetEstimates() {
	if p.epoch++; p.epoch > 0 {
		return
	}
	for b := range p.buckets { // those of 256 evaluations ago would count again
		at := p.bucket(b)
		for i := range at {
			at[i].epoch = p.epoch - 1
			p.refresh(&at[i])
		}
	}
}

// refresh forgets an estimate of an entry that is not of the table's epoch.
func (p *part) refresh(x *entry) {
	if x.epoch == p.epoch {
		return
	}
	if x.epoch = p.epoch; x.kind != nothing && !x.whole() {
		x.kind, x.value, x.depth = atLeast, -infinite, 0
	}
}

func (p *part) bucket(b int) *bucket { return &p.pages[b>>tablePageBits][b&(tablePageBuckets-1)] }

// bucketOf is the one where the entry of a hash can be.
func (p *part) bucketOf(hash uint64) *bucket {
	b := int(hash & (2<<p.level - 1))
	if b >= p.buckets { // it is in the one that is still to be split
		b -= 1 << p.level
	}
	return p.bucket(b)
}

// find is the entry of a hash, valid until the next put; nil: there is none.
func (p *part) find(hash uint64) *entry {
	at := p.bucketOf(hash)
	for i := range at {
		if x := &at[i]; x.hash == hash && x.kind != nothing {
			p.refresh(x)
			return x
		}
	}
	return nil
}

// put keeps an entry.
func (p *part) put(e entry) {
	if grownAt*p.used > waysIn*p.buckets && p.buckets < p.most {
		p.split()
	}
	e.age, e.epoch = p.age, p.epoch
	at := p.bucketOf(e.hash)
	to, least := 0, 1<<30
	for i := range at {
		x := &at[i]
		if x.kind == nothing || x.hash == e.hash {
			to = i
			break
		}
		p.refresh(x)
		worth := int(x.depth)
		if x.age == p.age {
			worth += 1 << 10
		}
		if worth < least {
			to, least = i, worth
		}
	}
	if at[to].kind == nothing {
		p.used++
	}
	at[to] = e
}

// split makes a new bucket of a part of the next one that is to be split.
func (p *part) split() {
	if p.buckets == len(p.pages)<<tablePageBits {
		p.pages = append(p.pages, new(tablePage))
	}
	from, to := p.bucket(p.buckets-1<<p.level), p.bucket(p.buckets)
	all := *from
	*from = bucket{}
	stay, move := 0, 0
	for _, x := range all {
		switch {
		case x.kind == nothing:
		case x.hash>>p.level&1 == 0:
			from[stay] = x
			stay++
		default:
			to[move] = x
			move++
		}
	}
	if p.buckets++; p.buckets == 2<<p.level {
		p.level++
	}
}
