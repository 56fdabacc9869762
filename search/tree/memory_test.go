package tree

import (
	"math"
	"testing"

	"semisplit/search/internal/arena"
)

func TestSpread(t *testing.T) {
	for _, n := range []uint32{0, 1, 2, 100, 4095, 4096, 4097, 8191, 8192, 100003, 1<<31 + 12345, math.MaxUint32} {
		want := math.Sqrt(math.Log(float64(max(n, 1))))
		if got := SqrtLog(n); math.Abs(got-want) > want/20000 {
			t.Errorf("spread of %d: %g, want %g", n, got, want)
		}
	}
}

// Large trees grow by slabs, within the bound to the last page; what they keep beside
// nodes and edges grows along, and counts.
func TestSlabs(t *testing.T) {
	const bound = 64 << 20
	s := new(Tree)
	s.Init([]int{1, 1}, bound)
	s.Edges.KeepProven()
	s.Edges.KeepBonuses()
	s.Index.KeepIndex(s)
	var row Rows[float32]
	AddRows(&s.Edges.Memory, &row, 6, func(n uint32) { clear(row.Of(n)) })
	semimoves := make([]uint32, 40)
	for n := s.NewNode([]uint64{1}, 0, false); n != 0; n = s.NewNode([]uint64{1}, 0, false) {
		s.Node(n).Virtual = 1 // the sweep leaves it alone
		trie, ok := s.Edges.NewTrie(semimoves, false)
		if !ok {
			break
		}
		row.Of(n)[5], s.Edges.BonusesOf(trie)[0] = 1, 1
		for s.Edges.Left(trie) > 0 && s.Edges.Open(trie, false) != 0 {
		}
	}
	if n := len(s.Edges.chunks.Pages); n < 2*arena.SlabPages {
		t.Errorf("%d pages of chunks only", n)
	}
	held := int64(len(s.Index.buckets)) * 4
	for k, pages := range []int{len(s.nodes.Pages), len(s.Edges.chunks.Pages), len(s.Edges.cells.Pages)} {
		held += int64(pages) * s.Edges.Memory.pageBytes(kind(k))
	}
	if s.Edges.Memory.Bytes != held || held > bound || held < bound*9/10 {
		t.Errorf("%d bytes counted, %d held", s.Edges.Memory.Bytes, held)
	}
	if len(row.pages) != len(s.nodes.Pages) || len(s.Edges.bonuses.Pages) != len(s.Edges.chunks.Pages) {
		t.Errorf("%d pages of rows for %d, %d of bonuses for %d", len(row.pages), len(s.nodes.Pages), len(s.Edges.bonuses.Pages), len(s.Edges.chunks.Pages))
	}
}

// A node that is solved stays longer than one that is not, also where no visit was counted.
func TestBusyness(t *testing.T) {
	rising := []Node{{}, {Visits: 1}, {Visits: 9}, {Flags: FlagSolved}, {Visits: 2, Flags: FlagSolved}, {Visits: math.MaxUint32, Flags: FlagSolved}}
	for i, n := range rising[1:] {
		if before := rising[i]; before.busyness() >= n.busyness() {
			t.Errorf("%+v counts %d, %+v %d", before, before.busyness(), n, n.busyness())
		}
	}
}
