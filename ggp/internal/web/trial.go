package web

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"semisplit/games"
	"semisplit/internal/printable"
	"semisplit/player/arena"
	"semisplit/player/referee"
)

// Trial is an experiment as it is played, for pages.
type Trial struct {
	server *Server
	stream *stream
	name   string
	mu     sync.Mutex
	rows   []*trialRow
	onShow bool      // one of its matches is
	shown  time.Time // when that began, or the last one
}

// trialRow is how an agent does against a baseline in a game.
type trialRow struct {
	Game     string  `json:"game"`
	Setting  string  `json:"setting"`
	Agent    string  `json:"agent"`
	Baseline string  `json:"baseline"`
	Plays    int     `json:"plays"`
	Failed   int     `json:"failed"`
	Score    float64 `json:"score"` // mean, in percent, with the interval that reports have
	Low      float64 `json:"low"`
	High     float64 `json:"high"`

	scores []float64 // from 0 to 1
}

// Experiment shows an experiment, whose progress the caller tells with Update. It is to
// be called before the first page is served, and once.
func (s *Server) Experiment(name string) *Trial {
	s.trial = &Trial{server: s, stream: newStream(), name: printable.Text(name, printable.LogLimit)}
	s.trial.stream.set("about", "about", map[string]any{"name": s.trial.name, "done": 0, "total": 0})
	return s.trial
}

// Update tells of a play that has ended, and how far the experiment is. A nil Trial is
// nobody's.
func (t *Trial) Update(p arena.Progress) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stream.set("about", "about", map[string]any{"name": t.name, "done": p.Done, "total": p.Total, "left": p.Left.Seconds()})
	if p.Play == nil {
		return
	}
	i := slices.IndexFunc(t.rows, func(r *trialRow) bool {
		return r.Game == p.Play.Game && r.Setting == p.Play.Setting && r.Agent == p.Play.Agent && r.Baseline == p.Play.Baseline
	})
	if i < 0 {
		i = len(t.rows)
		t.rows = append(t.rows, &trialRow{Game: p.Play.Game, Setting: p.Play.Setting, Agent: p.Play.Agent, Baseline: p.Play.Baseline})
	}
	row := t.rows[i]
	row.take(p.Play)
	t.stream.set("row", "row "+row.Game+"\x00"+row.Setting+"\x00"+row.Agent+"\x00"+row.Baseline, map[string]any{"n": i, "row": row})
	t.stream.add("play", map[string]any{"row": i, "name": row.Game + ", " + row.Agent, "score": 100 * p.Play.Score, "turns": p.Play.Turns, "seats": p.Play.Seats, "error": printable.Text(p.Play.Error, printable.LogLimit)})
}

// shownFor is how long a match is on show at least, also one that is over sooner.
const shownFor = 5 * time.Second

// Show shows a match of a play that is about to be played, if no other is on show. What
// it returns is to be called when the match is over. See arena.Options. A nil Trial is
// nobody's.
func (t *Trial) Show(c *referee.Config, game games.Game, roles, players []string) (ended func(error)) {
	if t == nil {
		return func(error) {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.onShow || time.Since(t.shown) < shownFor {
		return func(error) {}
	}
	t.server.Observe(c, game, roles)
	m := t.server.matches.find(c.Match)
	if m == nil { // there are too many
		return func(error) {}
	}
	m.named(players, nil)
	t.onShow, t.shown = true, time.Now()
	t.stream.add("match", map[string]any{"id": m.id, "title": m.title, "roles": m.roles, "players": m.about().Players})
	return func(err error) {
		t.server.Observed(m.id, referee.Result{}, err)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.onShow = false
	}
}

// take counts a play.
func (r *trialRow) take(p *arena.Play) {
	if p.Error != "" {
		r.Failed++
		return
	}
	r.Plays++
	r.scores = append(r.scores, p.Score)
	e := arena.MeanOf(r.scores)
	r.Score, r.Low, r.High = 100*e.Mean, 100*e.Low, 100*e.High
}

// End tells that nothing more will come.
func (t *Trial) End() {
	if t != nil {
		t.stream.close()
	}
}

func (s *Server) experimentPage(w http.ResponseWriter, r *http.Request) {
	if s.trial == nil {
		s.missing(w, r, "There is no experiment here: ggp experiment SPEC --web :8080 shows one.")
		return
	}
	s.render(w, r, http.StatusOK, "experiment.html", pageData{Title: s.trial.name})
}

func (s *Server) experimentEvents(w http.ResponseWriter, r *http.Request) {
	if s.trial == nil {
		fail(w, http.StatusNotFound, "there is no experiment here")
		return
	}
	s.follow(w, r, s.trial.stream)
}
