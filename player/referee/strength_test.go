package referee_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/referee"
)

// TestStrength plays series of 100 matches with seats swapped, in the long run.
func TestStrength(t *testing.T) {
	if !testenv.Long() {
		t.Skip("skipped: series of matches on the wall clock, in the long run (GGP_LONG)")
	}
	const n = 100
	timed := agent.Default()
	timed.General.Threads = 1
	for _, game := range []string{"breakthrough", "connectfour"} {
		t.Run("1 s against random on "+game, func(t *testing.T) {
			random := func(seed uint64) (referee.Seat, func()) { return referee.Random(seed), func() {} }
			series(t, contest{game: game, matches: n, parallel: 4, clock: time.Second, least: 95, a: agentSeat(timed), b: random})
		})
	}
	t.Run("ten times the iterations on connectfour", func(t *testing.T) {
		many, few := timed, timed
		many.Algorithm.Parameters.Iterations, few.Algorithm.Parameters.Iterations = 10000, 1000
		series(t, contest{game: "connectfour", matches: n, parallel: 2, clock: 20 * time.Second, least: 70, a: agentSeat(many), b: agentSeat(few)})
	})
}

type seatMaker func(seed uint64) (seat referee.Seat, release func())

func agentSeat(a agent.Agent) seatMaker {
	return func(seed uint64) (referee.Seat, func()) {
		p := player.New(player.Config{Agent: a, Matches: 1, Seed: seed})
		return referee.InProcess(a.Name, p), p.Close
	}
}

// contest is one series of matches between a and b.
type contest struct {
	game     string
	matches  int
	parallel int
	clock    time.Duration
	least    int // percent of the matches that a must win
	a, b     seatMaker
}

func series(t *testing.T, s contest) {
	game, err := games.Load(s.game)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var wins, draws, losses, faults int
	next := make(chan int)
	var group sync.WaitGroup
	for range s.parallel {
		group.Go(func() {
			for n := range next {
				a, releaseA := s.a(uint64(n))
				b, releaseB := s.b(uint64(n))
				seats := []referee.Seat{a, b}
				mine := n % 2
				if mine == 1 {
					seats[0], seats[1] = b, a
				}
				result, err := referee.Run(context.Background(), referee.Config{
					Match: fmt.Sprintf("series.%d", n), Game: s.game, Rules: parse(t, game.Rules), Seats: seats,
					StartClock: s.clock, PlayClock: s.clock, Seed: uint64(n),
				})
				releaseA()
				releaseB()
				mu.Lock()
				switch {
				case err != nil:
					t.Error(err)
				case result.Goals[mine] > result.Goals[1-mine]:
					wins++
				case result.Goals[mine] == result.Goals[1-mine]:
					draws++
				default:
					losses++
				}
				faults += result.FaultCount(mine)
				mu.Unlock()
			}
		})
	}
	for n := range s.matches {
		next <- n
	}
	close(next)
	group.Wait()
	t.Logf("%d wins, %d draws, %d losses, %d faults", wins, draws, losses, faults)
	if wins*100 < s.least*s.matches || faults > 0 {
		t.Errorf("asked: at least %d%% wins and no fault", s.least)
	}
}
