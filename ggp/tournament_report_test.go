package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// TestStandingsNowAndThen: standings are not made anew for each match.
func TestStandingsNowAndThen(t *testing.T) {
	var out strings.Builder
	made := 0
	v := tournamentView{out: &out, labels: []string{"a", "b"}, last: time.Now()}
	for done := 1; done <= 3; done++ {
		v.progress(tournament.Progress{
			Done: done, Total: 3, Match: &tournament.Played{Match: tournament.Match{Game: "g", Seats: []int{1, tournament.Chance, 0}}},
			Standings: func() *tournament.Standings {
				made++
				return &tournament.Standings{Labels: v.labels, Order: []int{1}, Lines: make([]tournament.Line, 2)}
			},
		})
	}
	if made != 1 || strings.Count(out.String(), "g  b - a") != 3 || !strings.Contains(out.String(), "1. b") {
		t.Errorf("made %d times:\n%s", made, out.String())
	}
}
