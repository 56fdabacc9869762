package minimax

import "math"

// score is what a state is worth to one of two roles: the negative of it to the other.
// Estimates and ends that are no win lie between -evenly and evenly; a win is worth more
// the sooner it comes.
type score int32

const (
	evenly   = 10000
	winning  = 20000 // more than this is a win
	won      = 30000 // at once
	infinite = 32000
)

// up is what a value of a child is worth a joint move before.
func (v score) up() score {
	switch {
	case v > winning:
		return v - 1
	case v < -winning:
		return v + 1
	}
	return v
}

// down is the bound for children that a bound is.
func (v score) down() score {
	switch {
	case v >= infinite || v <= -infinite:
		return v
	case v >= winning:
		return v + 1
	case v <= -winning:
		return v - 1
	}
	return v
}

// scoreOf is the score of the values or goals of two roles, to the first of them.
func scoreOf(values []float32, ended bool) score {
	v := score(math.Round(float64(values[0]-values[1]) * evenly)) // 0.7 less 0.3 is 0.39999998
	if !ended {
		return min(max(v, -evenly+1), evenly-1)
	}
	if v >= evenly {
		return won
	}
	if v <= -evenly {
		return -won
	}
	return v
}

// value is what a score is worth to the first of two roles, in [0, 1].
func (v score) value() float64 {
	return (float64(min(max(v, -evenly), evenly))/evenly + 1) / 2
}

// seenBy is a score to the first role as a role sees it, and the other way round.
func (v score) seenBy(role int) score {
	if role == 0 {
		return v
	}
	return -v
}
