package servers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"semisplit/protocol/servers"
)

func TestPlayerList(t *testing.T) {
	path := filepath.Join(t.TempDir(), servers.PlayerListFile)
	step := func(what string, change func(string, string) (bool, error), player string, changes bool) {
		t.Helper()
		if got, err := change(path, player); err != nil || got != changes {
			t.Fatalf("%s: %v, %v", what, got, err)
		}
	}
	step("no file", servers.RemoveFromPlayerList, "h:1", false)
	step("the first", servers.AddToPlayerList, "h:1", true)
	step("again", servers.AddToPlayerList, "H:1", false)
	step("the second", servers.AddToPlayerList, "h:2", true)
	step("without the first", servers.RemoveFromPlayerList, "h:1", true)
	data, err := os.ReadFile(path)
	if err != nil || string(data) != `{"hostports":["h:2"]}` {
		t.Errorf("%s, %v", data, err)
	}
	step("none left", servers.RemoveFromPlayerList, "h:2", true)
	if data, _ = os.ReadFile(path); string(data) != `{"hostports":[]}` {
		t.Errorf("%s", data)
	}

	// Keys of others stay.
	if err := os.WriteFile(path, []byte(`{"hostports": ["a:1"], "x": {"y": 1}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	step("beside others", servers.AddToPlayerList, "b:2", true)
	data, _ = os.ReadFile(path)
	if got := gjson.GetBytes(data, "x.y").Int(); got != 1 {
		t.Errorf("%s", data)
	}
	if got := gjson.GetBytes(data, "hostports").Raw; got != `["a:1","b:2"]` {
		t.Errorf("%s", got)
	}
}

// A file that is something else is left alone.
func TestPlayerListOfAnotherForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.json")
	for _, text := range []string{"", "{", "[]", `{"hostports": "a:1"}`, strings.Repeat("[", 10_000), strings.Repeat(" ", 2<<20)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := servers.AddToPlayerList(path, "h:1")
		if err == nil || !strings.Contains(err.Error(), "mend or remove it") {
			t.Errorf("%.20q: %v", text, err)
		}
		if data, _ := os.ReadFile(path); string(data) != text {
			t.Errorf("%.20q became %.20q", text, data)
		}
	}
}

func TestOnlyHere(t *testing.T) {
	for address, only := range map[string]bool{
		"127.0.0.1:9147": true, "localhost:1": true, "[::1]:9147": true, "192.168.1.5:9147": true, "10.0.0.1:1": true,
		"0.0.0.0:1": true, "myhost:9147": true, "169.254.1.1:1": true,
		"player.example.org:9147": false, "93.184.216.34:9147": false, "[2001:db8::1]:9147": false,
	} {
		if got := servers.OnlyHere(address); (got != "") != only {
			t.Errorf("%s: %q", address, got)
		}
	}
}
