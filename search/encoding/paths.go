package encoding

import "slices"

// Paths numbers sequences of one length, in the order in which they come.
type Paths struct {
	length int
	flat   []uint32 // one after the other
	table  []uint32 // hash table of numbers plus one; 0: empty

	took    func(bytes int64) // told of memory that is taken; nil: nobody asks
	counted int64             // what it was told of
}

// CountTo tells a function of the memory that is taken, now and when it grows.
func (p *Paths) CountTo(took func(bytes int64)) {
	p.took, p.counted = took, 0
	p.count()
}

// Bytes is the memory that is taken.
func (p *Paths) Bytes() int64 { return 4 * int64(cap(p.flat)+len(p.table)) }

func (p *Paths) count() {
	if bytes := p.Bytes(); p.took != nil && bytes > p.counted {
		p.took(bytes - p.counted)
		p.counted = bytes
	}
}

// NewPaths makes one for sequences of a length.
func NewPaths(length int) *Paths { return &Paths{length: length, table: make([]uint32, 64)} }

// Path is the sequence with a number.
func (p *Paths) Path(number uint32) []uint32 {
	i := int(number) * p.length
	return p.flat[i : i+p.length]
}

// place is where a path is in the table, or would be.
func (p *Paths) place(path []uint32) int {
	h := uint64(len(path))
	for _, x := range path {
		h = (h ^ uint64(x)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	mask := len(p.table) - 1
	i := int(h) & mask
	for p.table[i] != 0 && !slices.Equal(p.Path(p.table[i]-1), path) {
		i = (i + 1) & mask
	}
	return i
}

// Find is the number of a path; false if it has none.
func (p *Paths) Find(path []uint32) (uint32, bool) {
	n := p.table[p.place(path)]
	return n - 1, n != 0
}

// Number is that of a path, which is kept.
func (p *Paths) Number(path []uint32) uint32 {
	i := p.place(path)
	if p.table[i] != 0 {
		return p.table[i] - 1
	}
	n := uint32(len(p.flat) / p.length)
	p.flat = append(p.flat, path...)
	p.table[i] = n + 1
	if int(n)*2 >= len(p.table) {
		p.table = make([]uint32, 2*len(p.table))
		for k := range n + 1 {
			p.table[p.place(p.Path(k))] = k + 1
		}
	}
	p.count()
	return n
}
