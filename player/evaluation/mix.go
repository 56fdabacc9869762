package evaluation

import (
	"slices"

	"semisplit/player/evaluation/shapes"
)

// Mix moves an evaluation of the same machine a part of the way towards another.
func (e *Evaluation) Mix(other *Evaluation, part float64) {
	for r := range e.bias {
		e.bias[r] += part * (other.bias[r] - e.bias[r])
	}
	for i := range e.weights {
		e.weights[i] += float32(part) * (other.weights[i] - e.weights[i])
	}
	e.mixShapes(other, float32(part))
	e.fix()
}

// mixShapes is Mix of the entries of shapes. Kinds that one of the two does not know are
// worth nothing to it.
func (e *Evaluation) mixShapes(other *Evaluation, part float32) {
	own := other.entries
	if e.layout != other.layout {
		both, moved, err := e.union(other)
		if err != nil {
			return // too many shapes: e keeps its own
		}
		e.entries = append(slices.Clone(e.entries), make([]float32, both.Entries*e.roles-len(e.entries))...)
		e.layout, own = both, moved
	}
	for i := range e.entries {
		e.entries[i] += part * (own[i] - e.entries[i])
	}
}

// union lays out the kinds of e first, and then those of another evaluation that e does
// not have; entries are the other's by this layout.
func (e *Evaluation) union(other *Evaluation) (l *shapes.Layout, entries []float32, err error) {
	var set shapes.Set
	if e.layout != nil {
		set = e.layout.Set
	}
	var from shapes.Set
	if other.layout != nil {
		from = other.layout.Set
	}
	number := map[int32]int32{} // of a cell by its first bit: cells are disjoint
	set.Cells, set.Kinds = slices.Clone(set.Cells), slices.Clone(set.Kinds)
	for i, c := range set.Cells {
		for _, bit := range c.Bits {
			number[bit] = int32(i)
		}
	}
	place := make([]int32, len(from.Cells))
	for i, c := range from.Cells {
		if len(c.Bits) == 0 {
			place[i] = int32(len(set.Cells))
			set.Cells = append(set.Cells, c)
			continue
		}
		n, ok := number[c.Bits[0]]
		if !ok {
			n = int32(len(set.Cells))
			set.Cells = append(set.Cells, c)
		} else if own := set.Cells[n]; !slices.Equal(own.Bits, c.Bits) || !slices.Equal(own.Values, c.Values) || own.States != c.States {
			return nil, nil, shapes.ErrLayout
		}
		place[i] = n
	}
	same := make([]int, len(from.Kinds))
	for k, kind := range from.Kinds {
		moved := shapes.Kind{Name: kind.Name, Family: kind.Family}
		for _, shape := range kind.Shapes {
			cells := make([]int32, len(shape))
			for j, c := range shape {
				cells[j] = place[c]
			}
			moved.Shapes = append(moved.Shapes, cells)
		}
		if same[k] = slices.IndexFunc(set.Kinds, func(own shapes.Kind) bool {
			return slices.EqualFunc(own.Shapes, moved.Shapes, func(a, b []int32) bool { return slices.Equal(a, b) })
		}); same[k] < 0 {
			same[k] = len(set.Kinds)
			set.Kinds = append(set.Kinds, moved)
		}
	}
	if l, err = shapes.NewLayout(set, len(e.weights)/e.roles); err != nil {
		return nil, nil, err
	}
	entries = make([]float32, l.Entries*e.roles)
	for k := range from.Kinds {
		first, n := other.layout.First(k), other.layout.States(k)
		copy(entries[l.First(same[k])*e.roles:], other.entries[first*e.roles:(first+n)*e.roles])
	}
	return l, entries, nil
}

// moveShapes takes the shapes over to a machine with other bits for the fluents.
func (e *Evaluation) moveShapes(before, after []string) {
	if e.layout == nil {
		return
	}
	number := map[string]int32{}
	for bit, name := range after {
		if name != "" {
			number[name] = int32(bit)
		}
	}
	set := e.layout.Set
	set.Cells = make([]shapes.Cell, len(e.layout.Cells))
	for i, c := range e.layout.Cells {
		set.Cells[i].States = c.States
		for k, bit := range c.Bits {
			if now, ok := number[before[bit]]; ok {
				set.Cells[i].Bits, set.Cells[i].Values = append(set.Cells[i].Bits, now), append(set.Cells[i].Values, c.Values[k])
			}
		}
	}
	l, err := shapes.NewLayout(set, len(after))
	if err != nil { // names that fit no state: an evaluation without shapes is one all the same
		e.layout, e.entries = nil, nil
		return
	}
	e.layout, e.entries = l, slices.Clone(e.entries)
}
