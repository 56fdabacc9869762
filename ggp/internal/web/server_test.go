package web_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/web"
	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/arena"
	"semisplit/player/local"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/reasoner"
	"semisplit/reasoner/reasonertest"
)

// handler is a server without an address of its own, for loopback names.
func handler(t *testing.T, c web.Config) http.Handler {
	t.Helper()
	c.Threads, c.Seed = 1, 1
	s, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.Handler()
}

func ask(h http.Handler, method, path string, body any, change ...func(*http.Request)) *httptest.ResponseRecorder {
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body)
	}
	r := httptest.NewRequest(method, "http://localhost"+path, bytes.NewReader(data))
	r.Header.Set("Content-Type", "application/json")
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// field is a text in the JSON of an answer.
func field(t *testing.T, w *httptest.ResponseRecorder, name string) string {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	text, _ := v[name].(string)
	return text
}

func TestPages(t *testing.T) {
	h := handler(t, web.Config{})
	for path, want := range map[string]string{
		"/": "Choose a game", "/games/chess": "white king", "/games/blotto": "Play", "/paste": "Paste a description", "/boards/tictactoe": "<svg",
		"/static/match.js": "EventSource", "/static/style.css": "prefers-color-scheme: dark", "/static/uplot-license.txt": "MIT",
	} {
		w := ask(h, "GET", path, nil)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, without %q", path, w.Code, want)
		}
	}
	for _, path := range []string{"/games/nothing", "/match/nothing", "/experiment", "/static/nothing", "/static/..%2fweb.go", "/boards/nothing", "/api/match/nothing/events"} {
		if w := ask(h, "GET", path, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	policy := ask(h, "GET", "/", nil).Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy of pages is %q", policy)
	}
}

// TestAddresses follows the links to a game and a match whose names mean something else in
// an address.
func TestAddresses(t *testing.T) {
	const name = "50%25 a#b?c"
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, name+".kif"), []byte(goodRules), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, web.Config{Folders: []string{folder}})
	s.Watch(player.WatchStart{Match: name + "/d", Role: kif.Symbol("x"), Player: "me", Rules: []kif.Term{kif.List(kif.Symbol("role"), kif.Symbol("x"))}})
	page := ask(s.Handler(), "GET", "/", nil).Body.String()
	for _, link := range []string{`href="(/match/[^"]+)"`, `href="(/games/[^"]+50[^"]+)"`, `src="(/boards/[^"]+50[^"]+)"`} {
		found := regexp.MustCompile(link).FindStringSubmatch(page)
		if found == nil {
			t.Fatalf("there is no %s", link)
		}
		if w := ask(s.Handler(), "GET", html.UnescapeString(found[1]), nil); w.Code != http.StatusOK {
			t.Errorf("%s: %d", found[1], w.Code)
		}
	}
}

// TestForeign asks in ways in which only other sites ask.
func TestForeign(t *testing.T) {
	h := handler(t, web.Config{})
	begin := map[string]any{"game": "tictactoe", "level": 1}
	for name, change := range map[string]func(*http.Request){
		"another name of this machine": func(r *http.Request) { r.Host = "evil.example" },
		"an address of the network":    func(r *http.Request) { r.Host = "192.168.1.4:8080" },
		"another origin":               func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"another site":                 func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
	} {
		if w := ask(h, "POST", "/api/play", begin, change); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	if w := ask(h, "POST", "/api/play", begin, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("a form of another site: %d", w.Code)
	}
	if w := ask(h, "GET", "/?token=wrong", nil); w.Code != http.StatusForbidden {
		t.Errorf("a wrong token: %d", w.Code)
	}
}

// TestToken connects to an address that others could reach as well.
func TestToken(t *testing.T) {
	s, err := web.Listen(web.Config{Address: "0.0.0.0:0", Threads: 1, Token: "0123456789abcdef"})
	if err != nil {
		t.Skip("no address for others:", err)
	}
	defer s.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL(), "http://"), ":")
	port, query, _ := strings.Cut(port, "/")
	if query != "?token=0123456789abcdef" {
		t.Errorf("the address that is printed ends with %q", query)
	}
	root := "http://127.0.0.1:" + port
	post := func(change func(*http.Request)) int {
		r, err := http.NewRequest("POST", root+"/api/paste", strings.NewReader(`{"rules": "(role x)"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		change(r)
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		return w.StatusCode
	}
	if code := post(func(*http.Request) {}); code != http.StatusForbidden {
		t.Errorf("without the token: %d", code)
	}
	if code := post(func(r *http.Request) { r.Header.Set("Authorization", "Bearer 0123456789abcdeX") }); code != http.StatusForbidden {
		t.Errorf("with another token: %d", code)
	}
	if code := post(func(r *http.Request) { r.Header.Set("Authorization", "Bearer 0123456789abcdef") }); code != http.StatusOK {
		t.Errorf("with the token: %d", code)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	w, err := client.Get(root + "//evil.example/?token=0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	w.Body.Close()
	if to := w.Header.Get("Location"); strings.HasPrefix(to, "//") || w.StatusCode == http.StatusSeeOther && len(w.Cookies()) != 1 {
		t.Errorf("the token leads to %q with %d cookies", to, len(w.Cookies()))
	}
	if w, err := http.Get(root + "/games/nim"); err != nil || w.StatusCode != http.StatusOK {
		t.Errorf("looking on needs no token: %v, %v", w.StatusCode, err)
	}
}

// TestTokens keeps the tokens of two servers of a machine in one browser.
func TestTokens(t *testing.T) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	var roots []string
	for _, token := range []string{"0123456789abcdef", "fedcba9876543210"} {
		s, err := web.Listen(web.Config{Address: "0.0.0.0:0", Threads: 1, Token: token})
		if err != nil {
			t.Skip("no address for others:", err)
		}
		defer s.Close()
		_, port, _ := strings.Cut(strings.TrimPrefix(s.URL(), "http://"), ":")
		port, query, _ := strings.Cut(port, "/")
		roots = append(roots, "http://127.0.0.1:"+port+"/")
		w, err := client.Get(roots[len(roots)-1] + query)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
	}
	for _, root := range roots {
		w, err := client.Post(root+"api/paste", "application/json", strings.NewReader(`{"rules": "(role x)"}`))
		if err != nil {
			t.Fatal(err)
		}
		if w.Body.Close(); w.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", root, w.StatusCode)
		}
	}
}

func TestWatchOnly(t *testing.T) {
	h := handler(t, web.Config{WatchOnly: true})
	for _, path := range []string{"/api/play", "/api/paste", "/api/record"} {
		if w := ask(h, "POST", path, map[string]string{}); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestPaste(t *testing.T) {
	h := handler(t, web.Config{Limits: web.Limits{Rules: 4 << 10, Pasted: 2}})
	paste := func(rules string) *httptest.ResponseRecorder {
		return ask(h, "POST", "/api/paste", map[string]string{"title": "<b>mine</b>", "rules": rules})
	}
	w := paste(goodRules)
	key := field(t, w, "key")
	if w.Code != http.StatusOK || key == "" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if page := ask(h, "GET", "/games/"+key, nil).Body.String(); !strings.Contains(page, "&lt;b&gt;mine") || strings.Contains(page, "<b>mine") {
		t.Error("the title of a pasted game is markup")
	}
	if w := paste(strings.Repeat(" ", 5<<10)); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("long rules: %d", w.Code)
	}
	if w := paste("(role x"); !strings.Contains(w.Body.String(), `"error":true`) || field(t, w, "key") != "" {
		t.Errorf("rules with an error: %s", w.Body)
	}
	for i := range 2 {
		paste(fmt.Sprintf("%s (goal x %d)", goodRules, i))
	}
	if w := ask(h, "GET", "/games/"+key, nil); w.Code != http.StatusNotFound {
		t.Errorf("the oldest of three pasted games where two are kept: %d", w.Code)
	}
}

// TestPasteEndless pastes rules whose evaluation has no end: the server says so, and
// goes on.
func TestPasteEndless(t *testing.T) {
	h := handler(t, web.Config{Limits: web.Limits{Read: 300 * time.Millisecond}})
	w := ask(h, "POST", "/api/paste", map[string]string{"rules": `(role x) (init (n 0)) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
(<= (t ?a ?b ?c ?e ?f ?g ?h ?i ?j) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i) (d ?j) (true (n ?a)))
(<= terminal (t ?a ?b ?c ?e ?f ?g ?h ?i ?j) (not (t ?j ?a ?b ?c ?e ?f ?g ?h ?i)) (not (t ?a ?b ?c ?e ?f ?g ?h ?i ?j)))
(legal x noop) (<= (next (n 0)) (does x noop)) (goal x 0)`})
	if w.Code == http.StatusOK && field(t, w, "key") != "" {
		t.Errorf("rules without end can be played: %s", w.Body)
	}
	if w := ask(h, "GET", "/games/tictactoe", nil); w.Code != http.StatusOK {
		t.Errorf("afterwards: %d", w.Code)
	}
}

// TestPlayEndless plays into a state without end: the game ends in its time, or with the
// server.
func TestPlayEndless(t *testing.T) {
	rules := reasonertest.Endless() + "(goal x 0) (<= terminal (true (step 2)) (never ?x))"
	for _, limit := range []time.Duration{3 * time.Second, time.Minute} { // the first reads the rules as well
		s := serve(t, web.Config{Limits: web.Limits{Read: limit}})
		root := strings.TrimSuffix(s.URL(), "/")
		_, game := post(t, root+"/api/paste", map[string]any{"title": "x", "rules": rules})
		_, answer := post(t, root+"/api/play", map[string]any{"game": game["key"], "role": 0, "level": 1})
		match := root + "/api/match/" + fmt.Sprint(answer["id"])
		if code, answer := post(t, match+"/move", map[string]any{"n": 0, "move": "(m 0 0)"}); code != http.StatusOK {
			t.Fatal(code, answer)
		}
		if limit < time.Minute {
			stream(t, match+"/events", func(name string, data map[string]any) bool {
				return name == "end" && data["how"] == "cannot go on: the next state takes too long"
			})
			continue
		}
		closed := make(chan struct{})
		go func() { defer close(closed); s.Close() }()
		select {
		case <-closed:
		case <-time.After(limit / 2):
			t.Error("the server waits for the game")
		}
	}
}

// TestPlayAlone plays rules that give nobody a choice and have no end.
func TestPlayAlone(t *testing.T) {
	s := serve(t, web.Config{})
	root := strings.TrimSuffix(s.URL(), "/")
	_, game := post(t, root+"/api/paste", map[string]string{"rules": `(role x) (init (n a)) (legal x noop) (goal x 0)
(<= (next (n a)) (true (n a))) (<= terminal (true (n b)))`})
	_, answer := post(t, root+"/api/play", map[string]any{"game": game["key"]})
	stream(t, root+"/api/match/"+fmt.Sprint(answer["id"])+"/events", func(name string, data map[string]any) bool {
		return name == "end" && data["how"] == "cannot go on: it is too long after 10000 steps"
	})
}

// TestPlayCrowd wants to play rules with more roles than a match is shown with.
func TestPlayCrowd(t *testing.T) {
	h := handler(t, web.Config{})
	rules := "(init (n 0)) (<= (next (n 1)) (true (n 0))) (<= terminal (true (n 1)))"
	for i := range 65 {
		rules += fmt.Sprintf("(role r%d) (legal r%d a) (legal r%d b) (goal r%d 50)", i, i, i, i)
	}
	key := field(t, ask(h, "POST", "/api/paste", map[string]string{"rules": rules}), "key")
	if w := ask(h, "POST", "/api/play", map[string]any{"game": key}); key == "" || w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "65 roles") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestOfferLong offers moves that take much to be spelled: some of them, or none.
func TestOfferLong(t *testing.T) {
	s := serve(t, web.Config{})
	root := strings.TrimSuffix(s.URL(), "/")
	for _, test := range []struct {
		length, least, most int
	}{{10, 900, 900}, {4 << 10, 500, 512}, {20 << 10, 0, 0}} {
		rules := "(role x) (init (n 0)) (<= (next (n 1)) (true (n 0))) (<= terminal (true (n 1))) (goal x 50)"
		for i := range 30 {
			rules += fmt.Sprintf("(d %d)", i)
		}
		rules += fmt.Sprintf("(<= (legal x (m ?a ?b %s)) (d ?a) (d ?b))", strings.Repeat("q", test.length))
		_, game := post(t, root+"/api/paste", map[string]string{"rules": rules})
		_, answer := post(t, root+"/api/play", map[string]any{"game": game["key"]})
		stream(t, root+"/api/match/"+fmt.Sprint(answer["id"])+"/events", func(name string, data map[string]any) bool {
			if name != "turn" {
				return false
			}
			moves, _ := data["moves"].([]any)
			if n := len(moves); n < test.least || n > test.most || data["all"] != (n == 900) {
				t.Errorf("%d moves with names of %d bytes are offered, all: %v", n, test.length, data["all"])
			}
			return true
		})
	}
}

// serve is a server on a free port of this machine.
func serve(t *testing.T, c web.Config) *web.Server {
	t.Helper()
	c.Address, c.Threads, c.Seed = "127.0.0.1:0", 1, 1
	s, err := web.Listen(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

const goodRules = `(role x) (role o)
(init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b)) (init (control x))
(<= (legal ?r (mark ?x ?y)) (true (cell ?x ?y b)) (true (control ?r)))
(<= (legal x noop) (true (control o)))
(<= (legal o noop) (true (control x)))
(<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c b))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does ?r (mark ?m ?n)) (distinct ?x ?m))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does ?r (mark ?m ?n)) (distinct ?y ?n))
(<= (next (control o)) (true (control x)))
(<= (next (control x)) (true (control o)))
(<= open (true (cell ?x ?y b)))
(<= terminal (not open))
(goal x 50) (goal o 50)
`

// bundled is a bundled game with its rules.
func bundled(t *testing.T, name string) (games.Game, []kif.Term) {
	t.Helper()
	g, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := kif.Parse(g.Rules)
	if err != nil {
		t.Fatal(err)
	}
	return g, rules
}

// stream reads the events of a match until one fits.
func stream(t *testing.T, url string, fits func(name string, data map[string]any) bool) {
	t.Helper()
	w, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	name := ""
	lines := bufio.NewReader(w.Body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ended: %v", err)
		}
		if after, ok := strings.CutPrefix(line, "event: "); ok {
			name = strings.TrimSpace(after)
		}
		if after, ok := strings.CutPrefix(line, "data: "); ok {
			var data map[string]any
			if err := json.Unmarshal([]byte(after), &data); err != nil {
				t.Fatal(err)
			}
			if fits(name, data) {
				return
			}
		}
	}
}

func post(t *testing.T, url string, body any) (code int, answer map[string]any) {
	t.Helper()
	data, _ := json.Marshal(body)
	w, err := http.Post(url, "application/json", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	data, _ = io.ReadAll(w.Body)
	_ = json.Unmarshal(data, &answer)
	return w.StatusCode, answer
}

// TestPlay plays a game of a person without a browser: illegal and late moves, undo,
// and the record.
func TestPlay(t *testing.T) {
	s := serve(t, web.Config{Limits: web.Limits{Games: 1}})
	root := strings.TrimSuffix(s.URL(), "/")
	code, answer := post(t, root+"/api/play", map[string]any{"game": "tictactoe", "role": 0, "level": 1})
	id, _ := answer["id"].(string)
	if code != http.StatusOK {
		t.Fatal(code, answer)
	}
	match := root + "/api/match/" + id
	if code, _ := post(t, root+"/api/play", map[string]any{"game": "tictactoe", "role": 0, "level": 1}); code != http.StatusServiceUnavailable {
		t.Errorf("a second game where one is allowed: %d", code)
	}
	turn := func(n int) {
		stream(t, match+"/events", func(name string, data map[string]any) bool { return name == "turn" && data["n"] == float64(n) })
	}
	turn(0)
	for _, move := range []string{"(mark a 9)", "((", "noop", ""} {
		if code, _ := post(t, match+"/move", map[string]any{"n": 0, "move": move}); code != http.StatusConflict {
			t.Errorf("the move %q: %d", move, code)
		}
	}
	if code, answer := post(t, match+"/move", map[string]any{"n": 0, "move": "(mark a 1)"}); code != http.StatusOK {
		t.Fatal(code, answer)
	}
	turn(2)
	if code, _ := post(t, match+"/move", map[string]any{"n": 0, "move": "(mark a 2)"}); code != http.StatusConflict {
		t.Errorf("a move for a state that is past: %d", code)
	}
	if code, answer := post(t, match+"/hint", map[string]any{"n": 2}); code != http.StatusOK || answer["move"] == "" {
		t.Errorf("hint: %d %v", code, answer)
	}
	if code, _ := post(t, match+"/undo", map[string]any{"n": 2}); code != http.StatusOK {
		t.Errorf("undo: %d", code)
	}
	turn(0)
	if code, _ := post(t, match+"/undo", map[string]any{"n": 0}); code != http.StatusConflict {
		t.Errorf("undo at the start: %d", code)
	}
	stream(t, match+"/analyze?n=0", func(name string, data map[string]any) bool {
		roles, _ := data["roles"].([]any)
		return name == "mind" && len(roles) == 2 && data["role"] == float64(-1)
	})
	if code, _ := post(t, match+"/resign", map[string]any{}); code != http.StatusOK {
		t.Errorf("resign: %d", code)
	}
	w, err := http.Get(match + "/record")
	if err != nil || w.StatusCode != http.StatusOK {
		t.Fatal(w, err)
	}
	defer w.Body.Close()
	record, _ := io.ReadAll(w.Body)
	if !bytes.Contains(record, []byte(`"isAborted":true`)) || !bytes.Contains(record, []byte(`"gameName":"tictactoe"`)) {
		t.Errorf("the record is %s", record)
	}
}

// onBegin calls back when an analysis tells that it begins.
type onBegin struct {
	*httptest.ResponseRecorder
	call func()
}

func (w onBegin) Write(data []byte) (int, error) {
	if bytes.HasPrefix(data, []byte("event: begin")) {
		w.call()
	}
	return w.ResponseRecorder.Write(data)
}

// TestUndoBesideAnalysis takes a move back while an analysis of what followed it begins.
func TestUndoBesideAnalysis(t *testing.T) {
	h := handler(t, web.Config{Limits: web.Limits{Analysis: 10 * time.Millisecond}})
	match := "/api/match/" + field(t, ask(h, "POST", "/api/play", map[string]any{"game": "tictactoe", "level": 1}), "id")
	ask(h, "POST", match+"/move", map[string]any{"n": 0, "move": "(mark a 1)"})
	for end := time.Now().Add(time.Minute); ask(h, "GET", match+"/board/2", nil).Code != http.StatusOK && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	w := onBegin{httptest.NewRecorder(), func() {
		if w := ask(h, "POST", match+"/undo", map[string]any{"n": 2}); w.Code != http.StatusOK {
			t.Errorf("undo: %d %s", w.Code, w.Body)
		}
	}}
	h.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+match+"/analyze?n=2", nil))
	if text := w.Body.String(); !strings.Contains(text, "event: over") || strings.Contains(text, "event: problem") {
		t.Errorf("the analysis says %s", text)
	}
	if w := ask(h, "GET", match+"/board/2", nil); w.Code != http.StatusNotFound {
		t.Errorf("the state that was taken back: %d", w.Code)
	}
}

// TestPlaceOfEndedGame begins a third game where two are allowed: it takes the place of one
// that is over, and that nobody looks at.
func TestPlaceOfEndedGame(t *testing.T) {
	s := serve(t, web.Config{Limits: web.Limits{Games: 2}})
	root := strings.TrimSuffix(s.URL(), "/")
	begin := func() (code int, match string) {
		code, answer := post(t, root+"/api/play", map[string]any{"game": "nim", "role": 0, "level": 1})
		id, _ := answer["id"].(string)
		return code, root + "/api/match/" + id
	}
	_, first := begin()
	_, second := begin()
	if code, _ := begin(); code != http.StatusServiceUnavailable {
		t.Errorf("a third game beside two in play: %d", code)
	}
	page, err := http.Get(first + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	for _, match := range []string{first, second} {
		post(t, match+"/resign", map[string]any{})
	}
	if code, _ := post(t, root+"/api/play", map[string]any{"game": "nim", "role": 99}); code != http.StatusUnprocessableEntity {
		t.Errorf("a game for a role that there is not: %d", code)
	}
	if _, answer := post(t, second+"/undo", map[string]any{}); answer["error"] == "the match is over" {
		t.Error("a game that is refused took a place")
	}
	if code, _ := begin(); code != http.StatusOK {
		t.Fatalf("a third game beside two that are over: %d", code)
	}
	for match, want := range map[string]string{first: "there is no move of yours to take back", second: "the match is over"} {
		if _, answer := post(t, match+"/undo", map[string]any{}); answer["error"] != want {
			t.Errorf("undo where a page looks on: %v: %v", match == first, answer)
		}
	}
}

// TestClock leaves a person's clock to run out.
func TestClock(t *testing.T) {
	s := serve(t, web.Config{})
	root := strings.TrimSuffix(s.URL(), "/")
	_, answer := post(t, root+"/api/play", map[string]any{"game": "tictactoe", "role": 0, "level": 1, "play": 0.1})
	id, _ := answer["id"].(string)
	stream(t, root+"/api/match/"+id+"/events", func(name string, data map[string]any) bool { return name == "end" && data["how"] == "ended" })
}

// TestExperiment shows an experiment as it is played.
func TestExperiment(t *testing.T) {
	s := serve(t, web.Config{WatchOnly: true})
	trial := s.Experiment("<i>uses</i>")
	for i := range 4 {
		trial.Update(arena.Progress{Done: i + 1, Total: 8, Play: &arena.Play{Game: "nim", Agent: "a", Baseline: "b", Score: float64(i % 2)}})
	}
	trial.Update(arena.Progress{Done: 5, Total: 8, Play: &arena.Play{Game: "nim", Agent: "a", Baseline: "b", Error: "it fell over"}})
	stream(t, s.URL()+"api/experiment", func(name string, data map[string]any) bool {
		row, _ := data["row"].(map[string]any)
		return name == "row" && row["plays"] == 4.0 && row["failed"] == 1.0 && row["score"] == 50.0 && row["low"] == 0.0 && row["high"] == 100.0
	})
	w, err := http.Get(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	page, _ := io.ReadAll(w.Body)
	if w.Request.URL.Path != "/experiment" || !bytes.Contains(page, []byte("&lt;i&gt;uses")) {
		t.Errorf("the first page is %s: %.300s", w.Request.URL, page)
	}
}

// TestExperimentAnew looks on with a page of an experiment that was interrupted and goes on
// at the same address: the page is to be loaded again, since its numbers mean nothing here.
func TestExperimentAnew(t *testing.T) {
	s := serve(t, web.Config{WatchOnly: true})
	s.Experiment("uses").End()
	look := func(last string) string {
		return ask(s.Handler(), "GET", "/api/experiment", nil, func(r *http.Request) { r.Header.Set("Last-Event-ID", last) }).Body.String()
	}
	all := look("")
	_, last, _ := strings.Cut(all, "id: ")
	last, _, _ = strings.Cut(last, "\n")
	if again := look(last); !strings.Contains(all, "event: about") || strings.Contains(again, "event: about") || strings.Contains(all+again, "event: anew") {
		t.Errorf("the stream begins with %s, and goes on after %s with %s", all, last, again)
	}
	for _, other := range []string{"9", "9223372036854775807"} {
		if text := look(other); !strings.Contains(text, "event: anew") {
			t.Errorf("after %s of another stream it goes on with %s", other, text)
		}
	}
}

// TestExperimentShows shows one match of an experiment at a time.
func TestExperimentShows(t *testing.T) {
	s := serve(t, web.Config{WatchOnly: true})
	trial := s.Experiment("uses")
	g, rules := bundled(t, "tictactoe")
	first, second := referee.Config{Rules: rules}, referee.Config{Rules: rules}
	ended := trial.Show(&first, g, []string{"x", "o"}, []string{"<b>a</b>", "b"})
	trial.Show(&second, g, []string{"x", "o"}, []string{"b", "a"})(nil)
	if first.Observe == nil || second.Observe != nil {
		t.Fatalf("on show: %v and %v", first.Observe != nil, second.Observe != nil)
	}
	stream(t, s.URL()+"api/experiment", func(name string, data map[string]any) bool {
		players, _ := data["players"].([]any)
		return name == "match" && data["id"] == first.Match && len(players) == 2 && players[0] == "<b>a</b>"
	})
	first.Observe(referee.Event{State: []kif.Term{kif.List(kif.Symbol("control"), kif.Symbol("x"))}})
	ended(errors.New("it fell over"))
	events := s.URL() + "api/match/" + first.Match + "/events"
	stream(t, events, func(name string, data map[string]any) bool { return name == "board" && data["n"] == 0.0 })
	stream(t, events, func(name string, data map[string]any) bool {
		return name == "end" && data["how"] == "did not end: it fell over"
	})
}

// TestWatchAgain shows a match whose manager gives it the id of one that has ended.
func TestWatchAgain(t *testing.T) {
	s := serve(t, web.Config{WatchOnly: true})
	x := kif.Symbol("x")
	for _, name := range []string{"tictactoe", "nim"} {
		g, rules := bundled(t, name)
		role := kif.Symbol(map[string]string{"tictactoe": "x", "nim": "first"}[name])
		s.Watch(player.WatchStart{Match: "m", Role: role, Player: "me", Rules: rules})
		s.Watch(player.WatchState{Match: "m", Role: role, State: []kif.Term{x}})
		if text := ask(s.Handler(), "GET", "/api/matches", nil).Body.String(); strings.Count(text, `"id"`) != 1 || !strings.Contains(text, g.Title) || !strings.Contains(text, `"live":true`) || !strings.Contains(text, `"steps":1`) {
			t.Errorf("in the match of %s there is %s", name, text)
		}
		s.Watch(player.WatchEnd{Match: "m", Role: role})
	}
}

// TestWatchNobody: a match for a role that its rules do not have ends as others do, and does not
// keep the place of one that is played. A role may be named as players understand it.
func TestWatchNobody(t *testing.T) {
	s := serve(t, web.Config{WatchOnly: true, Limits: web.Limits{Matches: 1}})
	_, rules := bundled(t, "tictactoe")
	list := func() string { return ask(s.Handler(), "GET", "/api/matches", nil).Body.String() }
	s.Watch(player.WatchStart{Match: "odd", Role: kif.Symbol("nobody"), Player: "me", Rules: rules})
	s.Watch(player.WatchEnd{Match: "odd", Role: kif.Symbol("nobody")})
	if text := list(); strings.Contains(text, `"live":true`) {
		t.Errorf("it is in play for ever: %s", text)
	}
	for _, role := range []kif.Term{kif.Symbol("X"), kif.List(kif.Symbol("x"))} {
		s.Watch(player.WatchStart{Match: "m", Role: role, Player: "me", Rules: rules})
		s.Watch(player.WatchState{Match: "m", Role: role, State: []kif.Term{kif.Symbol("x")}})
		if text := list(); !strings.Contains(text, `"id":"m"`) || !strings.Contains(text, `"steps":1`) {
			t.Errorf("as %v: %s", role, text)
		}
		s.Watch(player.WatchEnd{Match: "m", Role: role})
	}
}

// TestRecordOfAnother: a record of other rules with the name of a game that is here is drawn as
// it is, and not thought about.
func TestRecordOfAnother(t *testing.T) {
	h := handler(t, web.Config{})
	for _, c := range []struct {
		state  string
		stones bool
		known  string
	}{
		{"((cellHolds 1 1 white) (cellHolds 2 1 white) (cellHolds 3 1 white) (cellHolds 1 3 black) (cellHolds 2 3 black) (cellHolds 3 3 black))", true, `"analyze":false`},
		{"", false, `"analyze":true`},
	} {
		if c.state == "" {
			c.state = initialOf(t, "breakthrough")
		}
		record := map[string]any{
			"matchId": "m", "gameName": "breakthrough", "gameRoleNames": []string{"white", "black"}, "states": []string{c.state}, "stateTimes": []int{1}, "moves": []any{}, "errors": []any{},
			"startTime": int64(1_700_000_000_000_000), // far in the future
		}
		w := ask(h, "POST", "/api/record", record)
		if w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
		id := field(t, w, "id")
		if page := ask(h, "GET", "/match/"+id, nil); page.Code != http.StatusOK || !strings.Contains(html.UnescapeString(page.Body.String()), c.known) {
			t.Errorf("%s: the page: %d, want %s", c.state, page.Code, c.known)
		}
		if drawn := ask(h, "GET", "/api/match/"+id+"/board/0", nil).Body.String(); c.stones && !strings.Contains(drawn, "white") {
			t.Errorf("no piece is drawn: %s", drawn)
		}
		if list := ask(h, "GET", "/api/matches", nil).Body.String(); !strings.Contains(list, id) {
			t.Errorf("the list of matches: %s", list)
		}
	}
}

// initialOf is the initial state of a game, as records have it.
func initialOf(t *testing.T, name string) string {
	t.Helper()
	g, _ := bundled(t, name)
	program, diagnostics := reasoner.Read(g.Rules)
	if program == nil {
		t.Fatal(diagnostics.Err())
	}
	m, err := reasoner.NewProver(program)
	if err != nil {
		t.Fatal(err)
	}
	return kif.List(m.Fluents(m.Initial())...).String()
}

// TestRecordTakesLong: a record that would take a processor for long is given up.
func TestRecordTakesLong(t *testing.T) {
	h := handler(t, web.Config{Limits: web.Limits{Read: time.Millisecond}})
	var first strings.Builder
	for n := range 4000 {
		fmt.Fprintf(&first, "(cell %d %d x)", n/60, n%60)
	}
	states, times, moves, faults := []string{"(" + first.String() + ")"}, []int{1}, []any{}, []any{}
	for range 2000 {
		states, times = append(states, "((cell 1 1 x))"), append(times, 1)
		moves, faults = append(moves, []string{"noop"}), append(faults, []string{""})
	}
	record := map[string]any{"matchId": "m", "gameName": "unknown", "gameRoleNames": []string{"x"}, "states": states, "stateTimes": times, "moves": moves, "errors": faults}
	if w := ask(h, "POST", "/api/record", record); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "too long") {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
}

// TestObserveOpening shows a match that goes on from its third step, with the thoughts of
// players that count from there.
func TestObserveOpening(t *testing.T) {
	s := serve(t, web.Config{WatchOnly: true})
	config := referee.Config{Match: "m"}
	s.Observe(&config, games.Game{Title: "a game"}, []string{"x", "o"})
	record := protocol.NewRecord("m", "a game", []string{"x", "o"}, []string{"one", "two"}, time.Second, time.Second, time.Now())
	state := func(n int) []kif.Term {
		return []kif.Term{kif.List(kif.Symbol("step"), kif.Symbol(fmt.Sprint(n)))}
	}
	noops := []kif.Term{kif.Symbol("noop"), kif.Symbol("noop")}
	if err := record.Begin(state(0), time.Now()); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		if err := record.Turn(noops, nil, state(n), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	config.Observe(referee.Event{Step: 2, Moves: noops, State: state(2), Record: record, Notes: []string{"x began anew"}})
	x := kif.Symbol("x")
	s.Watch(player.WatchState{Match: "m", Role: x, Step: 0, State: state(2)})
	s.Watch(player.WatchMind{Match: "m", Role: x, Step: 0, Mind: local.Mind{Iterations: 5}})
	seen := map[string]bool{}
	stream(t, s.URL()+"api/match/m/events", func(name string, data map[string]any) bool {
		seen[fmt.Sprint(name, data["n"])] = true
		return seen["mind2"] && seen["board2"]
	})
	for _, want := range []string{"step0", "step1", "step2", "about<nil>", "note<nil>"} {
		if !seen[want] {
			t.Errorf("%s is not told: %v", want, seen)
		}
	}
}

// TestIdle drops a game that nobody looks at.
func TestIdle(t *testing.T) {
	s := serve(t, web.Config{Limits: web.Limits{Idle: 50 * time.Millisecond, Games: 1}})
	root := strings.TrimSuffix(s.URL(), "/")
	for range 2 {
		code := 0
		for end := time.Now().Add(time.Minute); code != http.StatusOK && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			code, _ = post(t, root+"/api/play", map[string]any{"game": "nim", "role": 0, "level": 1})
		}
		if code != http.StatusOK {
			t.Fatalf("a game that nobody looks at keeps its place: %d", code)
		}
	}
}

func TestSpectators(t *testing.T) {
	s := serve(t, web.Config{Limits: web.Limits{Spectators: 1}})
	root := strings.TrimSuffix(s.URL(), "/")
	_, answer := post(t, root+"/api/play", map[string]any{"game": "nim", "role": 0, "level": 1})
	url := root + "/api/match/" + answer["id"].(string) + "/events"
	first, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	second, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	second.Body.Close()
	first.Body.Close()
	if first.StatusCode != http.StatusOK || second.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("of two spectators where one is allowed: %d, %d", first.StatusCode, second.StatusCode)
	}
}

// TestLibrary draws every published game, and begins to play it.
func TestLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("many games take a while")
	}
	folder := testenv.Corpus(t, "gdl")
	h := handler(t, web.Config{Folders: []string{folder}})
	names, err := filepath.Glob(filepath.Join(folder, "*.kif"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		if i%8 != 0 && !testenv.Long() {
			continue // an eighth of them is enough for every day
		}
		key := "gdl/" + strings.TrimSuffix(filepath.Base(name), ".kif")
		if w := ask(h, "GET", "/games/"+key, nil); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `id="play"`) {
			t.Errorf("%s cannot be played: %d", key, w.Code)
		}
	}
}

// TestEveryGame begins to play games as a person, in whatever seat has a choice first,
// and makes three moves: all bundled games, and published ones.
func TestEveryGame(t *testing.T) {
	if testing.Short() {
		t.Skip("many games take a while")
	}
	s := serve(t, web.Config{Folders: []string{testenv.Corpus(t, "gdl")}, Limits: web.Limits{Games: 300, Matches: 600}})
	keys := games.Names()
	for _, name := range testenv.Published(t) {
		keys = append(keys, "gdl/"+name)
	}
	for i, key := range keys {
		if i%17 != 0 && !testenv.Long() {
			continue // a few of them are enough for every day
		}
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			playThree(t, strings.TrimSuffix(s.URL(), "/"), key)
		})
	}
}

func playThree(t *testing.T, root, key string) {
	code, answer := post(t, root+"/api/play", map[string]any{"game": key, "role": 0, "level": 1})
	if code == http.StatusUnprocessableEntity { // the first role is chance
		code, answer = post(t, root+"/api/play", map[string]any{"game": key, "role": 1, "level": 1})
	}
	if code != http.StatusOK {
		t.Fatal(code, answer)
	}
	match, made := root+"/api/match/"+answer["id"].(string), 0
	stream(t, match+"/events", func(name string, data map[string]any) bool {
		if name == "end" && data["how"] != "" {
			if data["how"] != "ended" {
				t.Errorf("after %d moves the match %v", made, data["how"])
			}
			return true
		}
		if name != "turn" {
			return false
		}
		moves, _ := data["moves"].([]any)
		var picked string
		clickable := 0
		for _, m := range moves {
			m := m.(map[string]any)
			if targets, _ := m["targets"].([]any); len(targets) > 0 {
				clickable++
			}
			picked = m["move"].(string)
		}
		if made == 0 {
			t.Logf("%d of %d moves can be clicked, such as %s", clickable, len(moves), picked)
		}
		if code, answer := post(t, match+"/move", map[string]any{"n": data["n"], "move": picked}); code != http.StatusOK {
			t.Errorf("%s: %d %v", picked, code, answer)
			return true
		}
		made++
		return made == 3
	})
	post(t, match+"/resign", map[string]any{})
}

// FuzzRecord opens anything as a record.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"matchId": "m", "gameName": "tictactoe", "gameRoleNames": ["x", "o"], "states": ["((cell a 1 x) (cell a 2 b))"], "stateTimes": [1], "moves": [], "errors": []}`))
	f.Add([]byte(`{"states": ["(("]}`))
	s, err := web.New(web.Config{Threads: 1})
	if err != nil {
		f.Fatal(err)
	}
	h := s.Handler()
	f.Fuzz(func(t *testing.T, data []byte) {
		r := httptest.NewRequest("POST", "http://localhost/api/record", bytes.NewReader(data))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK && w.Code != http.StatusUnprocessableEntity {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if w.Code != http.StatusOK {
			return
		}
		id := field(t, w, "id")
		if w := ask(h, "GET", "/match/"+id, nil); w.Code != http.StatusOK {
			t.Errorf("its page: %d", w.Code)
		}
	})
}
