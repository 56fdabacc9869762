package berlin

import "slices"

// Soldiers on a node move in lots: each alone if they are eight or fewer, else in eight that
// are as equal as they can be, the larger ones first. It bounds what a node can do (495 ways
// with four links), which grows beyond counting otherwise.
const mostLots = 8

// base is that of the digits of an order: how many lots go along each link, the first link
// in the lowest digit. They are taken off in this order; the rest stay.
const base = mostLots + 1

// lots are the soldiers of a node.
type lots struct {
	n       int // lots
	soldier int // in each
	larger  int // how many have one more
}

func divide(soldiers int) lots {
	if soldiers <= mostLots {
		return lots{n: soldiers, soldier: 1}
	}
	return lots{n: mostLots, soldier: soldiers / mostLots, larger: soldiers % mostLots}
}

// size is the number of soldiers in the lots from first to last, without the last.
func (l lots) size(first, last int) int {
	return (last-first)*l.soldier + max(0, min(last, l.larger)-first)
}

// orders are all orders for so many lots and links, in rising order.
func orders(n, links int) []uint32 {
	all := []uint32{0}
	weight := uint32(1)
	left := []int{n} // lots that are left, by order
	for range links {
		for i, order := range all[:len(all):len(all)] {
			for k := 1; k <= left[i]; k++ {
				all, left = append(all, order+uint32(k)*weight), append(left, left[i]-k)
			}
		}
		weight *= base
	}
	slices.Sort(all)
	return all
}
