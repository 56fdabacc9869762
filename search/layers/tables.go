package layers

import (
	"math/bits"

	"semisplit/search/internal/arena"
)

// layer holds states side by side.
type layer struct {
	words []uint64
	ends  []uint32 // by state: where its words end
}

func (l *layer) len() int { return len(l.ends) }

func (l *layer) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return l.ends[i-1]
}

func (l *layer) state(i int) []uint64 { return l.words[l.start(i):l.ends[i]] }

func (l *layer) add(state []uint64) {
	l.words = append(l.words, state...)
	l.ends = append(l.ends, uint32(len(l.words)))
}

func (l *layer) clear() { l.words, l.ends = l.words[:0], l.ends[:0] }

// candidate is a state that may come into the next layer. 24 bytes.
type candidate struct {
	hash, score  uint64
	parent, move uint32 // as in record
}

// record is a state that a pass has kept: how it was reached. 24 bytes.
type record struct {
	hash   uint64
	parent uint32 // record; 0 for the root
	move   uint32 // place among the parent's moves
	next   uint32 // record in the same bucket
}

// tables are the states of a pass. Records are found by chains through themselves, and not
// with package table, which took 1.2 to 1.3 times the time (BenchmarkLayers): most states
// are new, and an empty chain says so without a look at another state. Candidates move when
// they are narrowed, and so have places of their own.
type tables struct {
	layer      layer // being expanded
	first      uint32
	next       layer // the candidates' states
	candidates []candidate
	places     []uint32 // of candidates by hash, plus 1, in open addressing
	bar        uint64   // candidates with a lower score are not wanted
	scores     []uint64 // scratch

	records arena.Of[record]
	buckets []uint32 // by hash: the last record
	most    uint32   // records that memory has room for
}

// Memory: one half for the states of two layers with their candidates, the other
// for records. A width stands for twice as many candidates, which are narrowed
// together, and for the layer before them; slices that grow by doubling may have
// twice what they need.
const (
	recordBytes    = 24 + 2*4                 // with the buckets
	candidateBytes = 2 * (2*(24+4+8+4*4) + 4) // for each state of the width
	wordBytes      = 2 * 3 * 8                // the same, for each word of a state
	leastWidth     = 16
	mostWidth      = 1 << 17 // narrowing twice as many takes 12 ms with eight words a state; no stop is seen meanwhile
)

// widest is the width that the memory allows, for states of so many words.
func (t *tables) widest(words int, memory int64) int {
	return int(min(max(memory/2/int64(candidateBytes+words*wordBytes), leastWidth), mostWidth))
}

// clear begins a pass.
func (t *tables) clear(memory int64) {
	t.most = uint32(min(max(memory/2/recordBytes, 4*leastWidth), 1<<31))
	t.layer.clear()
	t.records.Used = min(t.records.Used, 1)
	t.buckets = t.buckets[:min(len(t.buckets), 64)]
	clear(t.buckets)
	t.clearNext()
}

func (t *tables) clearNext() {
	t.next.clear()
	t.candidates, t.bar = t.candidates[:0], 0
	t.places = t.places[:min(len(t.places), powerAbove(4*t.layer.len()))]
	clear(t.places)
}

// powerAbove is a power of two, at least n and 64.
func powerAbove(n int) int { return 1 << bits.Len(uint(max(n, 64)-1)) }

// resized is s with n elements of 0.
func resized(s []uint32, n int) []uint32 {
	if n > cap(s) {
		return make([]uint32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// isKnown says whether a state is a candidate, or was kept in an earlier layer.
func (t *tables) isKnown(hash uint64) bool {
	if n := len(t.buckets); n > 0 {
		for r := t.buckets[hash&uint64(n-1)]; r != 0; {
			at := t.records.At(r)
			if at.hash == hash {
				return true
			}
			r = at.next
		}
	}
	if len(t.places) == 0 {
		return false
	}
	for at := t.place(hash); t.places[at] != 0; at = (at + 1) & (len(t.places) - 1) {
		if t.candidates[t.places[at]-1].hash == hash {
			return true
		}
	}
	return false
}

// place is where the search for a hash begins; the low bits choose the bucket of
// records.
func (t *tables) place(hash uint64) int { return int(hash>>32) & (len(t.places) - 1) }

// add adds a candidate that is not known.
func (t *tables) add(c candidate, state []uint64) {
	t.candidates = append(t.candidates, c)
	t.next.add(state)
	if 2*len(t.candidates) > len(t.places) {
		t.places = resized(t.places, powerAbove(4*len(t.candidates)))
		t.placeAll()
		return
	}
	t.put(len(t.candidates) - 1)
}

func (t *tables) placeAll() {
	for i := range t.candidates {
		t.put(i)
	}
}

func (t *tables) put(i int) {
	at := t.place(t.candidates[i].hash)
	for t.places[at] != 0 {
		at = (at + 1) & (len(t.places) - 1)
	}
	t.places[at] = uint32(i + 1)
}

// isCrowded says whether the candidates must be narrowed.
func (t *tables) isCrowded(width int) bool { return len(t.candidates) >= 2*width }

// narrow keeps the width best candidates, in their order, and says whether it
// has left out any.
func (t *tables) narrow(width int) bool {
	if len(t.candidates) <= width {
		return false
	}
	t.scores = t.scores[:0]
	for i := range t.candidates {
		t.scores = append(t.scores, t.candidates[i].score)
	}
	t.bar = nth(t.scores, width-1)
	above := 0
	for i := range t.candidates {
		if t.candidates[i].score > t.bar {
			above++
		}
	}
	equal, kept, words := width-above, 0, 0
	for i, c := range t.candidates {
		if c.score < t.bar || c.score == t.bar && equal == 0 {
			continue
		}
		if c.score == t.bar {
			equal--
		}
		words += copy(t.next.words[words:], t.next.state(i))
		t.candidates[kept] = c
		t.scores[kept] = uint64(words) // not among the ends yet: the next state is found by the old ones
		kept++
	}
	for i := range kept {
		t.next.ends[i] = uint32(t.scores[i])
	}
	t.next.words, t.next.ends, t.candidates = t.next.words[:words], t.next.ends[:kept], t.candidates[:kept]
	clear(t.places)
	t.placeAll()
	return true
}

// nth is the score with n better ones, of scores that it reorders (Hoare's
// selection).
func nth(scores []uint64, n int) uint64 {
	low, high := 0, len(scores)-1
	for low < high {
		pivot := scores[(low+high)/2]
		i, j := low, high
		for i <= j {
			for scores[i] > pivot {
				i++
			}
			for scores[j] < pivot {
				j--
			}
			if i <= j {
				scores[i], scores[j] = scores[j], scores[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			high = j
		case n >= i:
			low = i
		default:
			return scores[n]
		}
	}
	return scores[n]
}

// commit makes the candidates the layer, with a record for each.
func (t *tables) commit() {
	if t.records.Used == 0 {
		t.records.Grow(1)
	}
	t.first = t.records.Used
	if n := int(t.records.Used) + len(t.candidates); n > len(t.buckets) {
		t.buckets = resized(t.buckets, powerAbove(2*n))
		for r := uint32(1); r < t.records.Used; r++ {
			t.enter(r)
		}
	}
	for _, c := range t.candidates {
		if t.records.Full() {
			t.growRecords()
		}
		r := t.records.Take()
		*t.records.At(r) = record{hash: c.hash, parent: c.parent, move: c.move}
		t.enter(r)
	}
	t.layer, t.next = t.next, t.layer
	t.clearNext()
}

// growRecords adds pages of records: a slab of them if there are many already,
// and memory for it.
func (t *tables) growRecords() {
	pages := 1
	if n := len(t.records.Pages); n >= arena.SlabPages && (n+arena.SlabPages)*arena.PageSize <= int(t.most) {
		pages = arena.SlabPages
	}
	t.records.Grow(pages)
}

// enter puts a record into its bucket.
func (t *tables) enter(r uint32) {
	at := t.records.At(r)
	link := &t.buckets[at.hash&uint64(len(t.buckets)-1)]
	at.next, *link = *link, r
}

// hasRoom says whether there is memory for records of the candidates.
func (t *tables) hasRoom() bool {
	return int64(t.records.Used)+int64(len(t.candidates)) <= int64(t.most)
}

// bytes is the memory that is held.
func (t *tables) bytes() int64 {
	n := 8*(cap(t.layer.words)+cap(t.next.words)+cap(t.scores)) + 4*(cap(t.layer.ends)+cap(t.next.ends)+cap(t.places)+cap(t.buckets))
	return int64(n + 24*(cap(t.candidates)+len(t.records.Pages)*arena.PageSize))
}
