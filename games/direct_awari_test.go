package games_test

import "fmt"

// awari: holes 0 to 5 are south's from its left, 6 to 11 north's. A step is a
// hole of the mover, or -1 for passing.
type awari struct {
	holes    [12]int8
	captured [2]int8
	turn     int
	made     int
}

func init() { boards["awari"] = func() board { return &awari{} } }

func (a *awari) roles() [2]string { return [2]string{"south", "north"} }

func (a *awari) start() {
	*a = awari{}
	for i := range a.holes {
		a.holes[i] = 4
	}
}

func (a *awari) mover() int { return a.turn }

func (a *awari) moves(into []step) []step {
	before := len(into)
	for i := range int8(6) {
		if a.holes[6*a.turn+int(i)] > 0 {
			into = append(into, step{i})
		}
	}
	if len(into) == before {
		into = append(into, step{-1})
	}
	return into
}

func (a *awari) play(s step) {
	other := 1 - a.turn
	if s[0] >= 0 {
		from := 6*a.turn + int(s[0])
		at := from
		hand := a.holes[from]
		a.holes[from] = 0
		for ; hand > 0; hand-- {
			at = (at + 1) % 12
			if at == from {
				at = (at + 1) % 12
			}
			a.holes[at]++
		}
		for at/6 == other && (a.holes[at] == 2 || a.holes[at] == 3) {
			a.captured[a.turn] += a.holes[at]
			a.holes[at] = 0
			if at--; at < 0 {
				break
			}
		}
	}
	a.turn = other
	a.made++
}

func (a *awari) over() bool {
	if a.made == 200 {
		return true
	}
	for _, n := range a.holes {
		if n > 1 {
			return false
		}
	}
	return true
}

func (a *awari) goal(role int) int {
	switch {
	case a.captured[0] > a.captured[1]:
		return points(0, role)
	case a.captured[0] < a.captured[1]:
		return points(1, role)
	}
	return points(-1, role)
}

func (a *awari) spell(s step) string {
	if s[0] < 0 {
		return "pass"
	}
	return fmt.Sprintf("(sow %c)", 'a'+s[0])
}

func (a *awari) fluents() []string {
	all := []string{"(control " + a.roles()[a.turn] + ")", fmt.Sprintf("(moves_made %d)", a.made)}
	for i, n := range a.captured {
		all = append(all, fmt.Sprintf("(captured %s %d)", a.roles()[i], n))
	}
	for i, n := range a.holes {
		all = append(all, fmt.Sprintf("(counters %s %c %d)", a.roles()[i/6], 'a'+i%6, n))
	}
	return all
}
