package propnet

import "testing"

// The family of "some other one" over n inputs costs n log n gates of two,
// not n squared.
func TestSegments(t *testing.T) {
	const n = 64
	net := small(n, func(b *Builder, in []Node) Node {
		var all []Node
		for i := range in {
			others := append(append([]Node(nil), in[:i]...), in[i+1:]...)
			all = append(all, b.And(in[i], b.Or(others...)))
		}
		return b.Or(all...)
	})
	before := net.Stats().Binary
	after := Segments(net)
	if err := after.Check(); err != nil {
		t.Fatal(err)
	}
	if before < n*(n-2) || after.Stats().Binary > 9*n {
		t.Errorf("%d gates of two before, %d after", before, after.Stats().Binary)
	}
}
