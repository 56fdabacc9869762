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
