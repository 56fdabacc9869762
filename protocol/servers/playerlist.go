package servers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"semisplit/internal/wholefile"
	"semisplit/protocol/internal/untrusted"
	"slices"
	"strings"
)

// PlayerListFile is the name, in the home folder, of the list of players that
// ggp-base's own server keeps: {"hostports": ["host:port", ...]}. The server
// asks each of them for INFO once a second.
const PlayerListFile = ".ggpserver-playerlist.json"

// maxPlayerList bounds the list, in bytes.
const maxPlayerList = 1 << 20

// readPlayerList reads the players of such a list, none where there is no file,
// and all keys as they stand, to write them back.
func readPlayerList(path string) ([]string, map[string]json.RawMessage, error) {
	keys := map[string]json.RawMessage{}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, keys, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the list of players: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxPlayerList+1))
	if err != nil {
		return nil, nil, fmt.Errorf("the list of players: %w", err)
	}
	wrong := func(why string) error {
		return fmt.Errorf("the list of players %s: %s; it was left as it is: mend or remove it", path, why)
	}
	if len(data) > maxPlayerList {
		return nil, nil, wrong("it is too long")
	}
	doc, err := untrusted.ParseJSON(data)
	if err != nil {
		return nil, nil, wrong(err.Error())
	}
	list := doc.Get("hostports")
	if !doc.IsObject() || !list.IsArray() {
		return nil, nil, wrong(`{"hostports": [...]} was expected`)
	}
	if err := json.Unmarshal(data, &keys); err != nil {
		return nil, nil, wrong(err.Error())
	}
	var players []string
	for _, v := range list.Array() {
		players = append(players, v.String())
	}
	return players, keys, nil
}

// AddToPlayerList puts a player, "host:port", into a list; added is false if
// it was there. The rest of the file stays, and it is replaced whole.
func AddToPlayerList(path, player string) (added bool, err error) {
	return changePlayerList(path, func(players []string) []string {
		if slices.ContainsFunc(players, func(p string) bool { return strings.EqualFold(p, player) }) {
			return players
		}
		return append(players, player)
	})
}

// RemoveFromPlayerList takes a player out of a list; removed is false if it
// was not there.
func RemoveFromPlayerList(path, player string) (removed bool, err error) {
	return changePlayerList(path, func(players []string) []string {
		return slices.DeleteFunc(players, func(p string) bool { return strings.EqualFold(p, player) })
	})
}

func changePlayerList(path string, change func([]string) []string) (changed bool, err error) {
	players, keys, err := readPlayerList(path)
	if err != nil {
		return false, err
	}
	before := len(players)
	players = change(players)
	if len(players) == before {
		return false, nil
	}
	list, err := json.Marshal(append([]string{}, players...))
	if err != nil {
		return false, err
	}
	keys["hostports"] = list
	data, err := json.Marshal(keys)
	if err != nil {
		return false, err
	}
	if err := wholefile.Write(path, data, 0o644); err != nil {
		return false, fmt.Errorf("the list of players: %w", err)
	}
	return true, nil
}
