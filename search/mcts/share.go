package mcts

import "time"

// treeShare measures what part of its time a worker works on the tree: under
// the mutex that engines on one tree share, waiting for it not counted. One
// round of several is looked at, since the clock costs some 40 ns a time.
type treeShare struct {
	sampled      bool
	began, lock  time.Time
	round        time.Duration // tree work of this round
	held, rounds time.Duration // in all
}

const roundsPerSample = 8

func (s *treeShare) begin(round int) {
	if s.sampled = round%roundsPerSample == 0; s.sampled {
		s.began, s.round = time.Now(), 0
	}
}

func (s *treeShare) locked() {
	if s.sampled {
		s.lock = time.Now()
	}
}

func (s *treeShare) unlocked() {
	if s.sampled {
		s.round = time.Since(s.lock)
	}
}

// end counts a round, which is tree work and a Step.
func (s *treeShare) end() {
	if s.sampled {
		s.held += s.round
		s.rounds += time.Since(s.began)
	}
}
