package prover

import "semisplit/reasoner/gdl"

// position is the true fluents: as a list, by term, and as rows by functor.
type position struct {
	fluents []gdl.TermID
	tables  []rows   // by fluent table
	stamps  []uint32 // by term: stamp if it is a true fluent
	stamp   uint32
	home    []int32 // by term: 1 + its fluent table, -1 for none, 0 not known yet
}

func newPosition(c *code) position {
	p := position{tables: make([]rows, len(c.fluents))}
	for i, f := range c.fluents {
		p.tables[i].width = f.name.arity
		for _, cols := range f.indexes {
			p.tables[i].indexOn(cols)
		}
	}
	return p
}

func (p *position) isTrue(t gdl.TermID) bool {
	return int(t) < len(p.stamps) && p.stamps[t] == p.stamp
}

// enter makes the fluents the position. Duplicates are fine. In a split game
// nothing is selected then, and every role is taken to be able to move.
func (p *position) enter(store *gdl.Store, c *code, fluents []gdl.TermID) {
	for i := range p.tables {
		p.tables[i].clear()
	}
	if lay := c.layout; lay != nil {
		for _, r := range lay.movable {
			p.tables[lay.movableTable(r)].n = 1
		}
	}
	p.stamp++
	if p.stamp == 0 {
		clear(p.stamps)
		p.stamp = 1
	}
	if n := store.Len() + 1; len(p.stamps) < n {
		p.stamps = append(p.stamps, make([]uint32, n+n/2-len(p.stamps))...)
		p.home = append(p.home, make([]int32, len(p.stamps)-len(p.home))...)
	}
	p.fluents = p.fluents[:0]
	for _, t := range fluents {
		if p.stamps[t] == p.stamp {
			continue
		}
		p.stamps[t] = p.stamp
		p.fluents = append(p.fluents, t)
		if p.home[t] == 0 {
			p.home[t] = -1
			if id, ok := c.byName[fluentName{store.Functor(t), len(store.Args(t))}]; ok {
				p.home[t] = id + 1
			}
		}
		if h := p.home[t]; h > 0 {
			p.tables[h-1].add(store.Args(t))
		}
	}
}
