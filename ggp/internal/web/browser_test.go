// Without a browser these tests are skipped, and always with -short, as the race detector
// runs them: so it need not compile what drives the browser.

//go:build !race

package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"semisplit/ggp/internal/web"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// browsers is the browser of all tests, begun with the first that needs it.
var browsers struct {
	once sync.Once
	ctx  context.Context
	end  func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browsers.end != nil {
		browsers.end()
	}
	os.Exit(code)
}

// browserPath is where Chromium is; "": there is none.
func browserPath() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func begin(path string) {
	folder, err := os.MkdirTemp("", "browser")
	if err != nil {
		browsers.err = err
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(folder), chromedp.WSURLReadTimeout(2*time.Minute))
	for _, flag := range []string{"no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocated)
	browsers.ctx, browsers.end = ctx, func() {
		_ = chromedp.Cancel(ctx)
		stop()
		end()
		_ = os.RemoveAll(folder)
	}
	browsers.err = chromedp.Do(ctx)
}

// tab is a page of a real browser. Tests that need one are left out where there is none.
func tab(t *testing.T, width, height int64) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes a while")
	}
	path := browserPath()
	if path == "" {
		t.Skip("there is no Chromium on this machine")
	}
	browsers.once.Do(func() { begin(path) })
	if browsers.err != nil {
		t.Fatal(browsers.err)
	}
	ctx, end := chromedp.NewContext(browsers.ctx)
	t.Cleanup(end)
	do(t, ctx, chromedp.EmulateViewport(width, height)) // which begins the tab, without a limit
	limited, cancel := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	return limited
}

func do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		page, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body.innerText.slice(0, 1500)`))
		t.Fatalf("%v; the page says:\n%s", err, page)
	}
}

// until waits until an expression is true on the page, which may still be coming.
func until(expression string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		var last error
		for end := time.Now().Add(patience); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(30 * time.Millisecond) {
			var is bool
			if is, last = chromedp.Evaluate[bool]("!!("+expression+")")(ctx, t); is && last == nil {
				return nil
			}
		}
		return fmt.Errorf("not in %v: %s (%v)", patience, expression, last)
	})
}

// patience is how long a page may take, on a machine that is busy with other things.
const patience = time.Minute

// script runs a script on the page.
func script(text string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Evaluate[bool]("(() => { "+text+"; return true; })()")(ctx, t)
		return err
	})
}

func value[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// small is an agent that thinks little.
func small(name string) agent.Agent {
	a := agent.Default()
	a.Name = name
	a.General.Threads, a.General.SimulateDuringOppTurn = 1, false
	a.Algorithm.Parameters.Iterations = 300
	return a
}

// liveMatch is a match between two small players that is shown. It goes on with each
// value from the channel, or by itself where there is none.
func liveMatch(t *testing.T, s *web.Server, name string, gates <-chan struct{}) (id string, done <-chan referee.Result) {
	t.Helper()
	g, rules := bundled(t, name)
	config := referee.Config{Game: name, Rules: rules, StartClock: 20 * time.Second, PlayClock: 20 * time.Second, Seed: 1}
	var roles []string
	for _, rule := range rules {
		if len(rule.Items) == 2 && rule.Items[0].Name == "role" {
			role := rule.Items[1].Name
			roles = append(roles, role)
			p := player.New(player.Config{Agent: small("thinker of " + role), Matches: 1, Seed: 1, Watch: s.Watch})
			t.Cleanup(p.Close)
			config.Seats = append(config.Seats, referee.InProcess("thinker of "+role, p))
		}
	}
	config.Observe = func(referee.Event) {
		if gates != nil {
			<-gates
		}
	}
	s.Observe(&config, g, roles)
	results := make(chan referee.Result, 1)
	go func() {
		result, err := referee.Run(t.Context(), config)
		s.Observed(config.Match, result, err)
		results <- result
	}()
	return config.Match, results
}

func TestBrowserWatch(t *testing.T) {
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{WatchOnly: true})
	step := make(chan struct{})
	id, done := liveMatch(t, s, "tictactoe", step)
	do(t, ctx, chromedp.Navigate(s.URL()+"match/"+id), until(`document.querySelector("#where").textContent === "step 0 of 0"`))
	if live := value[string](t, ctx, `document.querySelector("#state").textContent`); live != "live" {
		t.Errorf("a match in play is %q", live)
	}
	step <- struct{}{}
	step <- struct{}{}
	do(t, ctx, until(`document.querySelectorAll("#moves li").length === 2 && document.querySelectorAll("#board .new").length === 1`))
	close(step)
	result := <-done
	do(t, ctx, until(fmt.Sprintf(`document.querySelectorAll("#moves li").length === %d && document.querySelector("#state").textContent === "ended"`, result.Steps)),
		until(`document.querySelector("#curve canvas") !== null`))
	goals := fmt.Sprintf("The match is over: x %d, o %d", result.Goals[0], result.Goals[1])
	if prompt := value[string](t, ctx, `document.querySelector("#prompt").textContent`); prompt != goals {
		t.Errorf("at the end the page says %q, not %q", prompt, goals)
	}
	// Back by a key, and the link to a step.
	do(t, ctx, chromedp.KeyEvent("\u0302"), until(fmt.Sprintf(`document.querySelector("#where").textContent === "step %d of %d"`, result.Steps-1, result.Steps)),
		chromedp.Navigate("about:blank"), chromedp.Navigate(s.URL()+"match/"+id+"#2"),
		until(fmt.Sprintf(`document.querySelector("#where").textContent === "step 2 of %d" && document.querySelectorAll("#board .mark").length === 2`, result.Steps)),
		until(`document.querySelectorAll(".mind tbody tr").length > 1 && document.querySelectorAll("#board .arrow").length > 0`))
}

// An experiment's page shows a match that is played, and leads to its page.
func TestBrowserExperiment(t *testing.T) {
	ctx := tab(t, 390, 844)
	s := serve(t, web.Config{WatchOnly: true})
	trial := s.Experiment("uses")
	g, rules := bundled(t, "chess")
	do(t, ctx, chromedp.Navigate(s.URL()), until(`location.pathname === "/experiment" && document.querySelector("#playing").hidden`))
	config := referee.Config{Rules: rules}
	ended := trial.Show(&config, g, []string{"white", "black"}, []string{"<b>a</b>", "b"})
	state := func(facts string) []kif.Term {
		terms, err := kif.Parse(facts)
		if err != nil {
			t.Fatal(err)
		}
		return terms
	}
	config.Observe(referee.Event{State: state("(cell a 1 wr) (cell h 8 bk) (control white)")})
	config.Observe(referee.Event{Step: 1, Moves: state("(move a 1 a 2) noop"), State: state("(cell a 2 wr) (cell h 8 bk) (control black)")})
	do(t, ctx, until(`document.querySelector("#board svg") !== null && document.querySelectorAll("#legend li").length > 0 && document.querySelector("#watch").textContent.endsWith("<b>a</b> against b")`))
	ended(nil)
	do(t, ctx, chromedp.Click("#watch"), until(`location.pathname.startsWith("/match/") && document.querySelector("#state").textContent === "ended" && document.querySelectorAll("#moves li").length === 1`))
}

// playOn makes a person's moves by clicks until the match is over: of the squares that
// are offered always the first.
func playOn(t *testing.T, ctx context.Context) {
	t.Helper()
	const over = `document.querySelector("#prompt").textContent.startsWith("The match is over")`
	for range 200 {
		do(t, ctx, until(over+` || document.querySelector("#board .can") !== null`))
		if value[bool](t, ctx, over) {
			return
		}
		do(t, ctx, script(`const g = document.querySelector("#board .can"); if (g) g.dispatchEvent(new MouseEvent("click", {bubbles: true}))`))
	}
	t.Fatal("the match does not end")
}

func beginGame(t *testing.T, ctx context.Context, s *web.Server, key, role, level string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(s.URL()+"games/"+key), until(`document.querySelector("#play button") !== null && document.querySelector("#leveltext").textContent !== ""`),
		script(fmt.Sprintf(`const f = document.querySelector("#play"); f.elements.role.value = %q; f.level.value = %q; f.querySelector("button").click()`, role, level)),
		until(`location.pathname.startsWith("/match/play.")`), until(`document.querySelector("#board svg") !== null && typeof document.querySelector("#undo").onclick === "function"`))
}

func TestBrowserPlay(t *testing.T) {
	ctx := tab(t, 390, 844)
	s := serve(t, web.Config{})
	beginGame(t, ctx, s, "breakthrough", "0", "2")
	do(t, ctx, until(`document.querySelectorAll("#board .can").length === 8`)) // eight pieces can move
	do(t, ctx, chromedp.Click(`[data-at="s0.1"]`), until(`document.querySelector("[data-at='s0.1']").classList.contains("chosen") && document.querySelectorAll("#board .can").length === 2`),
		chromedp.Click(`[data-at="s0.2"]`), until(`document.querySelectorAll("#moves li").length === 2 && document.querySelector("#board .can") !== null`))
	do(t, ctx, chromedp.Click("#hint"), until(`document.querySelector("#prompt").textContent.startsWith("Hint: (move")`))
	do(t, ctx, chromedp.Click("#analyze"), until(`document.querySelector(".mind h3")?.textContent === "Analysis"`))
	do(t, ctx, chromedp.Click("#undo"), until(`document.querySelectorAll("#moves li").length === 0 && document.querySelectorAll("#board .can").length === 8`),
		until(`document.querySelector(".mind h3")?.textContent !== "Analysis"`)) // which was of the state that is gone
	playOn(t, ctx)
	if wide := value[int](t, ctx, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("on a phone the page is %d pixels wide", wide)
	}
}

func TestBrowserKeys(t *testing.T) {
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{})
	beginGame(t, ctx, s, "tictactoe", "0", "1")
	do(t, ctx, until(`document.querySelectorAll("#board .can").length === 9`), chromedp.Focus(`[data-at="s0.2"]`),
		chromedp.KeyEvent("\u0303"), chromedp.KeyEvent("\u0301"), chromedp.KeyEvent("\r"),
		until(`document.querySelectorAll("#moves li").length >= 1`))
	if got := value[string](t, ctx, `document.querySelector("#moves li span").textContent`); !strings.Contains(got, "(mark b 2)") {
		t.Errorf("right, down and Enter play %q", got)
	}
}

func TestBrowserDrag(t *testing.T) {
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{})
	beginGame(t, ctx, s, "minishogi", "0", "1")
	do(t, ctx, until(`document.querySelectorAll("#board .can").length > 3`))
	from := value[string](t, ctx, `document.querySelector("#board .sq.can").dataset.at`)
	do(t, ctx, chromedp.Click(`[data-at="`+from+`"]`), until(`document.querySelector("#board .sq.can:not(.chosen)")`))
	to := value[string](t, ctx, `document.querySelector("#board .sq.can:not(.chosen)").dataset.at`)
	do(t, ctx, script(`document.querySelector("#board .chosen")?.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}))`),
		until(`!document.querySelector("#board .chosen")`), chromedp.DragAndDrop(`[data-at="`+from+`"]`, `[data-at="`+to+`"]`),
		until(`document.querySelectorAll("#moves li").length >= 1 || document.querySelectorAll("#picked button").length > 0`))
}

// recordOf is a record with these names in it.
func recordOf(t *testing.T, name string) []byte {
	t.Helper()
	record := protocol.Record{
		MatchID: name, RandomToken: "x", GameName: name, GameRoleNames: []string{name, "o"}, PlayerNames: []string{name, name}, IsPlayerHuman: []bool{false, false},
		States:     []string{"((cell 1 1 b) (cell 1 2 b) (cell 2 1 b) (cell 2 2 b))", "((cell 1 1 x) (cell 1 2 b) (cell 2 1 b) (cell 2 2 b))", "((cell 1 1 x) (cell 1 2 <img/src=x/onerror=hacked>) (cell 2 1 b) (cell 2 2 b))"},
		Moves:      [][]string{{"(mark 1 1)", "<script/src=x>"}, {"noop", "(mark 1 2)"}},
		StateTimes: []int64{1, 2, 3}, Errors: [][]string{{"", "TO"}, {"IL <b>bold</b>", ""}}, GoalValues: []int{100, 0}, IsCompleted: true, PreviewClock: -1, AnalysisClock: -1,
	}
	data, err := json.Marshal(&record)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func openRecord(t *testing.T, ctx context.Context, s *web.Server, data []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "record.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate(s.URL()), until(`document.querySelector("#recordfile") !== null && document.readyState === "complete"`),
		chromedp.SetUploadFiles("#recordfile", []string{file}), until(`location.pathname.startsWith("/match/record.")`),
		until(`document.querySelector("#where")?.textContent.startsWith("step ")`))
}

func TestBrowserReplay(t *testing.T) {
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{})
	openRecord(t, ctx, s, recordOf(t, "a match"))
	do(t, ctx, until(`document.querySelector("#where").textContent === "step 2 of 2"`),
		chromedp.Click("#first"), until(`document.querySelector("#where").textContent === "step 0 of 2" && document.querySelectorAll("#board .mark").length === 0`),
		chromedp.Click("#forward"), until(`document.querySelectorAll("#board .mark").length === 1`))
	if got := value[string](t, ctx, `document.querySelector("#moves").innerText`); !strings.Contains(got, "TO") {
		t.Errorf("the fault of the first turn is not shown: %q", got)
	}
}

// TestBrowserHostile opens a record whose names are markup.
func TestBrowserHostile(t *testing.T) {
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{})
	name := `</h1><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
	openRecord(t, ctx, s, recordOf(t, name))
	do(t, ctx, until(`document.querySelector("#where").textContent === "step 2 of 2"`))
	if got := value[string](t, ctx, `document.querySelector("h1").textContent`); got != name {
		t.Errorf("the name is shown as %q", got)
	}
	bad := value[int](t, ctx, `document.querySelectorAll("main img, main script, body b b, [onerror]").length + (window.hacked ? 100 : 0)`)
	if bad > 0 {
		t.Errorf("names became markup: %d", bad)
	}
	do(t, ctx, chromedp.Navigate(s.URL()), until(`document.querySelector(".matchlist a") !== null`))
	if bad := value[int](t, ctx, `document.querySelectorAll(".matchlist img, .matchlist script").length + (window.hacked ? 100 : 0)`); bad > 0 {
		t.Errorf("in the list, names became markup: %d", bad)
	}
}

func TestBrowserPaste(t *testing.T) {
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{})
	paste := func(rules string) {
		do(t, ctx, script(fmt.Sprintf(`const f = document.querySelector("#paste"); f.rules.value = %q; f.requestSubmit()`, rules)))
	}
	do(t, ctx, chromedp.Navigate(s.URL()+"paste"), until(`document.readyState === "complete"`))
	paste(strings.Replace(goodRules, "(<= open (true (cell ?x ?y b)))", "(<= (open ?z) (true (cell ?x ?y b))", 1))
	do(t, ctx, until(`document.querySelectorAll(".findings .error").length > 0 && document.querySelectorAll("#lines .error").length > 0`))
	paste(goodRules)
	do(t, ctx, until(`document.querySelector("#playit") !== null && document.querySelector("#preview svg") !== null`), chromedp.Click("#playit"),
		until(`document.readyState === "complete" && document.querySelector("#leveltext") !== null && document.querySelector("#leveltext").textContent !== ""`), chromedp.Click("#play button.primary"), until(`document.querySelectorAll("#board .can").length === 4`))
	playOn(t, ctx)
}

// longMatch begins a match that is told by a player; step tells the state of a step, and
// what is thought there.
func longMatch(t *testing.T, s *web.Server) (step func(n int)) {
	t.Helper()
	rules, err := kif.Parse(goodRules)
	if err != nil {
		t.Fatal(err)
	}
	x := kif.Symbol("x")
	s.Watch(player.WatchStart{Match: "long", Role: x, Player: "long", Rules: rules})
	step = func(n int) {
		state, err := kif.Parse(fmt.Sprintf("(cell 1 1 %d) (cell 1 2 b) (cell 2 1 b) (cell 2 2 x) (step %d)", n%10, n))
		if err != nil {
			t.Fatal(err)
		}
		e := player.WatchState{Match: "long", Role: x, Step: n, State: state}
		if n > 0 {
			e.Moves = []kif.Term{kif.Symbol("m"), kif.Symbol("noop")}
		}
		s.Watch(e)
		s.Watch(player.WatchMind{Match: "long", Role: x, Step: n, Mind: local.Mind{Iterations: 1, Elapsed: time.Second, Roles: []local.RoleMind{{Value: 0.5, Known: true, High: 1}, {High: 1}}}})
	}
	step(0)
	return step
}

// TestBrowserBack: who looks on and steps back sees what was thought there.
func TestBrowserBack(t *testing.T) {
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{})
	step := longMatch(t, s)
	do(t, ctx, chromedp.Navigate(s.URL()+"match/long"), until(`document.querySelector("#where").textContent === "step 0 of 0"`))
	for n := 1; n <= 2; n++ { // the board of each is there before the next one comes
		step(n)
		do(t, ctx, until(fmt.Sprintf(`document.querySelector("[data-at='s0.0']").getAttribute("aria-label") === "1 1, %d"`, n)))
	}
	do(t, ctx, script(`document.querySelector("#back").click()`), until(`document.querySelector("#where").textContent === "step 1 of 2"`),
		until(`document.querySelector(".mind h3") && document.querySelector("#nomind").hidden`))
}

// TestBrowserLong shows a match with a thousand steps: to a page that comes late, and to
// one that was there.
func TestBrowserLong(t *testing.T) {
	ctx := tab(t, 1280, 900)
	s := serve(t, web.Config{})
	step := longMatch(t, s)
	for n := 1; n <= 500; n++ {
		step(n)
	}
	do(t, ctx, chromedp.Navigate(s.URL()+"match/long"), until(`document.querySelector("#where").textContent === "step 500 of 500"`))
	for n := 501; n <= 1000; n++ {
		step(n)
	}
	do(t, ctx, until(`document.querySelector("#where").textContent === "step 1000 of 1000" && document.querySelectorAll("#moves li").length === 1000`),
		until(`document.querySelector("[data-at='s0.0']").getAttribute("aria-label") === "1 1, 0"`),
		script(`document.querySelector("#first").click()`), until(`document.querySelector("#where").textContent === "step 0 of 1000"`))
	if fetched := value[int](t, ctx, `performance.getEntriesByType("resource").filter(e => e.name.includes("/board/")).length`); fetched > 2 {
		t.Errorf("the page fetched %d boards to show two", fetched)
	}
}
