package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"semisplit/games"
	"semisplit/kif"
)

// library is the games that there are.
type library struct {
	limits Limits
	keys   []string // of bundled games and folders, in order; never changes

	mu      sync.Mutex
	games   map[string]*game
	pasted  []string // keys, the oldest first
	used    []*game  // that have a quick machine, the latest last
	byRules func() map[string]string
}

// newLibrary finds the bundled games and those of folders. It reads their texts only.
func newLibrary(c Config) (*library, error) {
	l := &library{limits: c.Limits, games: map[string]*game{}}
	add := func(key string, g games.Game) {
		l.keys = append(l.keys, key)
		l.games[key] = newGame(key, g, false, max(c.Limits.Read, longestBundled))
	}
	for _, g := range games.List() {
		add(g.Name, g)
	}
	for _, folder := range c.Folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, fmt.Errorf("the games of %s: %w", folder, err)
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); ext != ".kif" && ext != ".gdl" || !e.Type().IsRegular() {
				continue
			}
			g, err := games.LoadFS(os.DirFS(folder), e.Name())
			if err != nil {
				return nil, fmt.Errorf("the games of %s: %w", folder, err)
			}
			key := filepath.Base(filepath.Clean(folder)) + "/" + g.Name
			if l.games[key] == nil {
				add(key, g)
			}
		}
	}
	l.byRules = sync.OnceValue(l.index)
	return l, nil
}

// longestBundled is how many seconds the initial state of a published game takes at
// most, on a slow machine.
const longestBundled = 60 * time.Second

// find is a game by its key; nil: there is none.
func (l *library) find(key string) *game {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.games[key]
}

// list is all games that were not pasted.
func (l *library) list() (list []*game) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range l.keys {
		list = append(list, l.games[key])
	}
	return list
}

// paste adds a game, in the place of the oldest pasted one if there are too many. The
// same rules are the same game.
func (l *library) paste(title, rules string) *game {
	sum := sha256.Sum256([]byte(title + "\x00" + rules))
	key := "pasted/" + hex.EncodeToString(sum[:10])
	l.mu.Lock()
	defer l.mu.Unlock()
	if g := l.games[key]; g != nil {
		return g
	}
	if len(l.pasted) >= l.limits.Pasted {
		delete(l.games, l.pasted[0])
		l.pasted = l.pasted[1:]
	}
	g := newGame(key, games.Game{Name: key, Title: title, Rules: rules, Source: "pasted"}, true, l.limits.Read)
	l.games[key], l.pasted = g, append(l.pasted, key)
	return g
}

// mostQuick is how many games keep their quick machine, which takes up to some hundred
// megabytes: more than are played and analysed at once.
const mostQuick = 12

// use begins to make the quick machine of a game, in the place of that which was used
// longest ago.
func (l *library) use(g *game) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used = append(slices.DeleteFunc(l.used, func(other *game) bool { return other == g }), g)
	if len(l.used) > mostQuick {
		l.used[0].forget()
		l.used = l.used[1:]
	}
	g.quick()
}

// index is the keys of the bundled games by what their rules are.
func (l *library) index() map[string]string {
	found := map[string]string{}
	for _, key := range l.keys {
		rules, err := kif.Parse(l.games[key].Rules)
		if id := rulesID(rules); err == nil && found[id] == "" {
			found[id] = key
		}
	}
	return found
}

// rulesID is the same for the same rules in any layout.
func rulesID(rules []kif.Term) string {
	h := sha256.New()
	var text []byte
	for _, rule := range rules {
		text = append(rule.Append(text[:0]), '\n')
		_, _ = h.Write(text)
	}
	return string(h.Sum(nil))
}

// withRules is the game with these rules; nil: none is known.
func (l *library) withRules(rules []kif.Term) *game {
	return l.find(l.byRules()[rulesID(rules)])
}

// named is the game that a record means by a name or an address; nil: none is known.
func (l *library) named(name, address string) *game {
	if _, key, ok := strings.Cut(address, "/games/"); ok {
		key, _, _ = strings.Cut(key, "/")
		address = key
	}
	for _, want := range []string{name, address} {
		if want == "" {
			continue
		}
		at := slices.IndexFunc(l.keys, func(key string) bool {
			_, short, found := strings.Cut(key, "/")
			return strings.EqualFold(key, want) || found && strings.EqualFold(short, want)
		})
		if at >= 0 {
			return l.find(l.keys[at])
		}
	}
	return nil
}
