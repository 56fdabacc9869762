package minimax

import (
	"slices"
	"sync"
	"sync/atomic"

	"semisplit/internal/guard"
	"semisplit/search/internal/hashing"
)

// Several threads search the same root to the same depths, and share the table: what one of them
// has found of a state the others find there. They tell each other which states they are at, and
// what another one is at is searched last, when it is known in most cases (J.-C. Weill, The
// ABDADA Distributed Minimax Search Algorithm, 1996, as simplified by T. Kerrigan). And each
// begins at another move, every second one with the last.

// crew is what a thread knows of the others.
type crew struct {
	others []*AlphaBeta // of the first thread: the others
	number int          // from 0
	pairs  int          // of threads, the last one may be alone
	busy   *busy        // nil: there are no others
}

// gather has threads search together.
func gather(all []*AlphaBeta) {
	if len(all) == 1 {
		return
	}
	b := new(busy)
	for i, s := range all {
		s.crew = crew{number: i, pairs: (len(all) + 1) / 2, busy: b}
	}
	all[0].others = all[1:]
}

// begins is which of n brothers a thread searches in a turn.
func (c *crew) begins(turn, n int) int {
	if c.number == 0 {
		return turn
	}
	turn += n * (c.number / 2) / c.pairs
	if turn %= n; c.number%2 == 1 {
		turn = n - 1 - turn
	}
	return turn
}

// busy are hashes of states that are searched just now, each at the place that its last bits
// name, the latest of those that come to the same. 0 stands for none.
type busy [1 << 12]atomic.Uint64

func (b *busy) at(hash uint64) *atomic.Uint64 { return &b[hash%uint64(len(b))] }

func (b *busy) has(hash uint64) bool { return hash != 0 && b.at(hash).Load() == hash }

func (b *busy) add(hash uint64) {
	if hash != 0 {
		b.at(hash).Store(hash)
	}
}

func (b *busy) remove(hash uint64) {
	if hash != 0 {
		b.at(hash).CompareAndSwap(hash, 0)
	}
}

// clear forgets what a search that was ended has left.
func (b *busy) clear() {
	if b != nil {
		for i := range b {
			b[i].Store(0)
		}
	}
}

// busyHash is the hash of a child by which threads tell each other that they are at it; 0: it is
// searched so quickly that it is not worth telling, or there are no others.
func (s *AlphaBeta) busyHash(n *frame, place int) uint64 {
	i := int(n.order[place])
	if c := &n.children[i]; s.busy == nil || n.depth < leastBusy || c.ended || c.shut {
		return 0
	}
	return hashing.Words(n.stateOf(i))
}

// leastBusy is the depth of states from which on threads tell each other at which child they are.
const leastBusy = 3

// runTogether is run of all threads, until that of s ends. The deepest search counts. A thread
// that breaks down helps no more.
func (s *AlphaBeta) runTogether(l *limits) error {
	var halted atomic.Bool
	var group sync.WaitGroup
	deepened, faults := make([]bool, len(s.others)), make([]error, len(s.others))
	for i, o := range s.others {
		root, depth, best, forced := s.initial, s.depth, s.best, s.forced
		group.Go(func() {
			faults[i] = guard.Run(func() (err error) {
				deepened[i], err = o.help(root, depth, best, forced, &halted)
				return err
			})
		})
	}
	defer func() {
		halted.Store(true)
		group.Wait()
		kept := s.others[:0]
		for i, o := range s.others {
			if faults[i] != nil {
				s.field.states, s.leaves = s.field.states+o.field.states, s.leaves+o.leaves
				continue
			}
			s.takeOver(o, deepened[i])
			kept = append(kept, o)
		}
		s.others = kept
	}()
	return s.run(l)
}

// help searches a root that another thread searches as well, from a depth on that is taken to
// be known, until halted. deepened: it has come further.
func (s *AlphaBeta) help(root []uint64, depth, best int, f forced, halted *atomic.Bool) (deepened bool, err error) {
	if s.initial == nil || !slices.Equal(root, s.initial) {
		if err := s.setRoot(root); err != nil {
			return false, err
		}
	}
	s.depth, s.best, s.forced, s.proven = depth, best, f, false
	if err := s.run(&limits{stop: halted}); err != nil && !halted.Load() {
		return false, err
	}
	return s.depth > depth, nil
}

// takeOver takes what another thread has found, if it has come further.
func (s *AlphaBeta) takeOver(o *AlphaBeta, deepened bool) {
	s.field.uneven = s.field.uneven || o.field.uneven
	if deepened && o.depth > s.depth && !s.proven && slices.Equal(o.first.moves, s.first.moves) {
		s.best, s.value, s.depth, s.proven = o.best, o.value, o.depth, o.proven
	}
}

// made is how many joint moves were played, and how many states were evaluated, ever.
func (s *AlphaBeta) made() (states, leaves int) {
	states, leaves = s.field.states, s.leaves
	for _, o := range s.others {
		states, leaves = states+o.field.states, leaves+o.leaves
	}
	return states, leaves
}
