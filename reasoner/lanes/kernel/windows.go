package kernel

import "slices"

// stretch is how many accesses to memory the base registers stay for: with
// half or twice as many the code is no smaller.
const stretch = 256

// leaPays is the number of accesses from which on a base pays for the seven
// bytes that it takes to point it at a window: each saves three.
const leaPays = 3

// windows decides where the base registers point: for each stretch of
// accesses at the windows of 256 slots that it uses most. The code is made
// twice, as which slots it accesses is known only then: the first time the
// windows are noted.
type windows struct {
	noting bool
	used   []int32           // by access: window
	at     int               // accesses so far
	baseOf []int8            // by window: the base that points there, or 0
	holds  [len(bases)]int32 // by base: window
	counts []int32           // scratch, by window
	order  []int32           // scratch: windows
}

func newWindows(slots int) windows {
	n := slots/reach + 1
	return windows{noting: true, baseOf: make([]int8, n), counts: make([]int32, n)}
}

// again is for the second time.
func (ws *windows) again() windows {
	return windows{used: ws.used, baseOf: ws.baseOf, counts: ws.counts}
}

// reach says from which base a slot is accessed next, and how many slots
// behind it is.
func (ws *windows) reach(e *evex, slot int32) (base int, distance int32) {
	window := slot / reach
	if ws.noting {
		ws.used = append(ws.used, window)
		return 0, slot
	}
	if ws.at%stretch == 0 {
		ws.point(e, ws.used[ws.at:min(ws.at+stretch, len(ws.used))])
	}
	ws.at++
	base = int(ws.baseOf[window])
	return base, slot - ws.holds[base]*reach - reach/2
}

// point writes code that points the bases at what the next accesses use. The
// first one stays at window 0.
func (ws *windows) point(e *evex, next []int32) {
	clear(ws.counts)
	for _, w := range next {
		ws.counts[w]++
	}
	// worth counts a window that needs no instruction for more.
	worth := func(w int32) int32 {
		if ws.counts[w] > 0 && ws.baseOf[w] > 0 {
			return ws.counts[w] + leaPays - 1
		}
		return ws.counts[w]
	}
	ws.order = ws.order[:0]
	for w := int32(1); int(w) < len(ws.counts); w++ {
		if worth(w) >= leaPays {
			ws.order = append(ws.order, w)
		}
	}
	slices.SortStableFunc(ws.order, func(a, b int32) int { return int(worth(b) - worth(a)) })
	wanted := ws.order[:min(len(ws.order), len(bases)-1)]
	base := 1
	for _, w := range wanted {
		if ws.baseOf[w] > 0 {
			continue
		}
		for slices.Contains(wanted, ws.holds[base]) {
			base++
		}
		if old := ws.holds[base]; old > 0 {
			ws.baseOf[old] = 0
		}
		e.lea(base, int(w)*reach)
		ws.baseOf[w], ws.holds[base] = int8(base), w
		base++
	}
}
