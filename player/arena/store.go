package arena

import (
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"semisplit/internal/database"
	"semisplit/reasoner"
)

// Store is the database of one experiment: an SQLite file. A play is in it
// when Add has returned, whatever happens to the process after that.
type Store struct{ db *database.DB }

// kind has the mark of our files, and the version of the tables.
var kind = database.Kind{Of: "an experiment", Mark: 0x67677061, Version: 2, Schema: schema, Mode: 0o666}

const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE runs (started TEXT NOT NULL, revision TEXT NOT NULL, machine TEXT NOT NULL, parallel INTEGER NOT NULL) STRICT;
CREATE TABLE machines (game TEXT NOT NULL, variant TEXT NOT NULL, engine TEXT NOT NULL, plan TEXT NOT NULL, lanes INTEGER NOT NULL,
	PRIMARY KEY (game, variant)) STRICT;
CREATE TABLE budgets (game TEXT NOT NULL, setting TEXT NOT NULL, baseline TEXT NOT NULL, states INTEGER NOT NULL,
	measured INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (game, setting, baseline)) STRICT;
CREATE TABLE choices (game TEXT NOT NULL, setting TEXT NOT NULL, label TEXT NOT NULL, agent TEXT NOT NULL, why TEXT NOT NULL,
	PRIMARY KEY (game, setting, label)) STRICT;
CREATE TABLE plays (game TEXT NOT NULL, setting TEXT NOT NULL, baseline TEXT NOT NULL, agent TEXT NOT NULL, number INTEGER NOT NULL,
	seats TEXT NOT NULL, seed TEXT NOT NULL, error TEXT NOT NULL, score REAL NOT NULL, detail TEXT NOT NULL,
	PRIMARY KEY (game, setting, baseline, agent, number)) STRICT;
`

// Create opens the database at a path, and makes it if there is none. Until it
// is closed no other run can open it, which gets filelock.ErrInUse.
func Create(path string) (*Store, error) { return newStore(kind.Create(path)) }

// Open opens an existing database for reading.
func Open(path string) (*Store, error) { return newStore(kind.Open(path)) }

func newStore(db *database.DB, err error) (*Store, error) {
	if err != nil {
		return nil, err
	}
	return &Store{db}, nil
}

// Close closes the database. A second time it does nothing.
func (s *Store) Close() error { return s.db.Close() }

// ErrChanged is wrapped where a database holds the results of another spec.
var ErrChanged = errors.New("the database holds the results of another spec")

// begin notes a run of a plan. The first one decides what the database is for.
func (s *Store) begin(p *Plan, run Run) error {
	id, text, err := p.identityText()
	if err != nil {
		return err
	}
	return s.db.Together(func(tx *sql.Tx) error {
		var old string
		err := tx.QueryRow("SELECT value FROM meta WHERE key = 'identity'").Scan(&old)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err := holds(old, text, id); err != nil {
			return err
		}
		if old == "" {
			if _, err := tx.Exec("INSERT INTO meta VALUES ('identity', ?)", text); err != nil {
				return err
			}
		}
		paper, err := json.Marshal(p.Spec.Paper)
		if err != nil {
			return err
		}
		for key, value := range map[string]string{"description": p.Spec.Description, "plays": strconv.Itoa(p.Spec.Plays), "paper": string(paper)} {
			if _, err := tx.Exec("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key, value); err != nil {
				return err
			}
		}
		_, err = tx.Exec("INSERT INTO runs VALUES (?, ?, ?, ?)", run.Started.UTC().Format(time.RFC3339), run.Revision, run.Machine, run.Parallel)
		return err
	})
}

// Check fails if the database holds the results of another plan.
func (s *Store) Check(p *Plan) error {
	id, text, err := p.identityText()
	if err != nil {
		return err
	}
	old, err := s.meta("identity")
	if err != nil {
		return err
	}
	return holds(old, text, id)
}

// identityText is the identity of a plan, and as a database keeps it.
func (p *Plan) identityText() (id identity, text string, err error) {
	if id, err = p.identity(); err != nil {
		return id, "", err
	}
	data, err := json.Marshal(id)
	return id, string(data), err
}

// holds compares what a database was begun for, "" if for nothing yet, with a plan.
func holds(old, text string, id identity) error {
	if old == "" || old == text {
		return nil
	}
	var before identity
	if err := json.Unmarshal([]byte(old), &before); err != nil {
		return err
	}
	return fmt.Errorf("%w: %s changed since it was begun; undo that, or name another database", ErrChanged, differences(before, id))
}

// run names what is played into this database; its jobs have it as their group.
func (s *Store) run() (name string, err error) {
	if name, err = s.meta("run"); name != "" || err != nil {
		return name, err
	}
	name = strings.ToLower(rand.Text())
	_, err = s.db.Exec("INSERT INTO meta VALUES ('run', ?)", name)
	return name, err
}

// Group is the name of the jobs that were asked for to fill this database; "": there
// were none.
func (s *Store) Group() (string, error) { return s.meta("run") }

// Run says when, by what and where plays were made.
type Run struct {
	Started  time.Time
	Revision string // of the program
	Machine  string // the computer
	Parallel int    // matches at once
}

func (s *Store) runs() (list []Run, err error) {
	err = s.db.Each("SELECT started, revision, machine, parallel FROM runs ORDER BY rowid", func(row *sql.Rows) error {
		var r Run
		var started string
		if err := row.Scan(&started, &r.Revision, &r.Machine, &r.Parallel); err != nil {
			return err
		}
		r.Started, err = time.Parse(time.RFC3339, started)
		list = append(list, r)
		return err
	})
	return list, err
}

// meta is a value by its key; "" if there is none.
func (s *Store) meta(key string) (value string, err error) {
	err = s.db.QueryRow("SELECT value FROM meta WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// Add keeps a play.
func (s *Store) Add(p Play) error {
	detail, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = s.db.Exec("INSERT INTO plays VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", p.Game, p.Setting, p.Baseline, p.Agent, p.Number,
		p.Seats, strconv.FormatUint(p.Seed, 10), p.Error, p.Score, string(detail))
	return err
}

// Plays are all plays, sorted by series and number.
func (s *Store) Plays() (list []Play, err error) {
	err = s.db.Each("SELECT detail FROM plays ORDER BY game, setting, baseline, agent, number", func(row *sql.Rows) error {
		var detail string
		if err := row.Scan(&detail); err != nil {
			return err
		}
		var p Play
		if err := json.Unmarshal([]byte(detail), &p); err != nil {
			return fmt.Errorf("a play in the database: %w", err)
		}
		list = append(list, p)
		return nil
	})
	return list, err
}

// ForgetFailures removes the plays that failed, so that they are tried again,
// and tells how many there were. Their jobs belong to another group then, in which
// nothing has an outcome yet.
func (s *Store) ForgetFailures() (int64, error) {
	if _, err := s.db.Exec("DELETE FROM meta WHERE key = 'run'"); err != nil {
		return 0, err
	}
	result, err := s.db.Exec("DELETE FROM plays WHERE error <> ''")
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// budget is a number of states that was measured.
type budget struct {
	Game, Setting, Baseline string
	States                  int     // for each move
	Measured                int64   // states played by the baseline
	Seconds                 float64 // in this time
}

func (s *Store) addBudget(b budget) error {
	_, err := s.db.Exec("INSERT INTO budgets VALUES (?, ?, ?, ?, ?, ?)", b.Game, b.Setting, b.Baseline, b.States, b.Measured, b.Seconds)
	return err
}

func (s *Store) budgets() (list []budget, err error) {
	err = s.db.Each("SELECT game, setting, baseline, states, measured, seconds FROM budgets ORDER BY game, setting, baseline", func(row *sql.Rows) error {
		var b budget
		err := row.Scan(&b.Game, &b.Setting, &b.Baseline, &b.States, &b.Measured, &b.Seconds)
		list = append(list, b)
		return err
	})
	return list, err
}

// chosen is the machine that a variant was found to stand for in a game, so
// that a run which goes on has the same.
type chosen struct {
	Game string
	Want reasoner.Variant
	Have reasoner.Variant
}

func (s *Store) addChosen(c chosen) error {
	_, err := s.db.Exec("INSERT INTO machines VALUES (?, ?, ?, ?, ?)", c.Game, variantText(c.Want), c.Have.Engine, c.Have.Plan, c.Have.Lanes)
	return err
}

func (s *Store) chosen() (map[string]reasoner.Variant, error) {
	m := map[string]reasoner.Variant{}
	return m, s.db.Each("SELECT game, variant, engine, plan, lanes FROM machines", func(row *sql.Rows) error {
		var game, want string
		var have reasoner.Variant
		err := row.Scan(&game, &want, &have.Engine, &have.Plan, &have.Lanes)
		m[chosenKey(game, want)] = have
		return err
	})
}

func chosenKey(game, variant string) string { return game + "\x00" + variant }

// variantText spells a variant as it was asked for: engine, plan, lanes.
func variantText(v reasoner.Variant) string {
	return fmt.Sprintf("%s/%s/%d", v.Engine, v.Plan, v.Lanes)
}
