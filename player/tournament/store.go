package tournament

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"semisplit/internal/database"
)

// Store is the database of one tournament: an SQLite file. A match is in it when Add
// has returned, whatever happens to the process after that.
type Store struct{ db *database.DB }

// kind has the mark of our files, and the version of the tables.
var kind = database.Kind{Of: "a tournament", Mark: 0x67677074, Version: 1, Schema: schema, Mode: 0o600}

const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE settled (game TEXT NOT NULL, player TEXT NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (game, player)) STRICT;
CREATE TABLE files (hash TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE matches (id TEXT PRIMARY KEY, round INTEGER NOT NULL, game TEXT NOT NULL, error TEXT NOT NULL, tries INTEGER NOT NULL,
	detail TEXT NOT NULL, record BLOB, thoughts BLOB) STRICT;
`

// Create opens the database at a path, and makes it if there is none. Nobody but the
// owner can read it. Until it is closed no other tournament can open it.
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

// ErrChanged is wrapped where a database holds the matches of another spec.
var ErrChanged = errors.New("the database holds the matches of another tournament")

// begin decides what the database is for, or checks that the plan is what it is for.
// More rounds may be played than before. run names what is played into this database,
// whatever else plays the same spec.
func (s *Store) begin(p *Plan) (run string, err error) {
	text, err := p.identityText()
	if err != nil {
		return "", err
	}
	return run, s.db.Together(func(tx *sql.Tx) error {
		var old string
		switch err := tx.QueryRow("SELECT value FROM meta WHERE key = 'identity'").Scan(&old); {
		case errors.Is(err, sql.ErrNoRows):
			run = strings.ToLower(rand.Text())
			for key, value := range map[string]string{"identity": text, "run": run, "started": time.Now().UTC().Format(time.RFC3339)} {
				if _, err := tx.Exec("INSERT INTO meta VALUES (?, ?)", key, value); err != nil {
					return err
				}
			}
		case err != nil:
			return err
		default:
			if err := holds(old, text); err != nil {
				return err
			}
			if err := tx.QueryRow("SELECT value FROM meta WHERE key = 'run'").Scan(&run); err != nil {
				return err
			}
		}
		for key, value := range map[string]string{"description": p.Spec.Description, "rounds": strconv.Itoa(p.Spec.Rounds)} {
			if _, err := tx.Exec("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key, value); err != nil {
				return err
			}
		}
		return nil
	})
}

// Check fails if the database holds the matches of another spec.
func (s *Store) Check(p *Plan) error {
	text, err := p.identityText()
	if err != nil {
		return err
	}
	var old string
	switch err := s.db.QueryRow("SELECT value FROM meta WHERE key = 'identity'").Scan(&old); {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	return holds(old, text)
}

// identityText is the identity of a plan as a database keeps it.
func (p *Plan) identityText() (string, error) {
	id, err := p.identity()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(id)
	return string(text), err
}

// holds compares what a database was begun for with a plan.
func holds(old, text string) error {
	if old != text {
		return fmt.Errorf("%w: undo what changed in the spec or its files, or name another database", ErrChanged)
	}
	return nil
}

// meta is a value by its key.
func (s *Store) meta(key string) (value string, err error) {
	err = s.db.QueryRow("SELECT value FROM meta WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errors.New("the database is empty: its tournament has not begun")
	}
	return value, err
}

// round is who meets in a round, which is decided the first time. Matches of an earlier
// round that failed and are played again would have others meet, under the same names.
func (s *Store) round(number int, decide func() ([]Encounter, error)) (list []Encounter, err error) {
	key, text := "round "+strconv.Itoa(number), ""
	switch err := s.db.QueryRow("SELECT value FROM meta WHERE key = ?", key).Scan(&text); {
	case err == nil:
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return nil, fmt.Errorf("%s in the database: %w", key, err)
		}
		return list, nil
	case !errors.Is(err, sql.ErrNoRows):
		return nil, err
	}
	if list, err = decide(); err != nil || len(list) == 0 {
		return nil, err
	}
	data, err := json.Marshal(list)
	if err == nil {
		_, err = s.db.Exec("INSERT INTO meta VALUES (?, ?)", key, string(data))
	}
	return list, err
}

// Run names what is played into this database; its jobs have it as their group.
func (s *Store) Run() (string, error) { return s.meta("run") }

// Add keeps a match with its record and what was thought, which may both be missing.
// A match that is there already is left as it is: it was played twice.
func (s *Store) Add(m Played, record, thoughts []byte) error {
	detail, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(`INSERT INTO matches VALUES (?, ?, ?, ?, 0, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
		error = excluded.error, detail = excluded.detail, record = excluded.record, thoughts = excluded.thoughts WHERE matches.error = 'again'`,
		m.ID, m.Round, m.Game, m.Error, string(detail), pack(record), pack(thoughts))
	return err
}

// Matches are all that were played, sorted by round and name.
func (s *Store) Matches() (list []Played, err error) {
	err = s.db.Each("SELECT detail FROM matches WHERE error <> 'again' ORDER BY round, id", func(row *sql.Rows) error {
		var detail string
		if err := row.Scan(&detail); err != nil {
			return err
		}
		var m Played
		if err := json.Unmarshal([]byte(detail), &m); err != nil {
			return fmt.Errorf("a match in the database: %w", err)
		}
		list = append(list, m)
		return nil
	})
	return list, err
}

// Record is the record of a match, and what was thought in it, as JSON; nil where there
// is none.
func (s *Store) Record(id string) (record, thoughts []byte, err error) {
	var packed [2][]byte
	if err := s.db.QueryRow("SELECT record, thoughts FROM matches WHERE id = ?", id).Scan(&packed[0], &packed[1]); err != nil {
		return nil, nil, fmt.Errorf("match %s: %w", id, err)
	}
	if record, err = unpack(packed[0]); err == nil {
		thoughts, err = unpack(packed[1])
	}
	return record, thoughts, err
}

// ForgetFailures lets the matches that failed be played again, and tells how many
// there are.
func (s *Store) ForgetFailures() (int64, error) {
	result, err := s.db.Exec("UPDATE matches SET error = 'again', tries = tries + 1 WHERE error NOT IN ('', 'again')")
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// addTry counts a job that was given up, and is no match.
func (s *Store) addTry(id string) error {
	_, err := s.db.Exec("INSERT INTO meta VALUES ('tries ' || ?, '1') ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1", id)
	return err
}

// tries are how often matches were given back by ForgetFailures, and other jobs given up.
func (s *Store) tries() (map[string]int, error) {
	tries := map[string]int{}
	return tries, s.db.Each(`SELECT id, tries FROM matches WHERE tries > 0
		UNION ALL SELECT substr(key, 7), CAST(value AS INTEGER) FROM meta WHERE key LIKE 'tries %'`, func(row *sql.Rows) error {
		var id string
		var n int
		err := row.Scan(&id, &n)
		tries[id] = n
		return err
	})
}

func (s *Store) addSettled(game, player string, x Settled, files map[string][]byte) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return s.db.Together(func(tx *sql.Tx) error {
		for hash, data := range files {
			if _, err := tx.Exec("INSERT INTO files VALUES (?, ?) ON CONFLICT DO NOTHING", hash, data); err != nil {
				return err
			}
		}
		_, err := tx.Exec("INSERT INTO settled VALUES (?, ?, ?) ON CONFLICT DO NOTHING", game, player, string(text))
		return err
	})
}

// settled are by game and player.
func (s *Store) settled() (map[[2]string]Settled, error) {
	known := map[[2]string]Settled{}
	return known, s.db.Each("SELECT game, player, detail FROM settled", func(row *sql.Rows) error {
		var game, player, detail string
		if err := row.Scan(&game, &player, &detail); err != nil {
			return err
		}
		var x Settled
		if err := json.Unmarshal([]byte(detail), &x); err != nil {
			return fmt.Errorf("an agent in the database: %w", err)
		}
		known[[2]string{game, player}] = x
		return nil
	})
}

// files are what jobs need beside agents and rules, by hash.
func (s *Store) files() (map[string][]byte, error) {
	files := map[string][]byte{}
	return files, s.db.Each("SELECT hash, data FROM files", func(row *sql.Rows) error {
		var hash string
		var data []byte
		err := row.Scan(&hash, &data)
		files[hash] = data
		return err
	})
}

func pack(text []byte) []byte {
	if text == nil {
		return nil
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(text) // a buffer takes all
	_ = w.Close()
	return b.Bytes()
}

// maxUnpacked bounds what a packed text may come to.
const maxUnpacked = 256 << 20

func unpack(packed []byte) ([]byte, error) {
	if packed == nil {
		return nil, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, maxUnpacked+1))
	if err == nil && len(text) > maxUnpacked {
		err = errors.New("a packed text is too long")
	}
	return text, err
}
