package games

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// MaxBytes is the length that a description, or a folder's METADATA, may
// have. The longest published description has about 300 kB.
const MaxBytes = 16 << 20

// ErrUnknown is wrapped by Load when there is neither a bundled game nor a
// file or folder of that name.
var ErrUnknown = errors.New("unknown game")

// Load finds a game: a bundled name in any case, or else the path of a
// description, or of a folder that holds one description or a METADATA file
// that names it. A file that is named like a bundled game is reached by a
// path with a separator, such as ./nim.
func Load(game string) (Game, error) {
	if strings.TrimSpace(game) == "" {
		return Game{}, fmt.Errorf("no game given: name one of %s, or a file with a description", strings.Join(Names(), ", "))
	}
	for _, name := range Names() {
		if strings.EqualFold(name, game) {
			return readBundled(name), nil
		}
	}
	clean := filepath.Clean(game)
	if _, err := os.Stat(clean); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return Game{}, unknown(game)
		}
		return Game{}, fmt.Errorf("load game %s: %w", game, withoutPath(err))
	}
	// The parent is the file system, so that folder and file are one case.
	dir, base := filepath.Split(clean)
	if base == "." || base == ".." || base == "" {
		absolute, err := filepath.Abs(clean)
		if err != nil {
			return Game{}, fmt.Errorf("load game %s: %w", game, err)
		}
		dir, base = filepath.Split(absolute)
		if base == "" {
			return Game{}, fmt.Errorf("load game %s: the root of the file system is no game: name a description (.kif or .gdl)", game)
		}
	}
	if dir == "" {
		dir = "."
	}
	g, err := LoadFS(os.DirFS(dir), filepath.ToSlash(base))
	if err != nil {
		return Game{}, err
	}
	g.Source = game
	return g, nil
}

// LoadFS is Load for a path in fsys, which must be a description or a folder
// with one. Bundled names mean nothing to it.
func LoadFS(fsys fs.FS, name string) (Game, error) {
	name = path.Clean(name)
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return Game{}, fmt.Errorf("load game %s: %w", name, withoutPath(err))
	}
	if info.IsDir() {
		return loadFolder(fsys, name)
	}
	return loadFile(fsys, name)
}

func loadFile(fsys fs.FS, name string) (Game, error) {
	text, err := readLimited(fsys, name)
	if err != nil {
		return Game{}, err
	}
	short := strings.TrimSuffix(path.Base(name), path.Ext(name))
	drawing := readDrawing(fsys, strings.TrimSuffix(name, path.Ext(name)))
	return Game{Name: short, Title: short, Rules: text, Source: name, Drawing: drawing}, nil
}

// loadFolder reads the description that METADATA names, as the repositories
// of games lay their folders out, or the only one there is.
func loadFolder(fsys fs.FS, dir string) (Game, error) {
	meta, err := readMetadata(fsys, dir)
	if err != nil {
		return Game{}, err
	}
	file := meta.rulesheet
	if file == "" {
		if file, err = onlyDescription(fsys, dir); err != nil {
			return Game{}, err
		}
	}
	g, err := loadFile(fsys, path.Join(dir, file))
	if err != nil {
		return Game{}, err
	}
	if dir != "." {
		g.Name = path.Base(dir)
		g.Title = g.Name
	}
	if meta.title != "" {
		g.Title = meta.title
	}
	if meta.text != "" {
		g.Text = meta.text
	}
	return g, nil
}

// metadata is what we use of a METADATA file; its fields are empty where it
// has none.
type metadata struct {
	rulesheet string // a path within the folder
	title     string
	text      string
}

func readMetadata(fsys fs.FS, dir string) (metadata, error) {
	name := path.Join(dir, "METADATA")
	content, err := readLimited(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return metadata{}, nil
	}
	if err != nil {
		return metadata{}, err
	}
	if !json.Valid([]byte(content)) { // gjson's own check recurses, and a file may be all brackets
		return metadata{}, fmt.Errorf("load game %s: %s is not JSON: mend it, or name the description itself", dir, name)
	}
	fields := gjson.GetMany(content, "rulesheet", "gameName", "description")
	m := metadata{rulesheet: fields[0].String(), title: fields[1].String()}
	if m.rulesheet != "" && !fs.ValidPath(path.Clean(m.rulesheet)) {
		return metadata{}, fmt.Errorf("load game %s: the rulesheet %q of %s is outside the folder: name the description itself", dir, m.rulesheet, name)
	}
	if file := fields[2].String(); file != "" && fs.ValidPath(path.Clean(file)) {
		// The description for people is an ornament: without it, the game is
		// as playable.
		if text, err := readLimited(fsys, path.Join(dir, file)); err == nil {
			m.text = strings.Join(strings.Fields(text), " ")
		}
	}
	return m, nil
}

// onlyDescription is the name of the one description in a folder.
func onlyDescription(fsys fs.FS, dir string) (string, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return "", fmt.Errorf("load game %s: %w", dir, withoutPath(err))
	}
	var found []string
	for _, e := range entries {
		ext := strings.ToLower(path.Ext(e.Name()))
		if !e.IsDir() && (ext == ".kif" || ext == ".gdl") {
			found = append(found, e.Name())
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("load game %s: the folder holds no description (.kif or .gdl) and no METADATA with a rulesheet: name the file itself", dir)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("load game %s: the folder holds %d descriptions: name one of %s", dir, len(found), shorten(found))
}

// shorten lists names, and of very many only the first.
func shorten(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", ..."
}

// readLimited reads a file of at most MaxBytes.
func readLimited(fsys fs.FS, name string) (string, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return "", fmt.Errorf("load game: open %s: %w", name, withoutPath(err))
	}
	// Opening a pipe or a device could wait for ever.
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("load game: %s is not a file: name a description (.kif or .gdl)", name)
	}
	file, err := fsys.Open(name)
	if err != nil {
		return "", fmt.Errorf("load game: open %s: %w", name, withoutPath(err))
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err != nil {
		return "", fmt.Errorf("load game: read %s: %w", name, withoutPath(err))
	}
	if len(content) > MaxBytes {
		return "", fmt.Errorf("load game: %s is longer than %d MB: is it a game description?", name, MaxBytes>>20)
	}
	return string(content), nil
}

// withoutPath takes the operation and the path out of an error, where the
// message around it names them in the caller's words.
func withoutPath(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err
	}
	return err
}
