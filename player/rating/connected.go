package rating

// beats lists, for each competitor, whom it came before, or was level with.
// Those who are level count both ways: a draw says that neither is out of reach.
func (m *model) beats() [][]int {
	next := make([][]int, m.n)
	for _, c := range m.choices {
		for i, a := range c.from {
			if c.taken&(1<<i) == 0 {
				continue
			}
			for j, b := range c.from {
				if i != j {
					next[a] = append(next[a], b)
				}
			}
		}
	}
	return next
}

// connected tells whether everybody can be reached from everybody by wins and
// draws. Otherwise the likelihood has no maximum (Ford 1957).
func (m *model) connected() bool {
	forth := m.beats()
	back := make([][]int, m.n)
	for a, list := range forth {
		for _, b := range list {
			back[b] = append(back[b], a)
		}
	}
	return reached(forth) == m.n && reached(back) == m.n
}

// reached counts who can be reached from the first.
func reached(next [][]int) int {
	seen := make([]bool, len(next))
	seen[0] = true
	count := 1
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, to := range next[queue[0]] {
			if !seen[to] {
				seen[to] = true
				count++
				queue = append(queue, to)
			}
		}
	}
	return count
}

// open marks who never came before anybody, or never behind.
func (m *model) open(list []Rating) {
	won, lost := make([]bool, m.n), make([]bool, m.n)
	for _, c := range m.choices {
		for i, who := range c.from {
			switch level := c.taken&(c.taken-1) != 0; {
			case c.taken&(1<<i) == 0:
				lost[who] = true
			case level:
				won[who], lost[who] = true, true
			default:
				won[who] = true
			}
		}
	}
	for i := range list {
		list[i].Open = list[i].Open || !won[i] || !lost[i]
	}
}
