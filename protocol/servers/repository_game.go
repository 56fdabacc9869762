package servers

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"semisplit/protocol"
	"semisplit/protocol/internal/untrusted"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

// RepositoryGame is the metadata of one version of a game.
type RepositoryGame struct {
	Key         string
	Version     int
	Name        string // for people; may be empty
	Rulesheet   string // the names of files, empty where there is none
	Stylesheet  string
	Interface   string
	Description string
	Curator     string
	Roles       []string // what the repository says; the rules decide
	raw         []byte
	checked     time.Time
}

// Keys are the keys of all games, sorted. Those that can't be keys are left out.
func (r *Repository) Keys() ([]string, error) {
	e, err := r.fetch(r.root+"/games/", false, func(body []byte) error {
		doc, err := untrusted.ParseJSON(body)
		if err == nil && !doc.IsArray() {
			err = fmt.Errorf("a list of keys was expected, not %q", untrusted.PlainText(string(body), 60))
		}
		return err
	})
	if err != nil {
		return nil, r.explain("list the games", err)
	}
	var keys []string
	gjson.ParseBytes(e.body).ForEach(func(_, v gjson.Result) bool {
		if key := v.String(); v.Type == gjson.String && validKey(key) {
			keys = append(keys, key)
		} else {
			r.o.Logger.Warn("the repository lists what is no key of a game", "root", r.root, "key", untrusted.PlainText(v.String(), 60))
		}
		return len(keys) < maxKeys
	})
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

// Games are the newest versions of all games, sorted by key, with one
// request. A mirror that lacks this page lists keys alone: then all other
// fields are empty and the versions are Newest. Metadata that can't be used are left out.
func (r *Repository) Games() ([]RepositoryGame, error) {
	e, err := r.fetch(r.root+"/games/metadata", false, func(body []byte) error {
		doc, err := untrusted.ParseJSON(body)
		if err == nil && !doc.IsObject() {
			err = fmt.Errorf("an object of metadata was expected, not %q", untrusted.PlainText(string(body), 60))
		}
		return err
	})
	var list []RepositoryGame
	if errors.Is(err, fs.ErrNotExist) {
		keys, err := r.Keys()
		for _, key := range keys {
			list = append(list, RepositoryGame{Key: key, Version: Newest})
		}
		return list, err
	}
	if err != nil {
		return nil, r.explain("list the games", err)
	}
	gjson.ParseBytes(e.body).ForEach(func(key, v gjson.Result) bool {
		g, err := parseGame(key.String(), []byte(v.Raw))
		if err == nil && !validKey(key.String()) {
			err = fmt.Errorf("%w: no key of a game", protocol.ErrReply)
		}
		if err != nil {
			r.o.Logger.Warn("metadata of a game are left out", "root", r.root, "key", untrusted.PlainText(key.String(), 60), "err", err)
			return true
		}
		list = append(list, g)
		return len(list) < maxKeys
	})
	slices.SortFunc(list, func(a, b RepositoryGame) int { return compareText(a.Key, b.Key) })
	return slices.CompactFunc(list, func(a, b RepositoryGame) bool { return a.Key == b.Key }), nil
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Game is the metadata of a version of a game, Newest for the newest. A
// version without metadata has those of the version before it.
func (r *Repository) Game(key string, version int) (RepositoryGame, error) {
	if !validKey(key) {
		return RepositoryGame{}, fmt.Errorf("%w: %q is no key of a game", fs.ErrNotExist, untrusted.PlainText(key, 60))
	}
	newest, err := r.metadata(key, "/", false)
	if err != nil {
		return RepositoryGame{}, r.explain("read the metadata of "+key, err)
	}
	if version == Newest || version == newest.Version {
		return newest, nil
	}
	if version < 0 || version > newest.Version {
		return RepositoryGame{}, fmt.Errorf("%w: there is no version %d of %s: the newest is %d", fs.ErrNotExist, version, key, newest.Version)
	}
	for v := version; v >= 0; v-- {
		g, err := r.metadata(key, "/v"+strconv.Itoa(v)+"/", v > 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && gjson.GetBytes(g.raw, "version").Exists() && g.Version != v {
			err = fmt.Errorf("%w: asked for version %d, the repository sent version %d", protocol.ErrReply, v, g.Version)
		}
		g.Version = version
		return g, r.explain(fmt.Sprintf("read the metadata of %s, version %d", key, v), err)
	}
	return RepositoryGame{}, fmt.Errorf("%w: the repository has no metadata of %s, version %d, nor of any before", fs.ErrNotExist, key, version)
}

// metadata reads one page of metadata.
func (r *Repository) metadata(key, folder string, fixed bool) (RepositoryGame, error) {
	e, err := r.fetch(r.root+"/games/"+key+folder, fixed, func(body []byte) error {
		_, err := parseGame(key, body)
		return err
	})
	if err != nil {
		return RepositoryGame{}, err
	}
	g, err := parseGame(key, e.body)
	g.checked = e.Checked
	return g, err
}

func parseGame(key string, data []byte) (RepositoryGame, error) {
	doc, err := untrusted.ParseJSON(data)
	if err != nil {
		return RepositoryGame{}, err
	}
	if !doc.IsObject() {
		return RepositoryGame{}, fmt.Errorf("metadata are an object, not %q", untrusted.PlainText(doc.Raw, 60))
	}
	g := RepositoryGame{Key: key, raw: data, Name: untrusted.PlainText(doc.Get("gameName").String(), 100), Curator: untrusted.PlainText(doc.Get("curator").String(), 100)}
	if v := doc.Get("version"); v.Exists() {
		if v.Type != gjson.Number || v.Float() != float64(v.Int()) || v.Int() < 0 || v.Int() > maxVersion {
			return RepositoryGame{}, fmt.Errorf("the version %s: a number from 0 to %d was expected", untrusted.PlainText(v.Raw, 60), maxVersion)
		}
		g.Version = int(v.Int())
	}
	for name, field := range map[string]*string{
		"rulesheet": &g.Rulesheet, "stylesheet": &g.Stylesheet, "user_interface": &g.Interface, "description": &g.Description,
	} {
		v := doc.Get(name)
		switch text := v.String(); {
		case validFile(text) && v.Type == gjson.String:
			*field = text
		case name == "rulesheet" && v.Exists():
			return RepositoryGame{}, fmt.Errorf("the rulesheet %q is no name of a file beside the metadata", untrusted.PlainText(text, 60))
		}
	}
	for _, role := range doc.Get("roleNames").Array() {
		if len(g.Roles) < 100 {
			g.Roles = append(g.Roles, untrusted.PlainText(role.String(), 60))
		}
	}
	return g, nil
}

// Files are the names of the files that the metadata name, sorted.
func (g RepositoryGame) Files() []string {
	files := slices.DeleteFunc([]string{g.Rulesheet, g.Stylesheet, g.Interface, g.Description}, func(name string) bool { return name == "" })
	slices.Sort(files)
	return slices.Compact(files)
}

// MetaURL is the address of a version's metadata, as match records give it.
func (r *Repository) MetaURL(key string, version int) string {
	return r.root + "/games/" + key + "/v" + strconv.Itoa(version) + "/"
}

// file reads a file of a version, or of the nearest one before it that has
// the file.
func (r *Repository) file(g RepositoryGame, name string) (*cached, error) {
	if !slices.Contains(g.Files(), name) {
		return nil, fs.ErrNotExist
	}
	for v := g.Version; v >= 0; v-- {
		folder := "/"
		if v > 0 {
			folder = "/v" + strconv.Itoa(v) + "/"
		}
		e, err := r.fetch(r.root+"/games/"+g.Key+folder+url.PathEscape(name), v > 0, func(body []byte) error {
			if untrusted.LooksLikePage(body) && name != g.Stylesheet {
				return errors.New("a web page, not the file")
			}
			if name == g.Rulesheet && untrusted.Blank(string(body)) {
				return errors.New("the rules are empty")
			}
			return nil
		})
		if !errors.Is(err, fs.ErrNotExist) {
			return e, r.explain(fmt.Sprintf("read %s of %s, version %d", name, g.Key, v), err)
		}
	}
	return nil, fmt.Errorf("%w: %s of %s is missing in version %d and in all before", fs.ErrNotExist, name, g.Key, g.Version)
}

// explain says what was tried, and what can be done about it.
func (r *Repository) explain(what string, err error) error {
	if err == nil {
		return nil
	}
	advice := ""
	switch {
	case errors.Is(err, protocol.ErrConnection), errors.Is(err, protocol.ErrTimeout):
		advice = " (the repository is down, or this machine is not connected: try again later, or another mirror of it)"
	case errors.Is(err, protocol.ErrReply):
		advice = " (is this the root of a game repository, such as http://games.ggp.org/base?)"
	}
	return fmt.Errorf("%s: %w%s", what, err, advice)
}
