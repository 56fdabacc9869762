package tournament

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/games"
	"semisplit/player/arena"
	"semisplit/player/jobs"
	"semisplit/player/jobs/jobstest"
	"semisplit/player/local"
	"semisplit/player/peer"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/reasoner"
)

const few = `"setting": {"kind": "iterations", "iterations": 15}, "seed": 3`

func planOf(t *testing.T, spec string) *Plan {
	t.Helper()
	return planIn(t, spec, ".")
}

func planIn(t *testing.T, spec, dir string) *Plan {
	t.Helper()
	s, err := ReadSpec(strings.NewReader(spec))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(s, dir, games.Load)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// field plays in this process.
func field(t *testing.T, p *Plan) *jobstest.Here {
	t.Helper()
	w := &Worker{Peers: p.Peers()}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return &jobstest.Here{Handlers: w.Handlers()}
}

func storeOf(t *testing.T) *Store {
	t.Helper()
	s, err := Create(filepath.Join(t.TempDir(), "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func mustRun(t *testing.T, p *Plan, s *Store, o Options) []Played {
	t.Helper()
	if o.Field == nil {
		o.Field = field(t, p)
	}
	if o.Ahead == 0 {
		o.Ahead = 2
	}
	if err := p.Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	played, err := s.Matches()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range played {
		if m.Error != "" {
			t.Errorf("%s of %s: %s", m.ID, m.Game, m.Error)
		}
	}
	return played
}

// outcomes are the results of matches without times.
func outcomes(played []Played) string {
	var b strings.Builder
	for _, m := range played {
		fmt.Fprintln(&b, m.ID, m.Game, m.Seats, m.Goals, m.Steps, m.Opening, m.Ended, m.Forfeited)
	}
	return b.String()
}

// TestSeats: everybody meets everybody on each seat, with the same opening, in games
// for one, two and three.
func TestSeats(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": ["random", "orthodox", "semisplit"], "games": ["tictactoe", "eightpuzzle", "chinesecheckers3"],
		"rounds": 2, "opening": {"plies": 2}, "adjudicate": {"length": 12}, `+few+`}`)
	s := storeOf(t)
	played := mustRun(t, p, s, Options{})
	seated := map[string]int{}
	openings := map[string]string{}
	for _, m := range played {
		for role, who := range m.Seats {
			seated[fmt.Sprint(m.Game, role, who)]++
		}
		text, thoughts, err := s.Record(m.ID)
		if err != nil {
			t.Fatal(err)
		}
		record, err := protocol.ParseRecord(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := referee.CheckForm(record); err != nil {
			t.Error(err)
		}
		opening := fmt.Sprint(record.Moves[:m.Opening])
		if key := fmt.Sprint(m.Game, m.Round); openings[key] == "" {
			openings[key] = opening
		} else if openings[key] != opening {
			t.Errorf("%s: the opening %s, and in another match of the round %s", m.ID, opening, openings[key])
		}
		var steps [][]Thought
		if err := json.Unmarshal(thoughts, &steps); err != nil || len(steps) != m.Steps {
			t.Errorf("%s: thoughts of %d steps, and %d were played (%v)", m.ID, len(steps), m.Steps, err)
		}
		if m.Ended == ByRules {
			replays(t, m.Game, record)
		}
	}
	// In each round: 3 pairs with 2 matches, 3 pairs alone, 1 table with 3 matches.
	if len(played) != 2*(3*2+3*2+3) {
		t.Errorf("%d matches", len(played))
	}
	for key, n := range seated {
		want := 4 // on each seat, once in a pair with each of two, in two rounds
		if strings.HasPrefix(key, "chinesecheckers3") {
			want = 2
		}
		if n != want {
			t.Errorf("%s sat %d times, not %d", key, n, want)
		}
	}
	st := standings(p.Labels(), played)
	if st.Lines[0].Contests != 2*(4+2+3) || len(st.Games) != 3 || st.Matches != len(played) {
		t.Errorf("%+v", st.Lines[0])
	}
}

func replays(t *testing.T, game string, record *protocol.Record) {
	t.Helper()
	g, err := games.Load(game)
	if err != nil {
		t.Fatal(err)
	}
	program, _ := reasoner.Read(g.Rules)
	m, err := reasoner.NewProver(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := referee.Replay(m, record, new(atomic.Bool)); err != nil {
		t.Errorf("%s: %v", game, err)
	}
}

// TestResume: a tournament that is stopped again and again comes to the same as one
// that is not, in every format.
func TestResume(t *testing.T) {
	for _, format := range []string{RoundRobin, Swiss, Telling} {
		t.Run(format, func(t *testing.T) {
			p := planOf(t, `{"name": "t", "players": ["random", "orthodox", "o-s-mod", "orthodox-mast-rave"], "games": ["tictactoe", "nim"],
				"rounds": 3, "format": "`+format+`", "opening": {"plies": 1}, `+few+`}`)
			whole := mustRun(t, p, storeOf(t), Options{})
			s := storeOf(t)
			stopped := errors.New("stopped")
			for n := 3; ; n += 5 {
				here, left := field(t, p), int32(n)
				here.Before = func(jobs.Job) error {
					if atomic.AddInt32(&left, -1) < 0 {
						return stopped
					}
					return nil
				}
				err := p.Run(t.Context(), s, Options{Field: here, Ahead: 2})
				if err == nil {
					break
				}
				if !errors.Is(err, stopped) {
					t.Fatal(err)
				}
			}
			played, err := s.Matches()
			if err != nil {
				t.Fatal(err)
			}
			if got, want := outcomes(played), outcomes(whole); got != want || len(played) < 12 {
				t.Errorf("stopped:\n%s\nwhole:\n%s", got, want)
			}
			if a, b := standings(p.Labels(), played), standings(p.Labels(), whole); a.Lines[1].Rating != b.Lines[1].Rating {
				t.Errorf("%+v and %+v", a.Lines[1].Rating, b.Lines[1].Rating)
			}
		})
	}
}

// TestCancelled: the error is that of the context, and what was played is kept.
func TestCancelled(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": ["random", "orthodox"], "games": ["tictactoe"], "rounds": 50, `+few+`}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := storeOf(t)
	err := p.Run(ctx, s, Options{Field: field(t, p), Ahead: 2, Progress: func(p Progress) {
		if p.Done == 5 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if played, err := s.Matches(); err != nil || len(played) < 5 || len(played) > 8 {
		t.Errorf("%d matches, %v", len(played), err)
	}
}

// TestProof: a match ends with the goals that the search has proven, and with the
// rules' own ones otherwise.
func TestProof(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": [{"agent": "semisplit", "set": {"algorithm.parameters.solver": true, "algorithm.split_strategy": "orthodox"}}, "random"], "games": ["nim"],
		"rounds": 4, "adjudicate": {"proof": true}, "setting": {"kind": "iterations", "iterations": 3000}}`)
	s := storeOf(t)
	played := mustRun(t, p, s, Options{})
	proven := 0
	for _, m := range played {
		if m.Ended == ByProof {
			proven++
			text, _, err := s.Record(m.ID)
			if err != nil {
				t.Fatal(err)
			}
			record, err := protocol.ParseRecord(text)
			if err != nil || !record.IsAborted || record.IsCompleted {
				t.Errorf("%s: the record does not say that the match was cut short (%v)", m.ID, err)
			}
			if sum := m.Goals[0] + m.Goals[1]; sum != 100 {
				t.Errorf("%s: goals %v", m.ID, m.Goals)
			}
		}
	}
	if proven == 0 {
		t.Errorf("nothing was proven in %d matches", len(played))
	}
}

// TestAbsent: players that are not there, that crash, or whose agent cannot play
// forfeit; the tournament goes on, and their matches are not rated.
func TestAbsent(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": ["random", {"name": "gone", "url": "http://127.0.0.1:1/"}, {"name": "dies", "command": ["sh", "-c", "exit 3 {port}"]}],
		"games": ["tictactoe"], "rounds": 1, "faults": 1, "setting": {"kind": "timed", "seconds": 1, "start": 1}}`)
	played := mustRun(t, p, storeOf(t), Options{})
	st := standings(p.Labels(), played)
	if st.Forfeits != 6 || st.Lines[0].Points != 4 || st.Lines[0].Forfeits != 0 || st.Lines[1].Forfeits != 4 || st.Lines[2].Forfeits != 4 {
		t.Errorf("%+v", st)
	}
	for who := 1; who <= 2; who++ {
		if l := st.Lines[who]; l.Absent != 4 || l.Faults.Lost == 0 || l.Rating.Contests != 0 {
			t.Errorf("%s: %+v", p.Players[who].Label, l)
		}
	}
}

// TestUnready: a worker that does not get the file of an agent, or cannot keep the output
// of a player, has failed in a try of the match, which nobody forfeits.
func TestUnready(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": ["random", "orthodox"], "games": ["tictactoe"], "rounds": 1, `+few+`}`)
	here, w := field(t, p), &Worker{}
	rules, err := here.Put(t.Context(), []byte(p.Games[0].Text))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Logs = filepath.Join(file, "logs")
	w.Peers = map[string]*arena.Peer{"peer": {Command: []string{"sleep", peer.Port}}}
	for want, seat := range map[string]SeatJob{
		"no file lost":                  {Label: "agent", agentFiles: agentFiles{Agent: "lost"}},
		"no player can be started here": {Label: "peer", Peer: true},
	} {
		payload, err := json.Marshal(MatchJob{Match: Match{Table: []int{0, 1}, Seats: []int{0, 1}}, Rules: rules, Seats: []SeatJob{seat, seat}, Setting: p.Spec.Setting})
		if err != nil {
			t.Fatal(err)
		}
		out, err := w.match(t.Context(), jobs.Task{Payload: payload, Files: here, Stretch: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v", want, out, err)
		}
	}
}

// TestFailures are kept, counted, and played again where that is asked for.
func TestFailures(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": ["random", "orthodox"], "games": ["tictactoe"], "rounds": 2, "turns": 3, `+few+`}`)
	s := storeOf(t)
	if err := p.Run(t.Context(), s, Options{Field: field(t, p), Ahead: 1}); err != nil {
		t.Fatal(err)
	}
	played, err := s.Matches()
	if err != nil || len(played) != 4 {
		t.Fatal(len(played), err)
	}
	for _, m := range played {
		if !strings.Contains(m.Error, "no end after 3 steps") {
			t.Errorf("%+v", m)
		}
	}
	if st := standings(p.Labels(), played); st.Failed != 4 || st.Lines[0].Contests != 0 {
		t.Errorf("%+v", st)
	}
	if n, err := s.ForgetFailures(); n != 4 || err != nil {
		t.Error(n, err)
	}
	var ids []string
	here := field(t, p)
	here.Before = func(j jobs.Job) error {
		ids = append(ids, j.ID)
		return nil
	}
	if err := p.Run(t.Context(), s, Options{Field: here, Ahead: 1}); err != nil {
		t.Fatal(err)
	}
	if len(ids) != 4 || !strings.HasSuffix(ids[0], "-t1") {
		t.Errorf("%v: a job that is tried again needs a name of its own", ids)
	}
}

// TestSettlingGivenUp: where the workers were lost that settle an agent, the tournament
// ends, and the next run settles it.
func TestSettlingGivenUp(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": ["random", "orthodox", "semisplit"], "games": ["tictactoe"], "rounds": 1, `+few+`}`)
	s, here := storeOf(t), field(t, p)
	for n, want := range []struct{ settle, park int }{{3, 2}, {2, 1}, {1, 0}} {
		settle := 0
		here.Before = func(j jobs.Job) error {
			if j.Kind != KindSettle {
				return nil
			}
			if again := strings.HasSuffix(j.ID, fmt.Sprintf("-t%d", n)); again != (n > 0) {
				t.Errorf("%s: a job that is tried again needs a name of its own", j.ID)
			}
			if settle++; settle <= want.park {
				return fmt.Errorf("%w: its workers were lost", jobs.ErrParked)
			}
			return nil
		}
		if err := p.Run(t.Context(), s, Options{Field: here, Ahead: 1}); errors.Is(err, jobs.ErrParked) != (want.park > 0) || settle != want.settle {
			t.Errorf("run %d: %d agents are settled, not %d: %v", n, settle, want.settle, err)
		}
	}
	played := mustRun(t, p, s, Options{})
	if st := standings(p.Labels(), played); len(played) != 6 || st.Forfeits != 0 {
		t.Errorf("%d matches, %d of them forfeited", len(played), st.Forfeits)
	}
}

// TestAgain: a match that is played again changes the standings after its round, and not
// who meets in the next one, which has begun.
func TestAgain(t *testing.T) {
	parked := []string{"r1-e3-m1", "r2-e2-m2", "r2-e3-m1", "r2-e4-m1", "r2-e5-m1", "r2-e6-m1"}
	for _, format := range []string{Swiss, Telling} {
		t.Run(format, func(t *testing.T) {
			p := planOf(t, `{"name": "t", "players": ["random", "orthodox", "o-s-mod", "orthodox-mast-rave", "semisplit", {"agent": "random", "label": "r2"}],
				"games": ["tictactoe", "eightpuzzle"], "rounds": 2, "format": "`+format+`", "adjudicate": {"length": 12}, "setting": {"kind": "iterations", "iterations": 15}, "seed": 1}`)
			s, here := storeOf(t), field(t, p)
			asked := map[string]string{}
			here.Before = func(j jobs.Job) error {
				if j.Kind != KindMatch {
					return nil
				}
				job, err := decode[MatchJob](j.Payload)
				if err != nil {
					return err
				}
				if m := job.Match; asked[m.ID] == "" {
					asked[m.ID] = fmt.Sprint(m.Game, m.Table, m.Seats)
				} else if again := fmt.Sprint(m.Game, m.Table, m.Seats); again != asked[m.ID] {
					t.Errorf("%s: %s, and then %s", m.ID, asked[m.ID], again)
				}
				if slices.Contains(parked, j.ID) {
					return jobs.ErrParked
				}
				return nil
			}
			if err := p.Run(t.Context(), s, Options{Field: here, Ahead: 1}); err != nil {
				t.Fatal(err)
			}
			if n, err := s.ForgetFailures(); int(n) < 2 || err != nil {
				t.Fatal(n, err)
			}
			mustRun(t, p, s, Options{Field: here})
			if _, err := Summarize(s); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTellingOfFailures: a game of which each match fails is not the next one again and again.
func TestTellingOfFailures(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": ["random", "orthodox"], "games": ["tictactoe", "nim"], "rounds": 9, "format": "`+Telling+`", `+few+`}`)
	var before []Played
	played := map[int]int{} // encounters by game
	for number := 1; number <= 4; number++ {
		list, err := p.round(number, before)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		played[list[0].Game]++
		for _, m := range p.matches(list[0], 1) {
			one := Played{Match: m, Goals: []int{100, 0}}
			if list[0].Game == 0 {
				one.Error = "lost"
			}
			before = append(before, one)
		}
	}
	if played[0] != 2 || played[1] != 2 {
		t.Errorf("encounters by game: %v", played)
	}
}

// TestStrangers: matches that are not of one table come to no contest.
func TestStrangers(t *testing.T) {
	alone := func(turn int, table ...int) Played {
		return Played{Match: Match{ID: fmt.Sprint("r2-e1-m", turn+1), Encounter: "r2-e1", Table: table, Seats: table[turn : turn+1]}, Goals: []int{50}}
	}
	for name, c := range map[string]struct {
		played []Played
		want   int
	}{
		"both":              {[]Played{alone(0, 3, 1), alone(1, 3, 1)}, 1},
		"half":              {[]Played{alone(1, 3, 1)}, 0},
		"somebody else":     {[]Played{alone(0, 3, 1), alone(1, 3, 4)}, 0},
		"one of them twice": {[]Played{alone(0, 3, 1), alone(1, 4, 3)}, 0},
	} {
		if list := contests(c.played); len(list) != c.want {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// TestForeign: a match in somebody else's database that makes no sense is an error of
// the report.
func TestForeign(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": ["random", "orthodox"], "games": ["tictactoe"], "rounds": 1, `+few+`}`)
	for name, m := range map[string]Played{
		"no goals":   {Match: Match{Table: []int{0, 1}, Seats: []int{1, 0}}},
		"one player": {Match: Match{Table: []int{0}, Seats: []int{0, Chance}}, Goals: []int{50, 50}},
		"a stranger": {Match: Match{Table: []int{0, 2}, Seats: []int{0, 2}}, Goals: []int{50, 50}},
	} {
		s := storeOf(t)
		if _, err := s.begin(p); err != nil {
			t.Fatal(err)
		}
		m.ID = "r1-e1-m1"
		if err := s.Add(m, nil, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := Summarize(s); err == nil || !strings.Contains(err.Error(), m.ID) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestForeignTexts: what somebody else's database says neither steers a terminal nor is
// a formula of a spreadsheet.
func TestForeignTexts(t *testing.T) {
	const hostile = "=1+1\x1b[31m"
	failed := Played{Match: Match{ID: hostile}, Error: "it failed", Ended: hostile}
	r := &Report{Format: hostile, Standings: standings(nil, []Played{failed}), Matches: []Played{failed}}
	var text, table bytes.Buffer
	if err := errors.Join(r.Markdown(&text, nil), r.MatchesCSV(&table)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String()+table.String(), "\x1b") {
		t.Errorf("%q\n%q", text.String(), table.String())
	}
	fields, err := csv.NewReader(&table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(slices.Concat(fields...), func(field string) bool { return strings.HasPrefix(field, "=") }); i >= 0 {
		t.Errorf("%q has a formula", fields)
	}
}

// TestOthers: the outcome of a match between others is not taken for that of this one.
func TestOthers(t *testing.T) {
	m := Match{Table: []int{0, 1}, Seats: []int{1, 0}}
	out := matchOutcome{Played: Played{Match: m, Ended: ByRules, Goals: []int{0, 100}, Faults: make([]Side, 2), Efforts: make([]local.Effort, 2)}}
	if err := out.check(m); err != nil {
		t.Error(err)
	}
	m.Seats = []int{1, 2}
	if err := out.check(m); err == nil {
		t.Error("it is taken")
	}
}

// TestChanged: a database is for one tournament; more rounds may follow.
func TestChanged(t *testing.T) {
	const spec = `{"name": "t", "players": ["random", "orthodox"], "games": ["tictactoe"], "rounds": 1, `
	s := storeOf(t)
	mustRun(t, planOf(t, spec+few+`}`), s, Options{})
	if n := len(mustRun(t, planOf(t, strings.Replace(spec, `"rounds": 1`, `"rounds": 3`, 1)+few+`}`), s, Options{})); n != 6 {
		t.Errorf("%d matches", n)
	}
	other := planOf(t, spec+`"turns": 99, `+few+`}`)
	if err := other.Run(t.Context(), s, Options{Field: field(t, other), Ahead: 1}); !errors.Is(err, ErrChanged) {
		t.Errorf("%v", err)
	}
}

// TestChangedEvaluation: another content of an agent's evaluation file makes another
// tournament.
func TestChangedEvaluation(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	agent, err := json.Marshal(map[string]any{"name": "a", "algorithm": map[string]any{"parameters": map[string]any{"evaluation": write("e.json", "one"), "implicit_minimax": 0.2}}})
	if err != nil {
		t.Fatal(err)
	}
	write("a.json", string(agent))
	p, s := planIn(t, `{"name": "t", "players": ["random", "a.json"], "games": ["tictactoe"], "rounds": 1, `+few+`}`, dir), storeOf(t)
	for _, c := range []struct {
		text string
		want error
	}{{"one", nil}, {"two", ErrChanged}, {"one", nil}} {
		write("e.json", c.text)
		if _, err := s.begin(p); !errors.Is(err, c.want) {
			t.Errorf("evaluation %s: %v, want %v", c.text, err, c.want)
		}
	}
}

func TestBooks(t *testing.T) {
	dir := t.TempDir()
	const book = "; two corners\n(((mark a 1) noop) (noop (mark c 3)))\n(((mark b 2) noop))\n"
	if err := os.WriteFile(filepath.Join(dir, "ttt.book"), []byte(book), 0o600); err != nil {
		t.Fatal(err)
	}
	p := planIn(t, `{"name": "t", "players": ["random", "orthodox"], "games": ["tictactoe", "nim"], "rounds": 2, "opening": {"plies": 3, "books": {"tictactoe": "ttt.book"}}, `+few+`}`, dir)
	s := storeOf(t)
	for _, m := range mustRun(t, p, s, Options{}) {
		if want := 3 - m.Round; m.Game == "tictactoe" && m.Opening != want {
			t.Errorf("%s begins with %d moves of the book, not %d", m.ID, m.Opening, want)
		}
	}
	r, err := Summarize(s)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := r.Markdown(&text, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), " Matches of tictactoe begin with lines of a book. Others begin with 3 random joint moves. ") {
		t.Error(text.String())
	}
}

func FuzzBook(f *testing.F) {
	f.Add([]byte("(((mark 1 1) noop))"))
	f.Add([]byte("((a b)) ()"))
	f.Fuzz(func(t *testing.T, text []byte) {
		lines, err := ReadBook(text)
		if err != nil {
			return
		}
		var b bytes.Buffer
		for _, line := range lines {
			fmt.Fprintln(&b, spellLine(line))
		}
		again, err := ReadBook(b.Bytes())
		if err != nil || len(again) != len(lines) {
			t.Fatalf("%q: %d lines, and %d of %q (%v)", text, len(lines), len(again), b.String(), err)
		}
	})
}

// TestLearned: what an agent has learned of a game is there in its matches.
func TestLearned(t *testing.T) {
	p := planOf(t, `{"name": "t", "players": ["random", "house", "alphabeta"], "games": ["tictactoe"], "rounds": 1, `+few+`}`)
	s := storeOf(t)
	for _, m := range mustRun(t, p, s, Options{}) {
		if m.Ended != ByRules {
			t.Errorf("%s: %v ended by %v", m.ID, m.Seats, m.Ended)
		}
	}
}
