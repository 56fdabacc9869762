package arena

import (
	"context"
	"slices"
	"sync"

	"semisplit/player/peer"
)

// cores deals out those of this machine to matches over HTTP. Safe for use by several
// goroutines.
type cores struct {
	mu    sync.Mutex
	all   int
	free  []int         // in order
	freed chan struct{} // closed when some come back; nil: nothing was dealt out yet
}

// take waits until n cores for each side are free. A machine that has fewer deals out all
// of them to one match at a time, whose sides share them; one whose system keeps no
// process on some of its cores deals out none.
func (c *cores) take(ctx context.Context, n int) (own [2][]int, giveBack func(), err error) {
	for {
		c.mu.Lock()
		if c.freed == nil {
			c.free, c.freed = peer.Cores(), make(chan struct{})
			c.all = len(c.free)
		}
		if want := min(2*n, c.all); len(c.free) >= want {
			taken := slices.Clone(c.free[:want])
			c.free = slices.Delete(c.free, 0, want)
			c.mu.Unlock()
			if want == 2*n {
				own = [2][]int{taken[:n], taken[n:]}
			}
			return own, func() { c.giveBack(taken) }, nil
		}
		freed := c.freed
		c.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return own, nil, context.Cause(ctx)
		}
	}
}

func (c *cores) giveBack(taken []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, taken...)
	slices.Sort(c.free)
	close(c.freed)
	c.freed = make(chan struct{})
}
