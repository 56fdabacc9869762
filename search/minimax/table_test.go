package minimax

import (
	"testing"
	"unsafe"

	"semisplit/search/internal/random"
)

// A table that grows loses next to nothing as long as there is memory, and holds each entry
// once, where it is looked for. Within its memory the deepest entries stay.
func TestTable(t *testing.T) {
	if n := unsafe.Sizeof(bucket{}); n != 64 {
		t.Errorf("a bucket has %d bytes, a line of the cache 64", n)
	}
	const many = 200_000
	for _, memory := range []int64{1 << 30, many * int64(unsafe.Sizeof(entry{})) / 8} {
		x, rng := &newTable(memory, 1).parts[0], random.New(1, 2)
		hashes := make([]uint64, many)
		for i := range hashes {
			hashes[i] = rng.Uint64()
			e := entry{hash: hashes[i], value: int16(i % 10_000), best: uint16(i / 10_000), depth: uint8(1 + i%8), kind: exact}
			if i == 0 {
				e.depth = anyDepth
			}
			if x.put(e); x.find(e.hash) == nil || *x.find(e.hash) != e {
				t.Fatalf("entry %d is %+v, want %+v", i, x.find(e.hash), e)
			}
		}
		held, found, deep := 0, 0, 0
		for b := range x.buckets {
			at := x.bucket(b)
			for i := range at {
				if at[i].kind == nothing {
					continue
				}
				if held++; x.find(at[i].hash) != &at[i] {
					t.Fatalf("entry %+v of bucket %d is not found there", at[i], b)
				}
			}
		}
		if x.find(hashes[0]) == nil {
			t.Error("what holds for any depth is gone")
		}
		for i, hash := range hashes {
			if e := x.find(hash); e != nil && 10_000*int(e.best)+int(e.value) == i {
				if found++; e.depth == 8 {
					deep++
				}
			}
		}
		if held != x.used || found != held || x.bytes() > memory+int64(unsafe.Sizeof(tablePage{})) {
			t.Errorf("%d entries are held, %d counted, %d found, in %d bytes of %d", held, x.used, found, x.bytes(), memory)
		}
		switch {
		case memory == 1<<30 && found < many*96/100:
			t.Errorf("%d of %d entries are left", found, many)
		case memory < 1<<30 && (found > many/8 || deep < found/2):
			t.Errorf("%d entries are left, %d of them deep", found, deep)
		}
	}
}

// BenchmarkTable keeps a million entries.
func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		x, rng := newTable(1<<30, 1), random.New(1, 2)
		for range 1 << 20 {
			x.put(entry{hash: rng.Uint64(), depth: 1, kind: exact})
		}
	}
}
