// Package arena keeps many elements of one kind, by number.
package arena

import "unsafe"

// Arenas grow by pages, so that growing never copies (a copy of a gigabyte
// would hold up a stop for half a second) and an address stays good.
const (
	PageBits = 9
	PageSize = 1 << PageBits
	PageMask = PageSize - 1
)

// Of holds elements of one kind, addressed from 1; 0 is "none".
type Of[T any] struct {
	Pages []*[PageSize]T
	Used  uint32 // indexes handed out so far, 0 included
}

// At is the element of a number that was handed out.
func (a *Of[T]) At(i uint32) *T { return &a.Pages[i>>PageBits][i&PageMask] }

// Full says that Take needs Grow first.
func (a *Of[T]) Full() bool { return a.Used == uint32(len(a.Pages))<<PageBits }

// SlabPages are the pages that a large arena grows by at once, some megabytes:
// few faults and few misses in the tables of addresses, if the system has huge
// pages. Without, a search with 400,000 new nodes took 10% more time.
const SlabPages = 64

// Grow adds one page, or SlabPages.
func (a *Of[T]) Grow(pages int) {
	if pages == SlabPages {
		slab := new([SlabPages][PageSize]T)
		adviseHuge(unsafe.Slice((*byte)(unsafe.Pointer(slab)), unsafe.Sizeof(*slab)))
		for i := range slab {
			a.Pages = append(a.Pages, &slab[i])
		}
	} else {
		a.Pages = append(a.Pages, new([PageSize]T))
	}
	if a.Used == 0 {
		a.Used = 1
	}
}

// Take hands out a number.
func (a *Of[T]) Take() uint32 {
	i := a.Used
	a.Used++
	return i
}
