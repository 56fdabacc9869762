// Package database opens files of results: SQLite databases that carry a mark of what
// they hold, and that one process at a time writes.
package database

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"semisplit/internal/filelock"
)

// Kind is what databases of one kind have in common.
type Kind struct {
	Of      string      // what they hold, with its article, for errors
	Mark    int32       // in the header of the file (application_id)
	Version int         // of the tables
	Schema  string      // statements that make the tables
	Mode    fs.FileMode // of a new file
}

// DB is an open database. One connection is used at a time.
type DB struct {
	*sql.DB
	lock *filelock.Lock // nil where it is only read
}

// Create opens the database at a path, and makes it and its folders if there is none.
// Until it is closed no other process can open it so, which gets filelock.ErrInUse.
func (k Kind) Create(path string) (*DB, error) {
	if dir := filepath.Dir(path); dir != "." {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, fmt.Errorf("database: %w", err)
		}
	}
	l, err := filelock.Take(path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, k.Mode)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("database: %w", err), l.Release())
	}
	db, err := k.open(path, true)
	if err != nil {
		return nil, errors.Join(err, l.Release())
	}
	db.lock = l
	return db, nil
}

// Open opens an existing database for reading. Where its process was killed while it
// wrote, what it had not finished is undone, so the file may be written to all the same.
func (k Kind) Open(path string) (*DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	return k.open(path, false)
}

func (k Kind) open(path string, writes bool) (*DB, error) {
	// One process writes, and reports may read meanwhile: a write waits for them.
	name := "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?mode=rw&_pragma=busy_timeout(10000)&_pragma=synchronous(FULL)"
	if !writes {
		name += "&_pragma=query_only(1)"
	}
	connection, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	connection.SetMaxOpenConns(1)
	db := &DB{DB: connection}
	if err := k.prepare(db, writes); err != nil {
		return nil, errors.Join(fmt.Errorf("database %s: %w", path, err), db.Close())
	}
	return db, nil
}

// prepare makes the tables of a new database, and checks those of another.
func (k Kind) prepare(db *DB, mayCreate bool) error {
	var mark, version, tables int
	for query, value := range map[string]*int{"PRAGMA application_id": &mark, "PRAGMA user_version": &version, "SELECT count(*) FROM sqlite_master": &tables} {
		if err := db.QueryRow(query).Scan(value); err != nil {
			return err
		}
	}
	switch {
	case tables == 0 && mayCreate:
		return db.Together(func(tx *sql.Tx) error {
			_, err := tx.Exec(fmt.Sprintf("%s PRAGMA application_id = %d; PRAGMA user_version = %d;", k.Schema, k.Mark, k.Version))
			return err
		})
	case mark != int(k.Mark):
		return fmt.Errorf("this is no database of %s: name another file", k.Of)
	case version != k.Version:
		return fmt.Errorf("its tables are of version %d, this program knows %d: name another file", version, k.Version)
	}
	return nil
}

// Together makes changes that are kept all or none.
func (db *DB) Together(change func(*sql.Tx) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := change(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Each calls f with every row that a query finds, until f fails.
func (db *DB) Each(query string, f func(*sql.Rows) error) error {
	rows, err := db.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Close closes the database. A second time it does nothing.
func (db *DB) Close() error {
	err := db.DB.Close()
	if db.lock != nil {
		err = errors.Join(err, db.lock.Release())
		db.lock = nil
	}
	return err
}
