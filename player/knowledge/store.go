// Package knowledge keeps what was learned of games between matches: evaluations, and
// how ways to play did against each other. A game is known by the form of its rules,
// so that a scrambled description finds what was learned of the plain one.
package knowledge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"semisplit/internal/filelock"
	"semisplit/internal/strictjson"
	"semisplit/internal/wholefile"
	"semisplit/player/choice"
	"semisplit/player/evaluation"
)

// Game is what is known of a game, in the names of its form.
type Game struct {
	Version     int                  `json:"version"`
	Key         string               `json:"key"`
	Title       string               `json:"title"`   // what whoever learned it called it
	Seconds     float64              `json:"seconds"` // learned for
	Evaluations []*evaluation.Stored `json:"evaluations"`
	Trials      []choice.Trial       `json:"trials"`
}

// version is that of the files that this program writes and reads.
const version = 1

// Bounds of what is read.
const (
	mostBytes = 64 << 20
	mostGames = 100_000
)

// ErrUnknown: nothing is known of that game.
var ErrUnknown = errors.New("knowledge: nothing is known of this game")

// Store is a folder with a file for each game. Several processes may use it.
type Store struct{ folder string }

// Open gives the store in a folder, which is made when something is kept.
func Open(folder string) *Store { return &Store{folder} }

const suffix = ".knowledge.json"

func (s *Store) path(key string) string { return filepath.Join(s.folder, key+suffix) }

// isKey tells keys from other texts, such as paths.
func isKey(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// Read is what is known of the game with a key. ErrUnknown, or another error.
func (s *Store) Read(key string) (*Game, error) {
	if !isKey(key) {
		return nil, fmt.Errorf("knowledge: %.80q is no key of a game", key)
	}
	file, err := os.Open(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrUnknown
	} else if err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	defer file.Close()
	g, err := Parse(file)
	if err == nil && g.Key != key {
		err = fmt.Errorf("knowledge: it holds the key %.8s", g.Key)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path(key), err)
	}
	return g, nil
}

// Parse reads what Game.Write wrote, and checks it.
func Parse(r io.Reader) (*Game, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	if len(text) > mostBytes {
		return nil, fmt.Errorf("knowledge: longer than %d bytes", mostBytes)
	}
	g := new(Game)
	if err := strictjson.Decode(text, g); err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	switch {
	case g.Version != version:
		return nil, fmt.Errorf("knowledge: version %d, this program reads %d", g.Version, version)
	case !isKey(g.Key):
		return nil, fmt.Errorf("knowledge: %.80q is no key of a game", g.Key)
	case slices.ContainsFunc(g.Trials, func(t choice.Trial) bool { return t.Plays < 0 || !(t.Points >= 0) || t.Points > float64(t.Plays) }):
		return nil, errors.New("knowledge: a trial with impossible figures")
	case slices.Contains(g.Evaluations, nil): // null in the file
		return nil, errors.New("knowledge: an evaluation that is none")
	}
	return g, nil
}

// Write writes the game for Parse.
func (g *Game) Write(w io.Writer) error {
	g.Version = version
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(g)
}

// Keep replaces what is known of a game.
func (s *Store) Keep(g *Game) error {
	return s.change(g.Key, func() error { return s.write(g) })
}

// patience is how long a change waits for others, which take milliseconds each.
const patience = 10 * time.Second

// change lets f read and replace what is known of a game while nobody else does,
// here or in another process: what one of two has added would be lost.
func (s *Store) change(key string, f func() error) (err error) {
	if !isKey(key) {
		return fmt.Errorf("knowledge: %.80q is no key of a game", key)
	}
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return fmt.Errorf("knowledge: %w", err)
	}
	lock, err := filelock.Wait(s.path(key), patience)
	if err != nil {
		return fmt.Errorf("knowledge: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	return f()
}

// write replaces what is known of a game. It is locked.
func (s *Store) write(g *Game) error {
	var text strings.Builder
	if err := g.Write(&text); err != nil {
		return fmt.Errorf("knowledge: %w", err)
	}
	if text.Len() > mostBytes { // it could not be read any more
		return fmt.Errorf("knowledge: of %.80q there is more than %d bytes; what was known stays", g.Title, mostBytes)
	}
	if err := wholefile.Write(s.path(g.Key), []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("knowledge: %w", err)
	}
	return nil
}

// List is everything that is known, by title. Files that cannot be read are in the error.
func (s *Store) List() ([]*Game, error) {
	entries, err := os.ReadDir(s.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	var all []*Game
	var faults []error
	for _, entry := range entries[:min(len(entries), mostGames)] {
		key, ok := strings.CutSuffix(entry.Name(), suffix)
		if !ok {
			continue
		}
		if g, err := s.Read(key); err != nil {
			faults = append(faults, err)
		} else {
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b *Game) int { return strings.Compare(a.Title, b.Title) })
	return all, errors.Join(faults...)
}

// Forget removes what is known of a game. ErrUnknown: there is nothing.
func (s *Store) Forget(key string) error {
	if !isKey(key) {
		return fmt.Errorf("knowledge: %.80q is no key of a game", key)
	}
	if _, err := os.Stat(s.path(key)); errors.Is(err, fs.ErrNotExist) {
		return ErrUnknown
	}
	return s.change(key, func() error {
		err := os.Remove(s.path(key))
		if errors.Is(err, fs.ErrNotExist) {
			return ErrUnknown
		} else if err != nil {
			return fmt.Errorf("knowledge: %w", err)
		}
		return nil
	})
}
