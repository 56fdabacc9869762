package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"semisplit/player/tournament"
)

// TestRecordsOfOthers has a database in which somebody has named a match so that its record
// would go somewhere else.
func TestRecordsOfOthers(t *testing.T) {
	folder := t.TempDir()
	store, err := tournament.Create(filepath.Join(folder, "one.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	records := filepath.Join(folder, "out", "one", "records")
	if err := os.MkdirAll(records, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"r1-e1-m1", "../../../elsewhere"} {
		match := tournament.Played{Match: tournament.Match{ID: id}}
		if err := store.Add(match, []byte("{}"), nil); err != nil {
			t.Fatal(err)
		}
		err := writeRecords([]tournament.Played{match}, store, records)
		_, missing := os.Stat(filepath.Join(records, id+".json"))
		switch outside := strings.Contains(id, ".."); {
		case outside && (err == nil || missing == nil):
			t.Errorf("%s was written: %v", id, err)
		case !outside && (err != nil || missing != nil):
			t.Errorf("%s was not written: %v, %v", id, err, missing)
		}
	}
}
