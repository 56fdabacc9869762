package games_test

// foxHounds: a fox, which is nowhere before it has chosen its square, and four
// hounds on the dark squares. A step is a square to enter, or two squares.
type foxHounds struct {
	fox     [2]int8 // column and row
	entered bool
	hounds  [4][2]int8
	turn    int // 0 for the fox
}

func init() { boards["foxandhounds"] = func() board { return &foxHounds{} } }

func (f *foxHounds) roles() [2]string { return [2]string{"fox", "hounds"} }

func (f *foxHounds) start() {
	*f = foxHounds{hounds: [4][2]int8{{1, 7}, {3, 7}, {5, 7}, {7, 7}}}
}

func (f *foxHounds) mover() int { return f.turn }

func (f *foxHounds) free(x, y int8) bool {
	if x < 0 || y < 0 || x > 7 || y > 7 || f.entered && f.fox == [2]int8{x, y} {
		return false
	}
	for _, h := range f.hounds {
		if h == [2]int8{x, y} {
			return false
		}
	}
	return true
}

func (f *foxHounds) moves(into []step) []step {
	if !f.entered {
		return append(into, step{0, 0}, step{2, 0}, step{4, 0}, step{6, 0})
	}
	try := func(x, y, dx, dy int8) {
		if f.free(x+dx, y+dy) {
			into = append(into, step{x, y, x + dx, y + dy})
		}
	}
	if f.turn == 0 {
		for _, d := range [4][2]int8{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			try(f.fox[0], f.fox[1], d[0], d[1])
		}
		return into
	}
	for _, h := range f.hounds {
		try(h[0], h[1], 1, -1)
		try(h[0], h[1], -1, -1)
	}
	return into
}

func (f *foxHounds) play(s step) {
	switch {
	case !f.entered:
		f.fox, f.entered = [2]int8{s[0], s[1]}, true
		return // and moves at once
	case f.turn == 0:
		f.fox = [2]int8{s[2], s[3]}
	default:
		for i, h := range f.hounds {
			if h == [2]int8{s[0], s[1]} {
				f.hounds[i] = [2]int8{s[2], s[3]}
			}
		}
	}
	f.turn = 1 - f.turn
}

func (f *foxHounds) home() bool { return f.entered && f.fox[1] == 7 }

func (f *foxHounds) over() bool {
	var buffer [8]step
	return f.home() || len(f.moves(buffer[:0])) == 0
}

func (f *foxHounds) goal(role int) int {
	if f.home() || f.turn == 1 {
		return points(0, role)
	}
	return points(1, role)
}

func (f *foxHounds) spell(s step) string {
	if !f.entered {
		return "(enter " + square(s[0], s[1]) + ")"
	}
	return "(move " + square(s[0], s[1]) + " " + square(s[2], s[3]) + ")"
}

func (f *foxHounds) fluents() []string {
	all := []string{"(control " + f.roles()[f.turn] + ")"}
	for x := range int8(8) {
		for y := x % 2; y < 8; y += 2 {
			content := "hound"
			switch {
			case f.free(x, y):
				content = "empty"
			case f.entered && f.fox == [2]int8{x, y}:
				content = "fox"
			}
			all = append(all, "(cell "+square(x, y)+" "+content+")")
		}
	}
	return all
}
