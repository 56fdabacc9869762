package player

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/choice"
	"semisplit/protocol"
	"semisplit/reasoner"
	"semisplit/search"
)

// napping is a tree that sleeps instead of searching, so that it can run on
// the clock of a test. It recommends the last legal move.
type napping struct {
	board *board.Board
	slow  time.Duration // how much longer than told it searches
	panic bool
	err   error
	heard func(root *board.Board, b search.Budget) // of each search; nil: nobody listens
}

func (n *napping) SetRoot(state []uint64) error { return n.board.Set(state) }

func (n *napping) Advance(joint []uint32) bool { return n.board.Moved(joint) == nil }

func (n *napping) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	if n.panic {
		panic("no search today")
	}
	if n.heard != nil {
		n.heard(n.board, b)
	}
	start := time.Now()
	for !stop.Load() && time.Since(start) < b.Time {
		time.Sleep(time.Millisecond)
	}
	if stop.Load() {
		time.Sleep(n.slow)
	}
	return search.Report{Iterations: 1000, Playouts: 1000, Nodes: 10, Elapsed: time.Since(start)}, n.err
}

func (n *napping) RootEdges(int) []search.EdgeStats { return nil }

func (n *napping) Best(role int) ([]uint32, bool) {
	paths := n.board.Paths(role)
	if len(paths) == 0 {
		return nil, false
	}
	return paths[len(paths)-1], true
}

// bench is a player with a log that can be read, and with napping trees.
type bench struct {
	*Player
	mu  sync.Mutex
	log bytes.Buffer
	nap napping
}

func (b *bench) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.Write(p)
}

// logs is all that was logged, once every goroutine of the bubble sleeps: the
// line of a turn is written after its reply.
func (b *bench) logs() string {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.String()
}

func (b *bench) logged(text string) bool {
	return strings.Contains(b.logs(), text)
}

func newBench(t *testing.T, nap napping) *bench {
	b := &bench{nap: nap}
	b.Player = New(Config{Seed: 1, Log: slog.New(slog.NewTextHandler(b, nil))})
	b.newTree = func(m reasoner.Machine, _ agent.Agent, seed uint64) search.Algorithm {
		root, err := board.New(m, seed, new(atomic.Bool))
		if err != nil {
			t.Error(err)
		}
		return &napping{root, b.nap.slow, b.nap.panic, b.nap.err, b.nap.heard}
	}
	return b
}

func rules(t *testing.T, game string) []kif.Term {
	t.Helper()
	g, err := games.Load(game)
	if err != nil {
		t.Fatal(err)
	}
	terms, err := kif.Parse(g.Rules)
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

func term(t *testing.T, text string) kif.Term {
	t.Helper()
	parsed, err := kif.ParseTerm(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// roles of the bundled tic-tac-toe, as they are spelled there.
func ticTacToe(t *testing.T) (text []kif.Term, m reasoner.Machine) {
	t.Helper()
	text = rules(t, "tictactoe")
	program, diagnostics := reasoner.Analyze(text)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := reasoner.NewProver(program)
	if err != nil {
		t.Fatal(err)
	}
	return text, m
}

func (b *bench) begin(t *testing.T, match string, role int, clock time.Duration) string {
	text, m := ticTacToe(t)
	return b.Start(context.Background(), protocol.Start{
		Match: match, Role: m.Roles()[role], Rules: text, StartClock: clock, PlayClock: clock, Received: time.Now(),
	})
}

func (b *bench) ask(match string, moves ...kif.Term) (move kif.Term, ok bool, took time.Duration) {
	start := time.Now()
	move, ok = b.Play(context.Background(), protocol.Play{Match: match, Moves: moves, Received: start})
	return move, ok, time.Since(start)
}

// A machine that was stopped for two turns finds both messages at once, and may take in
// the later one first. The match goes on where its manager is.
func TestLaterMessageFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		defer b.Close()
		b.begin(t, "m", 0, time.Second)
		b.ask("m")
		_, m := ticTacToe(t)
		judge, err := board.New(m, 1, new(atomic.Bool))
		if err != nil {
			t.Fatal(err)
		}
		play := func(x, o string) []kif.Term {
			moves := []kif.Term{term(t, x), term(t, o)}
			if err := judge.Play(moves); err != nil {
				t.Fatal(err)
			}
			return moves
		}
		earlier := protocol.Play{Match: "m", Moves: play("(mark a 1)", "noop"), Received: time.Now().Add(2 * time.Second)}
		later := protocol.Play{Match: "m", Moves: play("noop", "(mark b 2)"), Received: time.Now().Add(4 * time.Second)}
		time.Sleep(4100 * time.Millisecond)
		reply := make(chan kif.Term)
		go func() {
			move, _ := b.Play(context.Background(), later)
			reply <- move
		}()
		synctest.Wait()
		b.Play(context.Background(), earlier)
		if move := <-reply; !legal(judge, move) {
			t.Errorf("%v is not legal after both\n%s", move, b.logs())
		}
		if move, _, _ := b.ask("m", play("(mark c 3)", "noop")...); !legal(judge, move) {
			t.Errorf("%v is not legal in the next turn\n%s", move, b.logs())
		}
	})
}

func legal(judge *board.Board, move kif.Term) bool {
	_, ok := judge.Find(0, move)
	return ok
}

func TestClocks(t *testing.T) {
	for _, test := range []struct {
		name        string
		nap         napping
		least, most time.Duration // of a reply, with a clock of 1 s
		logged      string
	}{
		{"search", napping{}, 845 * time.Millisecond, 860 * time.Millisecond, "source=search"},
		{"search that does not end", napping{slow: 3 * time.Second}, 920 * time.Millisecond, 935 * time.Millisecond, "left=75ms"},
		{"panic", napping{panic: true}, 0, 10 * time.Millisecond, "no search today"},
		{"error", napping{err: errors.New("lost in the rules")}, 0, 10 * time.Millisecond, "lost in the rules"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, test.nap)
				defer b.Close()
				start := time.Now()
				if got := b.begin(t, "m", 0, time.Second); got != "ready" {
					t.Fatalf("START: %q", got)
				}
				if took := time.Since(start); took > 900*time.Millisecond {
					t.Errorf("ready after %v of 1 s", took)
				}
				time.Sleep(time.Second - time.Since(start))
				move, ok, took := b.ask("m")
				if !ok || took < test.least || took > test.most {
					t.Errorf("PLAY: %v, %v after %v; want a reply between %v and %v", move, ok, took, test.least, test.most)
				}
				_, m := ticTacToe(t)
				judge, err := board.New(m, 1, new(atomic.Bool))
				if err != nil {
					t.Fatal(err)
				}
				if _, legal := judge.Find(0, move); !legal {
					t.Errorf("%v is not legal", move)
				}
				if !b.logged(test.logged) {
					t.Errorf("nothing about %q in the log:\n%s", test.logged, b.logs())
				}
				if got := b.Stop(context.Background(), protocol.Play{Match: "m"}); got != "done" {
					t.Errorf("STOP: %q", got)
				}
			})
		})
	}
}

// A whole match in which the other side plays its first legal move, with the
// manager in upper case. An only move is sent at once by a prompt player, and
// after a search by any other, which is told that nobody waits for it.
func TestMatch(t *testing.T) {
	t.Run("prompt", func(t *testing.T) { testMatch(t, true) })
	t.Run("patient", func(t *testing.T) { testMatch(t, false) })
}

func testMatch(t *testing.T, prompt bool) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{heard: func(root *board.Board, b search.Budget) {
			if b.Idle == root.HasChoice(1) {
				t.Errorf("idle: %v, with a choice: %v", b.Idle, root.HasChoice(1))
			}
		}})
		defer b.Close()
		b.core.prompt = prompt
		b.begin(t, "m", 1, 2*time.Second)
		_, m := ticTacToe(t)
		judge, err := board.New(m, 1, new(atomic.Bool))
		if err != nil {
			t.Fatal(err)
		}
		var last []kif.Term
		for turn := 0; !judge.Terminal(); turn++ {
			legal := judge.Moves(1)
			move, ok, took := b.ask("m", last...)
			switch {
			case !ok || took >= 2*time.Second:
				t.Fatalf("turn %d: %v, %v after %v", turn, move, ok, took)
			case len(legal) == 1 && prompt != (took < 10*time.Millisecond):
				t.Errorf("turn %d: %v for the only move", turn, took)
			case !slices.ContainsFunc(legal, func(m kif.Term) bool { return kif.Equal(m, move) }):
				t.Fatalf("turn %d: %v is not legal", turn, move)
			}
			again, _, took := b.ask("m", last...)
			if !kif.Equal(again, move) || took > 10*time.Millisecond {
				t.Errorf("turn %d: the repeated request gets %v after %v", turn, again, took)
			}
			played := []kif.Term{judge.Moves(0)[0], move}
			if err := judge.Play(played); err != nil {
				t.Fatal(err)
			}
			last = []kif.Term{term(t, strings.ToUpper(played[0].String())), term(t, strings.ToUpper(move.String()))}
		}
		b.Stop(context.Background(), protocol.Play{Match: "m", Moves: last})
		time.Sleep(time.Second)
		if !b.logged("match over") || !b.logged("terminal=true") {
			t.Errorf("no result in the log:\n%s", b.logs())
		}
		if b.logged("level=WARN") || b.logged("level=ERROR") {
			t.Errorf("trouble in the log:\n%s", b.logs())
		}
	})
}

// A manager that closes its direction with its request still reads the reply.
func TestHalfClosed(t *testing.T) {
	p := New(Config{Seed: 1, Think: 300 * time.Millisecond})
	defer p.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := protocol.NewServer(p, protocol.ServerOptions{Grace: time.Minute})
	go func() { _ = s.Serve(l) }()
	defer func() { _ = s.Shutdown(context.Background()) }()
	say := func(message string) string {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		_, err = fmt.Fprintf(c, "POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s", len(message), message)
		if err := errors.Join(err, c.SetDeadline(time.Now().Add(time.Minute)), c.(*net.TCPConn).CloseWrite()); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(got), "\r\n\r\n")
		return text
	}
	if got := say("(START m x " + kif.List(rules(t, "tictactoe")...).String() + " 60 60)"); got != "ready" {
		t.Errorf("START: %q", got)
	}
	if got := say("(PLAY m NIL)"); got == "busy" || got == "" {
		t.Errorf("PLAY: %q", got)
	}
}

// The rules take longer than the clocks: there is a reply all the same.
func TestSlowRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		defer b.Close()
		read := b.source
		b.source = func(ctx context.Context, rules []kif.Term) (source, error) {
			time.Sleep(5 * time.Second)
			return read(ctx, rules)
		}
		if got := b.begin(t, "m", 0, time.Second); got != "ready" {
			t.Fatalf("START: %q", got)
		}
		move, ok, took := b.ask("m")
		if !ok || took >= time.Second || move.String() == "" {
			t.Errorf("%v, %v after %v", move, ok, took)
		}
	})
}

// Rules that cannot be played, roles that do not exist, and a compiler that
// panics: ready, harmless moves, and the service goes on.
func TestUnplayable(t *testing.T) {
	for name, text := range map[string]string{
		"no rules":      "",
		"unstratified":  "(role a) (<= (p) (not (p))) (<= (legal a go) (p)) (<= (next (q)) (p)) (<= terminal (p)) (goal a 0)",
		"another role":  "(role b) (init (s 1)) (legal b go) (next (s 1)) (<= terminal (true (s 2))) (goal b 0)",
		"no legal move": "(role a) (init (s 1)) (<= (legal a go) (true (s 2))) (<= (next (s 1)) (true (s 1))) (<= terminal (true (s 2))) (goal a 0)",
		"panic":         "panic",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, napping{})
				defer b.Close()
				read := b.source
				b.source = func(ctx context.Context, rules []kif.Term) (source, error) {
					if text == "panic" {
						panic("compiler fault")
					}
					return read(ctx, rules)
				}
				parsed, err := kif.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				m := protocol.Start{Match: "m", Role: kif.Symbol("a"), Rules: parsed, StartClock: time.Second, PlayClock: time.Second, Received: time.Now()}
				if got := b.Start(context.Background(), m); got != "ready" {
					t.Errorf("START: %q", got)
				}
				for _, moves := range [][]kif.Term{nil, {kif.Symbol("go")}} {
					if move, ok, took := b.ask("m", moves...); !ok || move.String() == "" || took >= time.Second {
						t.Errorf("PLAY: %v, %v after %v", move, ok, took)
					}
				}
				b.Stop(context.Background(), protocol.Play{Match: "m"})
				if got := b.begin(t, "next", 0, time.Second); got != "ready" {
					t.Errorf("the next START: %q", got)
				}
			})
		})
	}
}

func TestLimitAndSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		b.begin(t, "one", 0, time.Second)
		b.begin(t, "two", 1, time.Second)
		if got := b.begin(t, "three", 0, time.Second); got != "busy" {
			t.Errorf("a third START: %q", got)
		}
		if _, status := b.Info(); status != "busy" {
			t.Errorf("INFO: %q", status)
		}
		if _, ok, _ := b.ask("three"); ok {
			t.Error("a refused match was played")
		}
		time.Sleep(30 * time.Second)
		if name, status := b.Info(); status != "available" || name != agent.Default().Name {
			t.Errorf("INFO after the manager was silent: %q, %q", name, status)
		}
		b.begin(t, "four", 0, time.Second)
		b.Close()
		if got := b.begin(t, "five", 0, time.Second); got != "busy" {
			t.Errorf("START after Close: %q", got)
		}
	})
}

// circuitAfter gives the bench a circuit that is ready after a time, beside the prover
// that is there at once.
func (b *bench) circuitAfter(wait time.Duration, choose func(ctx context.Context, o choice.Options) (*choice.Choice, error)) {
	b.source = func(ctx context.Context, rules []kif.Term) (source, error) {
		program, _ := reasoner.Analyze(rules)
		first, err := reasoner.NewProver(program)
		if err != nil {
			return source{}, err
		}
		later := make(chan reasoner.Machine, 1)
		go func() {
			defer close(later)
			time.Sleep(wait)
			if m, err := reasoner.NewLanes(ctx, program, reasoner.DefaultLimits); err == nil {
				later <- m
			}
		}()
		return source{
			first: upgrade{first, b.agent}, better: later, err: func() error { return nil }, trials: func() []reasoner.Trial { return nil },
			play: func(m reasoner.Machine) upgrade { return upgrade{m, b.agent} }, choose: choose,
		}, nil
	}
}

// The machine that is compiled in the background replaces the prover, and the
// state goes with it.
func TestLateMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		defer b.Close()
		b.circuitAfter(2500*time.Millisecond, nil)
		b.begin(t, "m", 0, time.Second)
		first, _, _ := b.ask("m")
		second, ok, took := b.ask("m", first, kif.Symbol("noop"))
		if !ok || took >= time.Second || !b.logged("machine=prover") {
			t.Errorf("on the prover: %v %v %v\n%s", second, ok, took, b.logs())
		}
		_, m := ticTacToe(t)
		judge, _ := board.New(m, 1, new(atomic.Bool))
		if err := judge.Play([]kif.Term{first, judge.Moves(1)[0]}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		third, ok, took := b.ask("m", second, judge.Moves(1)[0])
		if !ok || took >= time.Second || !b.logged("machine=lanes") {
			t.Errorf("on the circuit: %v %v %v\n%s", third, ok, took, b.logs())
		}
	})
}

// A machine that cannot be made fit for the agent leaves the match on the one before.
func TestLateMachinePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		defer b.Close()
		b.circuitAfter(time.Second, nil)
		read := b.source
		b.source = func(ctx context.Context, rules []kif.Term) (source, error) {
			src, err := read(ctx, rules)
			src.play = func(reasoner.Machine) upgrade { panic("no machine today") }
			return src, err
		}
		b.begin(t, "m", 0, 2*time.Second)
		if _, ok, _ := b.ask("m"); !ok || !b.logged("machine=prover") || !b.logged("no machine today") {
			t.Errorf("%v; the log:\n%s", ok, b.logs())
		}
	})
}

// A circuit that is ready before the choice has been made plays on where the choice is
// among provers, for which it was too late.
func TestLateMachineDuringChoice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		defer b.Close()
		_, prover := ticTacToe(t)
		b.circuitAfter(time.Second, func(context.Context, choice.Options) (*choice.Choice, error) {
			time.Sleep(2 * time.Second)
			return &choice.Choice{Agent: b.agent, Machine: prover, Chosen: &choice.Candidate{}}, nil
		})
		b.begin(t, "m", 0, 10*time.Second)
		if _, ok, _ := b.ask("m"); !ok || !b.logged("machine=lanes") {
			t.Errorf("%v; the log:\n%s", ok, b.logs())
		}
	})
}

// The agent that does not search answers as soon as it knows the rules.
func TestRandomPlayer(t *testing.T) {
	random, err := agent.Find("random")
	if err != nil {
		t.Fatal(err)
	}
	p := New(Config{Agent: random, Matches: 1, Seed: 1})
	defer p.Close()
	began := time.Now()
	if said := p.Start(t.Context(), protocol.Start{Match: "m", Role: kif.Symbol("x"), Rules: rules(t, "tictactoe"), StartClock: time.Hour, PlayClock: time.Hour}); said != "ready" {
		t.Fatal(said)
	}
	move, ok := p.Play(t.Context(), protocol.Play{Match: "m"})
	if !ok || len(move.Items) != 3 || time.Since(began) > time.Minute {
		t.Errorf("%v, %v after %v", move, ok, time.Since(began))
	}
}

// A match whose agent is chosen leaves nothing running, whether it ends during
// the choice or after it: machines that are ready later wait for nobody.
func TestAutomaticLeavesNothingRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	agent := agent.Automatic()
	agent.General.Threads, agent.General.Memory = 1, 16<<20
	for _, abort := range []bool{true, false} {
		log := &bench{}
		p := New(Config{Agent: agent, Seed: 1, Log: slog.New(slog.NewTextHandler(log, nil))})
		chosen := func() bool {
			log.mu.Lock()
			defer log.mu.Unlock()
			return strings.Contains(log.log.String(), "the way to play was chosen")
		}
		start := protocol.Start{
			Match: "m", Role: kif.Symbol("x"), Rules: rules(t, "tictactoe"), StartClock: 1500 * time.Millisecond, PlayClock: time.Second, Received: time.Now(),
		}
		if abort {
			start.StartClock = time.Minute // so that the choice is not over before
			time.AfterFunc(300*time.Millisecond, func() { p.Abort(t.Context(), "m") })
		}
		if got := p.Start(t.Context(), start); got != "ready" {
			t.Errorf("START: %s", got)
		}
		for i := 0; i < 6000 && !abort && !chosen(); i++ {
			time.Sleep(10 * time.Millisecond)
		}
		p.Close()
		if chosen() == abort {
			t.Errorf("aborted %v, chosen %v:\n%s", abort, chosen(), &log.log)
		}
	}
	for range 6000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}

// A player whose process has one core knows that.
func TestOneCore(t *testing.T) {
	for cores, want := range map[int]bool{1: true, 2: false} {
		before := runtime.GOMAXPROCS(cores)
		p := New(Config{})
		runtime.GOMAXPROCS(before)
		if p.core.oneCore != want {
			t.Errorf("%d cores, and it takes them for one: %v", cores, p.core.oneCore)
		}
		p.Close()
	}
}
