package minimax

import "unsafe"

// blocks keep runs of elements of one kind, each addressed by its first one. They grow by
// pages, so that growing never copies; a run lies within a page.
type blocks[T any] struct {
	pages [][]T
	used  uint32 // elements up to the end of the last run
}

const (
	pageBits = 14
	pageSize = 1 << pageBits // elements; the longest run
)

// take begins a run of n elements, at most pageSize. They hold anything.
func (b *blocks[T]) take(n int) (at uint32) {
	at = b.used
	if left := pageSize - int(at&(pageSize-1)); n > left {
		at += uint32(left)
	}
	b.used = at + uint32(n)
	for int(b.used) > len(b.pages)<<pageBits {
		b.pages = append(b.pages, make([]T, pageSize))
	}
	return at
}

// run is the one of n elements that begins at a place.
func (b *blocks[T]) run(at uint32, n int) []T {
	if n == 0 {
		return nil
	}
	i := int(at & (pageSize - 1))
	return b.pages[at>>pageBits][i : i+n : i+n]
}

// at is an element.
func (b *blocks[T]) at(i uint32) *T { return &b.pages[i>>pageBits][i&(pageSize-1)] }

// bytes are those of all pages.
func (b *blocks[T]) bytes() int64 {
	var t T
	return int64(len(b.pages)) * pageSize * int64(unsafe.Sizeof(t))
}

// usedBytes are those of the pages that hold anything.
func (b *blocks[T]) usedBytes() int64 {
	var t T
	return int64(b.used) * int64(unsafe.Sizeof(t))
}
