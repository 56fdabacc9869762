package servers_test

import (
	"bytes"
	"io"
	"log/slog"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"semisplit/protocol/servers"
)

const wholeRepository = `
-- GET /base/games/ --
200

["tictactoe", "nim"]
-- GET /base/games/tictactoe/ --
200

{"rulesheet": "rules.kif", "description": "words.txt", "version": 2}
-- GET /base/games/tictactoe/v2/ --
200

{"rulesheet": "rules.kif", "description": "words.txt", "version": 2}
-- GET /base/games/tictactoe/v0/ --
200

{"rulesheet": "rules.kif", "version": 0}
-- GET /base/games/tictactoe/v2/rules.kif --
200

(role second)
-- GET /base/games/tictactoe/rules.kif --
200

(role bare)
-- GET /base/games/tictactoe/words.txt --
200

words
-- GET /base/games/nim/ --
200

{"rulesheet": "nim.kif"}
-- GET /base/games/nim/v0/ --
200

{"rulesheet": "nim.kif"}
-- GET /base/games/nim/nim.kif --
200

(role n)
`

// The standard suite for file systems.
func TestRepositoryIsAFileSystem(t *testing.T) {
	server := newStandIn(t, txtar.Parse([]byte(wholeRepository)))
	r, err := servers.NewRepository(server.URL+"/base/", servers.RepositoryOptions{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	err = fstest.TestFS(r, "tictactoe/METADATA", "tictactoe/rules.kif", "tictactoe/words.txt", "tictactoe/v0/rules.kif", "tictactoe/v1/METADATA", "nim/v0/nim.kif")
	if err != nil {
		t.Error(err)
	}
}

// A long download tells how far it is.
func TestRepositoryProgress(t *testing.T) {
	rules := bytes.Repeat([]byte("(role x)\n"), 50_000)
	text := "\n-- GET /base/games/big/ --\n200\n\n{\"rulesheet\": \"big.kif\"}\n-- GET /base/games/big/big.kif --\n200\n\n" + string(rules)
	server := newStandIn(t, txtar.Parse([]byte(text)))
	var last, total int64
	told := 0
	r, err := servers.NewRepository(server.URL+"/base", servers.RepositoryOptions{
		Progress: func(url string, d, n int64) {
			if url == server.URL+"/base/games/big/big.kif" {
				if d < last {
					t.Errorf("from %d to %d bytes", last, d)
				}
				last, total = d, n
				told++
			}
		},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Open("big/big.kif")
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(f)
	if err != nil || !bytes.Equal(data, rules) {
		t.Errorf("%d bytes of %d, %v", len(data), len(rules), err)
	}
	if last != int64(len(rules)) || total != last || told < 3 {
		t.Errorf("told %d times, at last %d of %d", told, last, total)
	}
}

func TestParseGameURL(t *testing.T) {
	for text, want := range map[string]string{
		"http://h/base#nim":             "http://h/base#nim",
		"http://h/base/#nim/":           "http://h/base#nim",
		"https://h:1/base#nim/v2":       "https://h:1/base#nim/v2",
		"http://h/base/games/nim/":      "http://h/base#nim",
		"http://h/base/games/nim/v0/":   "http://h/base#nim/v0",
		"http://h/games/x/games/nim/v1": "http://h/games/x#nim/v1",
		"nim":                           "",
		"./nim.kif":                     "",
		"http://h/base":                 "error",
		"http://h/base#":                "error",
		"http://h/base#..":              "error",
		"http://h/base#nim/v-1":         "error",
		"http://h/base#nim/v01":         "error",
		"http://h/base#nim/v101":        "error",
		"http://h/base#nim/rules.kif":   "error",
		"http://u:p@h/base#nim":         "error",
		"http://h/base?x=1#nim":         "error",
		"http:///base#nim":              "error",
	} {
		g, ok, err := servers.ParseGameURL(text)
		got := ""
		switch {
		case err != nil:
			got = "error"
		case ok:
			got = g.String()
		}
		if got != want {
			t.Errorf("%s: got %q, %v, want %q", text, got, err, want)
		}
	}
}

// FuzzRepository: whatever a repository says, what is taken from it are
// names that stay in their folder, and short text without control characters.
func FuzzRepository(f *testing.F) {
	f.Add("key", []byte(`{"rulesheet": "a.kif", "version": 3, "roleNames": ["x"], "gameName": "N"}`))
	f.Add("../x", []byte(`{"rulesheet": "../a.kif", "version": 1e9}`))
	f.Add("k", bytes.Repeat([]byte("["), 5000))
	f.Fuzz(func(t *testing.T, key string, data []byte) {
		servers.CheckGame(t, key, data)
	})
}
