// Package small has two files that use each other, and one that only uses.
package small

// Box has a method of its own and one of what it holds.
type Box struct {
	inner
	width, height int
}

// Area calls what another file declares.
func (b *Box) Area() int { return product(b.width, b.height) }
