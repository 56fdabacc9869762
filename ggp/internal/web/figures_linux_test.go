//go:build !race

package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"semisplit/ggp/internal/web"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/search"
)

// The figures of docs/web.md: make web-figures. They are no tests, since they depend on
// what else the machine does.
func wantsFigures(t *testing.T) {
	t.Helper()
	if os.Getenv("GGP_FIGURES") == "" {
		t.Skip("GGP_FIGURES is not set")
	}
}

const crowdVariable = "GGP_TEST_CROWD" // NUMBER URL: the process looks on, so often

// TestFiguresCrowd is the process of the spectators.
func TestFiguresCrowd(t *testing.T) {
	number, url, ok := strings.Cut(os.Getenv(crowdVariable), " ")
	if !ok {
		t.Skip(crowdVariable + " is not set")
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	var crowd sync.WaitGroup
	for range n {
		crowd.Go(func() {
			w, err := http.Get(url)
			if err != nil {
				return
			}
			defer w.Body.Close()
			_, _ = io.Copy(io.Discard, w.Body)
		})
	}
	crowd.Wait()
}

func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// feed tells for so long what a player tells that thinks, with a move every two seconds, and
// returns the processor time that the process took meanwhile. The thoughts are told
// again and again: nothing else takes time.
func feed(t *testing.T, s *web.Server, p *local.Player, mind local.Mind, step *int, d time.Duration) time.Duration {
	t.Helper()
	role, moves := kif.Symbol("white"), []kif.Term{kif.Symbol("noop"), kif.Symbol("noop")}
	cpu, tick := cpuTime(t), 0
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(400 * time.Millisecond) {
		if tick++; tick%5 == 0 {
			*step++
			s.Watch(player.WatchState{Match: "m", Role: role, Step: *step, State: p.Fluents(), Moves: moves})
		}
		s.Watch(player.WatchMind{Match: "m", Role: role, Step: *step, Mind: mind})
	}
	return cpuTime(t) - cpu
}

func TestFiguresSpectators(t *testing.T) {
	wantsFigures(t)
	const spectators, rounds = 200, 5
	s := serve(t, web.Config{WatchOnly: true})
	_, rules := bundled(t, "breakthrough")
	program, diagnostics := reasoner.Analyze(rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	a := small("figures")
	a.Algorithm.Parameters.Iterations = 0
	m, err := machines.NewCache(program, reasoner.DefaultLimits).ForAgent(t.Context(), a, a.Variant())
	if err != nil {
		t.Fatal(err)
	}
	thinker, err := local.NewPlayer(m, a, 0, 1, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	r, err := thinker.Prepare(search.Budget{Iterations: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	mind, step := thinker.Mind(r, 12), 0
	s.Watch(player.WatchStart{Match: "m", Role: m.Roles()[0], Player: "figures", Rules: rules})
	s.Watch(player.WatchState{Match: "m", Role: m.Roles()[0], State: thinker.Fluents()})
	const part = 10 * time.Second
	var costs []float64
	for range rounds {
		alone := feed(t, s, thinker, mind, &step, part)
		crowd := exec.Command("nice", "-n", "19", os.Args[0], "-test.run", "^TestFiguresCrowd$")
		crowd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %sapi/match/m/events", crowdVariable, spectators, s.URL()))
		if err := crowd.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); s.Looking() < spectators; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d spectators have come", s.Looking())
			}
		}
		time.Sleep(time.Second) // until they have what was before
		watched := feed(t, s, thinker, mind, &step, part)
		_ = crowd.Process.Kill()
		_ = crowd.Wait()
		for end := time.Now().Add(time.Minute); s.Looking() > 0 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		}
		costs = append(costs, 100*(watched-alone).Seconds()/part.Seconds())
	}
	slices.Sort(costs)
	fmt.Printf("%d spectators take %.1f %% of the time of one processor (median of %d rounds; %.1f to %.1f)\n",
		spectators, costs[rounds/2], rounds, costs[0], costs[rounds-1])
}

func TestFiguresPaint(t *testing.T) {
	wantsFigures(t)
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{})
	openRecord(t, ctx, s, recordOf(t, "a match"))
	address := value[string](t, ctx, "location.href")
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>a word</title><p>word")
	}))
	t.Cleanup(empty.Close)
	for _, page := range []string{address, s.URL() + "games/chess", empty.URL + "/a page of one word"} {
		var times []float64
		for range 9 {
			do(t, ctx, chromedp.Navigate(page))
			time.Sleep(400 * time.Millisecond) // who asks the page meanwhile takes the time that it needs
			do(t, ctx, until(`performance.getEntriesByName("first-contentful-paint").length > 0`))
			times = append(times, value[float64](t, ctx, `performance.getEntriesByName("first-contentful-paint")[0].startTime - performance.getEntriesByType("navigation")[0].responseEnd`))
		}
		slices.Sort(times)
		fmt.Printf("first paint of %s after the page's answer: median %.0f ms, slowest of 9 %.0f ms\n", strings.TrimPrefix(page, s.URL()), times[4], times[8])
	}
}

// TestFiguresLong tells how long a page takes to show a step at the beginning of a match
// and after a thousand.
func TestFiguresLong(t *testing.T) {
	wantsFigures(t)
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{})
	step := longMatch(t, s)
	do(t, ctx, chromedp.Navigate(s.URL()+"match/long"), until(`document.querySelector("#where").textContent === "step 0 of 0"`))
	part := func(from, to int) float64 {
		times := make([]float64, 0, to-from)
		for n := from; n < to; n++ {
			begun := time.Now()
			step(n)
			do(t, ctx, until(fmt.Sprintf(`document.querySelector("#where").textContent === "step %d of %d"`, n, n)))
			times = append(times, float64(time.Since(begun).Milliseconds()))
		}
		slices.Sort(times)
		return times[len(times)/2]
	}
	first := part(1, 40)
	for n := 40; n < 960; n++ {
		step(n)
	}
	do(t, ctx, until(`document.querySelector("#where").textContent === "step 959 of 959"`))
	fmt.Printf("a step is on the page after %.0f ms at the beginning of a match, and after %.0f ms behind a thousand steps (medians of 40; 150 ms of them are the server's pause)\n", first, part(960, 1000))
}
