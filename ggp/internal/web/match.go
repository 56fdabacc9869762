package web

import (
	"slices"
	"sync"
	"time"

	"semisplit/ggp/board"
	"semisplit/kif"
	"semisplit/player/local"
)

// match is one that pages show: being played, ended, or read from a record.
type match struct {
	id     string
	begun  time.Time
	stream *stream
	play   *session // of a person who plays here; nil: none

	mu      sync.Mutex
	game    *game // nil: none that is known
	title   string
	roles   []string
	players []string
	human   []bool
	clocks  [2]time.Duration // start, play
	live    bool
	over    string // how it ended
	steps   []step
	page    *board.Page // of the last state
	told    bool        // by a manager, whose word goes before a player's
	counts  map[int]int // by role: how much later than the match its player counts from
}

// step is a state that was reached.
type step struct {
	moves    []kif.Term // that led there
	state    []kif.Term
	faults   []string
	elapsed  []time.Duration
	terminal bool
	goals    []int
	minds    []mindView // the last of each who thought there
}

// about is what a page needs to know of a match at once.
type about struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Game    string   `json:"game,omitempty"` // key; "": it is not known
	Roles   []string `json:"roles"`
	Players []string `json:"players"`
	Human   []bool   `json:"human"`
	Start   float64  `json:"start"`
	Play    float64  `json:"play"`
	Live    bool     `json:"live"`
	Over    string   `json:"over,omitempty"`
	Seat    int      `json:"seat"` // of the person; -1: nobody plays here
	Steps   int      `json:"steps"`
	Analyze bool     `json:"analyze"` // its game is known, so that positions can be thought about
	Goals   []int    `json:"goals,omitempty"`
}

func newMatch(id, title string, g *game, roles []string) *match {
	m := &match{id: id, begun: time.Now(), stream: newStream(), game: g, title: title, roles: roles, live: true}
	m.players, m.human = make([]string, len(roles)), make([]bool, len(roles))
	return m
}

func (m *match) about() about {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := about{
		ID: m.id, Title: m.title, Roles: m.roles, Players: slices.Clone(m.players), Human: slices.Clone(m.human), Start: m.clocks[0].Seconds(), Play: m.clocks[1].Seconds(),
		Live: m.live, Over: m.over, Seat: -1, Steps: len(m.steps),
	}
	if m.game != nil {
		a.Game, a.Analyze = m.game.Key, m.game.program != nil
	}
	if m.play != nil {
		a.Seat = m.play.role
	}
	if n := len(m.steps); n > 0 && m.steps[n-1].terminal {
		a.Goals = m.steps[n-1].goals
	}
	return a
}

// reach adds the state of step n, with which later ones are gone.
func (m *match) reach(n int, s step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n > len(m.steps) {
		n = len(m.steps) // what was before was not told
	}
	if n < len(m.steps) {
		m.steps = m.steps[:n]
		m.stream.add("back", map[string]int{"n": n})
	} else if n > 0 {
		m.tellValues(n - 1)
	}
	before := m.page
	m.steps = append(m.steps, s)
	m.page = m.draw(n)
	if before == nil {
		before = m.page
	}
	view := stepView{N: n, Moves: spellAll(s.moves), Targets: targetsOf(before, m.roles, s.moves), Elapsed: seconds(s.elapsed), Terminal: s.terminal, Goals: s.goals}
	for _, fault := range s.faults {
		view.Faults = append(view.Faults, spell(kif.Symbol(fault)))
	}
	m.stream.drop("turn")
	m.stream.add("step", view)
	m.stream.set("board", "board", boardView{N: n, SVG: m.page.SVG, Legend: m.page.Legend, Rest: m.page.Rest})
}

// tellValues puts what was thought at a step last into the log, for the curve.
func (m *match) tellValues(n int) {
	for _, mind := range m.steps[n].minds {
		values := make([]*float64, len(mind.Roles))
		for i, r := range mind.Roles {
			values[i] = r.Value
		}
		m.stream.add("value", map[string]any{"n": n, "role": mind.Role, "values": values})
	}
}

// draw draws the state of a step, with what is new in it. The lock is held.
func (m *match) draw(n int) *board.Page {
	o := m.game.options()
	if o.Frame == nil {
		o.Frame = m.steps[0].state
	}
	var before []kif.Term
	if n > 0 {
		before = m.steps[n-1].state
	}
	return board.DrawPage(m.steps[n].state, o, before)
}

// board is the drawing of a step, for who goes back; false: there is none.
func (m *match) board(n int) (boardView, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n < 0 || n >= len(m.steps) {
		return boardView{}, false
	}
	p := m.draw(n)
	return boardView{N: n, SVG: p.SVG, Legend: p.Legend, Rest: p.Rest, Minds: slices.Clone(m.steps[n].minds)}, true
}

// position is what an analysis of step n begins with: the moves that led there, the drawing
// and the game; false: there is no such step. It is one look, since a person may take back
// at any time.
func (m *match) position(n int) (history [][]kif.Term, page *board.Page, g *game, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n < 0 || n >= len(m.steps) {
		return nil, nil, nil, false
	}
	for _, s := range m.steps[1 : n+1] {
		history = append(history, s.moves)
	}
	return history, m.draw(n), m.game, true
}

// think tells what somebody thinks of the state of step n.
func (m *match) think(n, who int, mind local.Mind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n != len(m.steps)-1 {
		return
	}
	view := viewMind(m.page, m.roles, n, who, mind)
	s := &m.steps[n]
	if at := slices.IndexFunc(s.minds, func(v mindView) bool { return v.Role == who }); at >= 0 {
		s.minds[at] = view
	} else {
		s.minds = append(s.minds, view)
	}
	m.stream.set("mind", "mind "+string(rune('a'+who)), view)
}

// note tells something about the match, such as how its way to play was chosen.
func (m *match) note(who int, text string) {
	m.stream.add("note", map[string]any{"role": who, "text": text})
}

// end tells how the match ended. With more, it may go on: a person may take back.
func (m *match) end(how string, more bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if how == m.over && more {
		return
	}
	m.live, m.over = more && how == "", how
	if n := len(m.steps); n > 0 && how != "" {
		m.tellValues(n - 1)
	}
	m.stream.set("end", "end", map[string]string{"how": how})
	if !more {
		m.stream.close()
	}
}

// leave ends a match of a person, who has gone. How it ended before stays.
func (m *match) leave(how string) {
	m.mu.Lock()
	if m.over != "" {
		how = m.over
	}
	m.mu.Unlock()
	m.end(how, false)
}

// matches are all that are shown.
type matches struct {
	most int
	mu   sync.Mutex
	list []*match // the oldest first
}

func newMatches(most int) *matches { return &matches{most: most} }

func (l *matches) find(id string) *match {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.list, func(m *match) bool { return m.id == id }); i >= 0 {
		return l.list[i]
	}
	return nil
}

// add shows a match, in the place of one of that id: managers may use an id again. If there
// are too many, the oldest that is over and that nobody looks at goes, then the oldest that
// is over; false: all of them are in play.
func (l *matches) add(m *match) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := slices.IndexFunc(l.list, func(other *match) bool { return other.id == m.id }); at >= 0 {
		l.remove(at)
	}
	if len(l.list) >= l.most && !l.makeRoom() {
		return false
	}
	l.list = append(l.list, m)
	return true
}

func (l *matches) makeRoom() bool {
	at := l.over(func(*match) bool { return true })
	if at < 0 {
		return false
	}
	l.remove(at)
	return true
}

func (l *matches) remove(at int) {
	if p := l.list[at].play; p != nil {
		p.cancel() // nobody finds it any more
	}
	l.list[at].stream.close()
	l.list = slices.Delete(l.list, at, at+1)
}

// vacate ends a game of a person that is over and waits for a move to be taken back, so
// that its place is free soon; false: there is none. The match stays.
func (l *matches) vacate() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.over(func(m *match) bool { return m.play != nil && m.play.ctx.Err() == nil })
	if at < 0 {
		return false
	}
	l.list[at].play.cancel()
	return true
}

// over is the oldest match of some that is over and that nobody looks at, or else the
// oldest that is over; -1: all of them are in play. The lock is held.
func (l *matches) over(some func(*match) bool) int {
	free := func(alone bool) int {
		return slices.IndexFunc(l.list, func(m *match) bool {
			looking, _ := m.stream.watched()
			return some(m) && !m.about().Live && (looking == 0 || !alone)
		})
	}
	if at := free(true); at >= 0 {
		return at
	}
	return free(false)
}

// abouts is what there is to see, the newest first.
func (l *matches) abouts() []about {
	l.mu.Lock()
	list := slices.Clone(l.list)
	l.mu.Unlock()
	slices.Reverse(list)
	all := make([]about, len(list))
	for i, m := range list {
		all[i] = m.about()
	}
	return all
}
