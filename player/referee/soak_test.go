package referee_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// soakGames are played in turn. They mix one, two and three roles,
// simultaneous moves, short and long matches.
var soakGames = []string{
	"tictactoe", "nim", "connectfour", "goofspiel", "trio", "eightpuzzle", "breakthrough", "tictactoe", "nim", "knightthrough", "goofspiel", "othello",
}

const (
	soakClock    = time.Second
	soakParallel = 6
	soakMatches  = 24 // that a player takes at a time: hostile managers leave some behind
)

// TestSoak plays matches over HTTP with short clocks, several at a time, with
// hostile managers beside them: in the long run many, which take the time that
// they have, else a few with few iterations for a move.
func TestSoak(t *testing.T) {
	matches, iterations := 8, int64(50)
	if testenv.Long() {
		matches, iterations = 300, 0
	}
	goroutines := runtime.NumGoroutine()
	s := &soak{t: t, whole: testenv.Long(), heap: make([]uint64, 0, 16)}
	var addrs []string
	var closers []func()
	for i := range 3 {
		addr, stop := serve(t, uint64(i), iterations)
		addrs, closers = append(addrs, addr), append(closers, stop)
	}
	s.play(addrs, matches)
	for _, stop := range closers {
		stop()
	}
	s.report(matches)
	s.checkLeaks(goroutines)
}

// serve starts a player on loopback, which takes so many iterations for a move;
// 0: as many as it has time for.
func serve(t *testing.T, seed uint64, iterations int64) (addr string, stop func()) {
	t.Helper()
	fixed := agent.Default()
	fixed.General.Threads, fixed.General.Memory = 1, 32<<20
	fixed.Algorithm.Parameters.Iterations = iterations
	log := slog.New(slog.DiscardHandler)
	p := player.New(player.Config{Agent: fixed, Matches: soakMatches, Seed: seed, Log: log})
	server := protocol.NewServer(p, protocol.ServerOptions{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	return l.Addr().String(), func() {
		p.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		<-done
	}
}

// soak gathers what happened.
type soak struct {
	t     *testing.T
	whole bool // late replies fail the test; a few matches beside other tests only report them

	mu      sync.Mutex
	slowest time.Duration
	where   string
	replies int
	late    []string
	illegal []string
	broken  []string
	heap    []uint64 // bytes in use after a collection, at regular points
	visits  int
	elapsed time.Duration
}

func (s *soak) play(addrs []string, matches int) {
	begin := time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	small, err := games.Load("tictactoe")
	if err != nil {
		s.t.Fatal(err)
	}
	var harassing sync.WaitGroup
	harassing.Go(func() {
		every := 100 * time.Millisecond
		if s.whole {
			every = time.Second
		}
		s.visits = harass(ctx, addrs, every, "x", kif.List(parse(s.t, small.Rules)...).String(), 1)
	})
	var group sync.WaitGroup
	next := make(chan int)
	for range min(soakParallel, matches) {
		group.Go(func() {
			for n := range next {
				s.match(addrs, n)
			}
		})
	}
	for n := range matches {
		if n%max(1, matches/10) == 0 {
			s.sample()
		}
		next <- n
	}
	close(next)
	group.Wait()
	cancel()
	harassing.Wait()
	s.sample()
	s.elapsed = time.Since(begin)
}

// sample notes the memory in use.
func (s *soak) sample() {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heap = append(s.heap, stats.HeapAlloc)
}

func (s *soak) match(addrs []string, n int) {
	name := soakGames[n%len(soakGames)]
	game, err := games.Load(name)
	if err != nil {
		s.t.Error(err)
		return
	}
	c := referee.Config{
		Match: fmt.Sprintf("soak.%d", n), Game: name, Rules: parse(s.t, game.Rules),
		StartClock: soakClock, PlayClock: soakClock, Grace: time.Second, Seed: uint64(n),
	}
	client := protocol.NewClient(protocol.ClientOptions{})
	for i := range roleCount(s.t, game.Rules) {
		remote, err := protocol.ParseRemote(addrs[(n+i)%len(addrs)])
		if err != nil {
			s.t.Error(err)
			return
		}
		c.Seats = append(c.Seats, referee.HTTP(client, remote))
	}
	c.Observe = func(e referee.Event) { s.observe(c.Match+" "+name, e) }
	result, err := referee.Run(context.Background(), c)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || result.Aborted {
		s.broken = append(s.broken, fmt.Sprintf("%s %s: %v %s", c.Match, name, err, result.Reason))
	}
}

func (s *soak) observe(where string, e referee.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for role, d := range e.Elapsed {
		at := fmt.Sprintf("%s step %d role %d after %v", where, e.Step, role, d)
		s.replies++
		if d > s.slowest {
			s.slowest, s.where = d, at
		}
		if d > soakClock || e.Faults[role] == "TO" {
			s.late = append(s.late, at)
		} else if e.Faults[role] != "" {
			s.illegal = append(s.illegal, at+": "+e.Faults[role])
		}
	}
}

func (s *soak) report(matches int) {
	s.t.Logf("%d matches with %d replies in %v, %d visits of hostile managers", matches, s.replies, s.elapsed.Round(time.Second), s.visits)
	s.t.Logf("slowest reply: %v (%s), clock %v", s.slowest, s.where, soakClock)
	megabytes := make([]string, len(s.heap))
	for i, b := range s.heap {
		megabytes[i] = fmt.Sprintf("%.1f", float64(b)/(1<<20))
	}
	s.t.Logf("MiB in use at regular points: %s", strings.Join(megabytes, " "))
	for what, list := range map[string][]string{"late": s.late, "illegal or unreadable": s.illegal, "broken": s.broken} {
		switch text := fmt.Sprintf("%d %s: %v", len(list), what, list[:min(len(list), 10)]); {
		case len(list) == 0:
		case what == "late" && !s.whole:
			s.t.Log(text)
		default:
			s.t.Error(text)
		}
	}
}

// checkLeaks wants goroutines and memory to be back where they were.
func (s *soak) checkLeaks(goroutines int) {
	for range 600 {
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines+2 {
		buf := make([]byte, 1<<16)
		s.t.Errorf("%d goroutines before, %d after:\n%s", goroutines, n, buf[:runtime.Stack(buf, true)])
	}
	s.sample()
	const slack = 8 << 20 // caches of the libraries
	if last := s.heap[len(s.heap)-1]; last > s.heap[0]+slack {
		s.t.Errorf("memory in use grew from %d to %d bytes", s.heap[0], last)
	}
	if s.whole {
		// While playing, memory follows the matches under way; its second half
		// must not stand above its first.
		half := len(s.heap) / 2
		if early, late := slices.Max(s.heap[1:half]), slices.Min(s.heap[half:len(s.heap)-1]); late > early+slack {
			s.t.Errorf("memory in use rises: at most %d bytes in the first half, at least %d in the second", early, late)
		}
	}
}

// roleCount is the number of roles of a description.
func roleCount(t *testing.T, rules string) int {
	t.Helper()
	n := 0
	for _, term := range parse(t, rules) {
		if term.IsList() && len(term.Items) == 2 && strings.EqualFold(term.Items[0].Name, "role") {
			n++
		}
	}
	return n
}
