package arena

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestStoreRefusesOthers(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("this is no database ", 100)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(text); err == nil {
		t.Error("a text was opened")
	}
	if _, err := Create(text); err == nil {
		t.Error("a text was taken over")
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	path := filepath.Join(dir, "a?b#c%20.db")
	store := create(t, path)
	if _, err := Summarize(store); err == nil {
		t.Error("an empty database was summarized")
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file has another name: %v", err)
	}
	if _, err := store.db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "version 99") {
		t.Error(err)
	}
}

// TestReadAfterKill reads a database whose process was killed while it wrote: what it
// had not finished is undone. Who reads cannot write.
func TestReadAfterKill(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.db")
	store := create(t, path)
	if err := store.Add(Play{Game: "kept"}); err != nil {
		t.Fatal(err)
	}
	tx, err := store.db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	// More than is held in memory: the file is written to before the end.
	_, err = tx.Exec(`PRAGMA cache_size = 1; UPDATE plays SET detail = 'unfinished';
		WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100) INSERT INTO meta SELECT x, hex(zeroblob(1000)) FROM n`)
	if err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(dir, "killed.db")
	for _, ending := range []string{"", "-journal"} {
		data, err := os.ReadFile(path + ending)
		if err == nil {
			err = os.WriteFile(killed+ending, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	read, err := Open(killed)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if plays, err := read.Plays(); err != nil || len(plays) != 1 || plays[0].Game != "kept" {
		t.Errorf("%+v, %v", plays, err)
	}
	if err := read.Add(Play{Game: "another"}); err == nil {
		t.Error("a database that is only read was written to")
	}
}

// TestDamagedDatabase reads databases with bytes changed anywhere: an error is
// as good as a report.
func TestDamagedDatabase(t *testing.T) {
	p := planOf(t, `"nim"`, hundred, `"plays": 2, "sprt": {"rate0": 0.5, "rate1": 0.6},`)
	path := filepath.Join(t.TempDir(), "run.db")
	store := create(t, path)
	mustRun(t, p, store, Options{})
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		damaged := slices.Clone(whole)
		for range 1 + random.IntN(20) {
			damaged[random.IntN(len(damaged))] = byte(random.Uint32())
		}
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		store, err := Open(path)
		if err != nil {
			continue
		}
		if sum, err := Summarize(store); err == nil {
			if err := sum.Markdown(new(strings.Builder), nil); err != nil {
				t.Error(err)
			}
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}
