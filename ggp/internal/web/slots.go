package web

// slots are places that can be taken, so many at a time.
type slots chan struct{}

func newSlots(n int) slots { return make(slots, n) }

func (s slots) take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) give() { <-s }
