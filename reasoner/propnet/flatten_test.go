package propnet

import (
	"runtime"
	"testing"
)

func TestFlatten(t *testing.T) {
	once := small(4, func(b *Builder, in []Node) Node {
		return b.And(in[0], b.And(in[1], b.And(in[2], in[3])))
	})
	expectGates(t, Flatten(once), "6 = and 2 3 4 5", "terminal = 6")
	shared := small(4, func(b *Builder, in []Node) Node {
		both := b.And(in[0], in[1])
		return b.Or(b.And(both, in[2]), b.And(both, in[3]))
	})
	expectGates(t, Flatten(shared), "6 = and 2 3", "7 = and 4 6", "8 = and 5 6", "9 = or 7 8", "terminal = 9")
}

// A chain of gates becomes one, and a long chain some: their operands are not copied again at
// each gate.
func TestFlattenChain(t *testing.T) {
	for _, links := range []int{100, 8000} {
		b := NewBuilder(links)
		n := b.Input(0)
		for i := 1; i < links; i++ {
			n = b.Raw(And, n, b.Input(i))
		}
		net := b.Finish(&Net{Terminal: n, Next: inputs(b, links)})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		flat := Flatten(net)
		runtime.ReadMemStats(&after)
		gates := 0
		for _, op := range flat.Ops {
			if op == And {
				gates++
			}
		}
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; gates == 0 || links == 100 && gates > 1 || made > 300 {
			t.Errorf("%d links: %d gates, %d MB were made", links, gates, made)
		}
	}
}

func inputs(b *Builder, n int) (list []Node) {
	for i := range n {
		list = append(list, b.Input(i))
	}
	return list
}
