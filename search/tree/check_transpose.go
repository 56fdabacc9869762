package tree

// alias checks an alias: a leaf, in the list of its node if it has one.
func (c *checker) alias(a uint32) {
	t := c.t
	nd := t.nodes.At(a)
	if !t.Index.Transposes() || nd.Flags&^FlagDiscarded != FlagUsed|FlagAlias || nd.words != 0 || nd.Children != 0 {
		c.fail("alias %d: flags %d, %d words, %d children", a, nd.Flags, nd.words, nd.Children)
		return
	}
	for r, trie := range t.Tries(a) {
		if trie != 0 {
			c.fail("alias %d: moves of role %d", a, r)
		}
	}
	n := t.Index.Target(a)
	if n == 0 {
		return
	}
	at := t.Index.crossings.At(a)
	if flags := t.nodes.At(n).Flags; flags&FlagUsed == 0 || flags&FlagAlias != 0 || flags&FlagShared == 0 {
		c.fail("alias %d: of node %d with flags %d", a, n, flags)
	}
	if before := at.hash; before == 0 && t.Index.crossings.At(n).first != a || before != 0 && t.Index.crossings.At(before).next != a {
		c.fail("alias %d: not in the list of node %d", a, n)
	}
	if at.next != 0 && t.Index.crossings.At(at.next).hash != a {
		c.fail("alias %d: is not the one before %d", a, at.next)
	}
}

// index checks that the index holds all nodes that it is to hold, by the hashes
// of their states, and that lists of aliases hold these alone.
func (c *checker) index() {
	t := c.t
	due := 0
	for n := range c.nodes {
		nd := t.nodes.At(n)
		if nd.Flags&FlagAlias != 0 {
			continue
		}
		for a := t.Index.crossings.At(n).first; a != 0; a = t.Index.crossings.At(a).next {
			if !c.nodes[a] || t.nodes.At(a).Flags&FlagAlias == 0 || t.Index.Target(a) != n {
				c.fail("node %d: %d is not its alias", n, a)
				return
			}
		}
		if nd.Flags&FlagTerminal == 0 && t.Index.crossings.At(n).epoch >= t.Index.since {
			due++
		}
	}
	held := 0
	for i, n := range t.Index.buckets {
		for ; n != 0 && c.err == nil; n = t.Index.crossings.At(n).next {
			at := t.Index.crossings.At(n)
			if held++; held > due || !c.nodes[n] || t.nodes.At(n).Flags&(FlagAlias|FlagTerminal) != 0 {
				c.fail("node %d is in the index", n)
			} else if h := HashState(t.Words(n, nil)); h != at.hash || h&uint32(len(t.Index.buckets)-1) != uint32(i) {
				c.fail("node %d: hash %x in bucket %d, its state has %x", n, at.hash, i, h)
			}
		}
	}
	if held != due && c.err == nil {
		c.fail("%d nodes in the index, %d are to be", held, due)
	}
}
