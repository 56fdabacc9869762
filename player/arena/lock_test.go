package arena

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"semisplit/internal/filelock"
)

// TestOneRun: a second run gets a sentence, reports read on, and the first one
// plays on undisturbed.
func TestOneRun(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.db")
	first := create(t, path)
	p := planOf(t, `"nim"`, hundred, `"plays": 2,`)
	begun := false
	mustRun(t, p, first, Options{Progress: func(Progress) {
		if begun {
			return
		}
		begun = true
		if _, err := Create(path); !errors.Is(err, filelock.ErrInUse) || !strings.Contains(err.Error(), path+": another run is playing into it: wait") {
			t.Errorf("a second run: %v", err)
		}
		reader, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Summarize(reader); err != nil {
			t.Error(err)
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}})
	if runtime.GOOS != "windows" { // where links need a privilege
		link := filepath.Join(dir, "link.db")
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		if _, err := Create(link); !errors.Is(err, filelock.ErrInUse) {
			t.Errorf("by another name: %v", err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := create(t, path)
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Create(path); !errors.Is(err, filelock.ErrInUse) {
		t.Errorf("the first one took the lock of the second: %v", err)
	}
	if plays, err := second.Plays(); err != nil || len(plays) != 4 {
		t.Errorf("%d plays, %v", len(plays), err)
	}
}

// TestRunsBeginAtOnce: of many on a new file one plays.
func TestRunsBeginAtOnce(t *testing.T) {
	for round := range 20 {
		path := filepath.Join(t.TempDir(), "new.db")
		var mu sync.Mutex
		var group sync.WaitGroup
		var won []*Store
		for range 8 {
			group.Go(func() {
				store, err := Create(path)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					won = append(won, store)
				case !errors.Is(err, filelock.ErrInUse):
					t.Error(err)
				}
			})
		}
		group.Wait()
		if len(won) != 1 {
			t.Fatalf("round %d: %d runs have the database", round, len(won))
		}
		if err := won[0].Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestKilledRun: the lock of a process that was killed hinders nobody.
func TestKilledRun(t *testing.T) {
	const variable = "ARENA_TEST_HOLDS"
	if path := os.Getenv(variable); path != "" { // the other process
		if _, err := Create(path); err != nil {
			t.Fatal(err)
		}
		fmt.Println("holding")
		time.Sleep(time.Hour)
	}
	path := filepath.Join(t.TempDir(), "run.db")
	other := exec.Command(os.Args[0], "-test.run", "^TestKilledRun$")
	other.Env = append(os.Environ(), variable+"="+path)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil && line == "holding\n" {
		if _, err := Create(path); !errors.Is(err, filelock.ErrInUse) {
			t.Errorf("two processes: %v", err)
		}
	} else {
		t.Errorf("the other process: %q, %v", line, err)
	}
	_ = other.Process.Kill()
	_ = other.Wait() // it was killed
	if _, err := os.Stat(path + ".lock"); err != nil {
		t.Error("the test is void: ", err)
	}
	store := create(t, path)
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + ".lock"); err == nil && runtime.GOOS != "windows" {
		t.Error("the file of the lock is still there")
	}
}
