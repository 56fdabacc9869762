package berlin

import "math/rand/v2"

// Heuristic is the agent of section 2.2.3 (Genghis Khan): soldiers go along links in
// proportion to what lies beyond them, and as many stay as enemies stand next to them. What
// a node is worth, 2 * points * 4 * gift (equation 2.5), counts by the inverse of its
// distance beyond a link, for nodes of others only: the thesis multiplies by the distance
// and subtracts what the side owns, which sends soldiers away from what it describes.
// dst has an order for each node.
func (m *Map) Heuristic(state []uint64, side int, dst []uint32) {
	var worth [mostLinks]float64
	var beyond [mostNodes]float64
	for p, node := range m.prizes {
		if owner, _ := at(state, node); owner != side+1 {
			for j, near := range m.near {
				beyond[j] += near[p]
			}
		}
	}
	for i := range m.Nodes {
		dst[i] = 0
		owner, soldiers := at(state, i)
		if owner != side+1 || soldiers == 0 {
			continue
		}
		sum, threat := 0.0, 0
		for k, j := range m.next[i] {
			if other, n := at(state, j); other != 0 && other != side+1 {
				threat += n
			}
			worth[k] = beyond[j]
			sum += worth[k]
		}
		dst[i] = share(soldiers, soldiers-threat, worth[:len(m.next[i])], sum)
	}
}

// seek finds what Heuristic asks for: the nodes that are worth anything, and what each of
// them is worth from each node.
func (m *Map) seek() {
	m.near = make([][]float64, len(m.Nodes))
	for node, n := range m.Nodes {
		if worth := float64(2 * n.Points * 4 * n.Gift); worth > 0 {
			m.prizes = append(m.prizes, node)
			for j := range m.Nodes {
				d := 1 + m.distance[j][node]
				m.near[j] = append(m.near[j], worth/(d*d))
			}
		}
	}
}

// share is the order that sends so many soldiers, in proportion to worth, and what is left
// over by one to each link, those of the most worth first. (The thesis divides it equally
// among all and names no order; most nodes send one soldier, so that decides where it goes.)
func share(soldiers, send int, worth []float64, sum float64) (order uint32) {
	if send <= 0 || sum == 0 {
		return 0
	}
	l := divide(soldiers)
	n := 0 // lots that can be sent without the rest being too few
	for n < l.n && l.size(0, n+1) <= send {
		n++
	}
	sent := 0
	var parts [mostLinks]int
	for k, w := range worth {
		parts[k] = int(float64(n) * w / sum)
		sent += parts[k]
	}
	for ; sent < n; sent++ {
		best := 0
		for k, w := range worth {
			if w > worth[best] {
				best = k
			}
		}
		parts[best]++
		worth[best] = 0
	}
	for k := range worth {
		order += uint32(parts[k]) * powers[k]
	}
	return order
}

// Random puts random orders into dst: for each node any is as likely as another.
func (m *Map) Random(state []uint64, side int, rng *rand.Rand, dst []uint32) {
	for i := range m.Nodes {
		dst[i] = 0
		if owner, soldiers := at(state, i); owner == side+1 {
			all := orders(divide(soldiers).n, len(m.next[i]))
			dst[i] = all[rng.IntN(len(all))]
		}
	}
}

// Front puts into dst how near each node is to the nearest that the other side owns: the
// nearer, the higher. It is what HE,K goes by in section 5.3.1.
func (m *Map) Front(state []uint64, side int, dst []float64) {
	for i := range m.Nodes {
		nearest := float64(2 * len(m.Nodes))
		for j := range m.Nodes {
			if owner, _ := at(state, j); owner == Sides-side {
				nearest = min(nearest, m.distance[i][j])
			}
		}
		dst[i] = -nearest
	}
}
