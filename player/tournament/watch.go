package tournament

import (
	"context"
	"math"
	"slices"
	"sync"

	"semisplit/kif"
	"semisplit/player/local"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// watch sees a match: it counts faults, notes what was thought, and ends the match
// where it is decided.
type watch struct {
	job      MatchJob
	giveUp   context.CancelCauseFunc
	faults   []Side
	efforts  []local.Effort
	thoughts [][]Thought // by step

	mu     sync.Mutex // of what agents write while they think
	latest []Thought
	proven []int // goals by role
}

func newWatch(job MatchJob) *watch {
	n := len(job.Seats)
	return &watch{job: job, faults: make([]Side, n), efforts: make([]local.Effort, n)}
}

// thought takes what an agent thought.
func (w *watch) thought(role int, t *thinking) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := t.report
	w.efforts[role].Join(local.Effort{
		Moves: 1, Iterations: int64(r.Iterations), Playouts: int64(r.Playouts), States: int64(r.States), Time: t.took, Longest: t.took,
	})
	var line []string
	for _, joint := range t.line[:min(len(t.line), longestLine)] {
		line = append(line, kif.List(joint...).String())
	}
	w.latest = append(w.latest, Thought{
		Role: role, Iterations: r.Iterations, States: r.States, Millis: t.took.Milliseconds(),
		Values: rounded(r.Value), Low: rounded(r.Low), High: rounded(r.High), Line: line,
	})
	if w.job.Adjudicate.Proof {
		w.proven = goalsOf(r.Low, r.High)
	}
}

// goalsOf are goals that bounds leave no doubt about; nil: there is doubt.
func goalsOf(low, high []float64) (goals []int) {
	for role := range low {
		if role >= len(high) || math.Abs(low[role]-high[role]) > 1e-9 {
			return nil
		}
		goals = append(goals, int(math.Round(100*low[role])))
	}
	return goals
}

// rounded are figures as they are kept.
func rounded(values []float64) []float64 {
	list := slices.Clone(values)
	for i := range list {
		list[i] = math.Round(list[i]*1e4) / 1e4
	}
	return list
}

// observe is told of each state by the referee.
func (w *watch) observe(e referee.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for role, fault := range e.Faults {
		w.count(role, e, fault)
	}
	if e.Step > 0 {
		w.thoughts = append(w.thoughts, w.latest)
	}
	w.latest = nil
	if e.Terminal {
		return
	}
	if late := w.forfeited(); late != nil {
		w.giveUp(&ending{how: ByForfeit, forfeited: late})
		return
	}
	if slices.ContainsFunc(e.Faults, func(fault string) bool { return fault != "" }) {
		w.proven = nil // another move was played than the one that was proven
	}
	switch {
	case len(w.proven) == len(w.job.Seats) && len(w.proven) > 0:
		w.giveUp(&ending{how: ByProof, goals: w.proven})
	case w.job.Adjudicate.Length > 0 && e.Step >= w.job.Adjudicate.Length:
		goals := make([]int, len(w.job.Seats))
		for role := range goals {
			goals[role] = level
		}
		w.giveUp(&ending{how: ByLength, goals: goals})
	}
}

// level is the goal of everybody in a match that is too long.
const level = 50

// count takes note of a turn of a player.
func (w *watch) count(role int, e referee.Event, fault string) {
	if w.job.Seats[role].Peer && e.Step > 0 {
		w.efforts[role].Join(local.Effort{Moves: 1, Time: e.Elapsed[role], Longest: e.Elapsed[role]})
		w.latest = append(w.latest, Thought{Role: role, Millis: e.Elapsed[role].Milliseconds(), Fault: fault})
	} else if fault != "" {
		w.latest = append(w.latest, Thought{Role: role, Fault: fault})
	}
	switch {
	case fault == "":
	case e.Step == 0:
		w.faults[role].Absent = true
	case fault == protocol.FaultTimeout:
		w.faults[role].Late++
	case fault == protocol.FaultConnection:
		w.faults[role].Lost++
	default:
		w.faults[role].Illegal++
	}
}

// forfeited are the players that were at fault too often, on all their seats together.
func (w *watch) forfeited() (list []int) {
	turns := map[int]int{}
	for role, who := range w.job.Match.Seats {
		if who == Chance {
			continue
		}
		before := turns[who]
		turns[who] += w.faults[role].Turns()
		if before <= w.job.Faults && turns[who] > w.job.Faults {
			list = append(list, who)
		}
	}
	slices.Sort(list)
	return list
}
