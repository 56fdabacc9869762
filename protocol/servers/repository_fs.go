package servers

import (
	"bytes"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"
)

// repositoryPath is a parsed path of the fs.FS.
type repositoryPath struct {
	key     string // empty: the root
	version int
	file    string // empty: the folder
}

func parseRepositoryPath(name string) (repositoryPath, bool) {
	p := repositoryPath{version: Newest}
	if name == "." {
		return p, true
	}
	parts := strings.Split(name, "/")
	p.key, parts = parts[0], parts[1:]
	if len(parts) > 0 {
		if v, ok := parseVersion(parts[0]); ok {
			p.version, parts = v, parts[1:]
		}
	}
	if len(parts) > 0 {
		p.file, parts = parts[0], parts[1:]
	}
	return p, len(parts) == 0 && validKey(p.key)
}

// Open opens a folder or a file, which is fetched in full first.
func (r *Repository) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := r.open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f, nil
}

func (r *Repository) open(name string) (fs.File, error) {
	p, ok := parseRepositoryPath(name)
	switch {
	case !ok:
		return nil, fs.ErrNotExist
	case p.key == "":
		keys, err := r.Keys()
		if err != nil {
			return nil, err
		}
		return r.folder(name, ".", keys, nil), nil
	}
	g, err := r.Game(p.key, p.version)
	if err != nil {
		return nil, err
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	switch p.file {
	case "":
		return r.folder(name, base, versions(g, p), append([]string{"METADATA"}, g.Files()...)), nil
	case "METADATA":
		return &repositoryFile{page{base, int64(len(g.raw)), g.checked, false}, bytes.NewReader(g.raw)}, nil
	}
	e, err := r.file(g, p.file)
	if err != nil {
		return nil, err
	}
	return &repositoryFile{page{base, int64(len(e.body)), e.Checked, false}, bytes.NewReader(e.body)}, nil
}

// versions are the folders within that of a game.
func versions(g RepositoryGame, p repositoryPath) []string {
	var names []string
	for v := 0; p.version == Newest && v <= g.Version; v++ {
		names = append(names, "v"+strconv.Itoa(v))
	}
	return names
}

// folder makes an open folder of the names in it.
func (r *Repository) folder(path, base string, folders, files []string) fs.File {
	f := &repositoryFolder{page: page{base, 0, time.Time{}, true}}
	for _, name := range folders {
		f.entries = append(f.entries, fs.FileInfoToDirEntry(page{name, 0, time.Time{}, true}))
	}
	for _, name := range files {
		f.entries = append(f.entries, lazyEntry{name, path + "/" + name, r})
	}
	slices.SortFunc(f.entries, func(a, b fs.DirEntry) int { return compareText(a.Name(), b.Name()) })
	return f
}

// page is the fs.FileInfo of a file or folder.
type page struct {
	name   string
	size   int64
	time   time.Time
	folder bool
}

func (p page) Name() string       { return p.name }
func (p page) Size() int64        { return p.size }
func (p page) ModTime() time.Time { return p.time }
func (p page) IsDir() bool        { return p.folder }
func (p page) Sys() any           { return nil }
func (p page) Mode() fs.FileMode {
	if p.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// repositoryFile is an open file.
type repositoryFile struct {
	page
	*bytes.Reader
}

func (f *repositoryFile) Stat() (fs.FileInfo, error) { return f.page, nil }
func (f *repositoryFile) Close() error               { return nil }
func (f *repositoryFile) Size() int64                { return f.page.size }

// repositoryFolder is an open folder.
type repositoryFolder struct {
	page
	entries []fs.DirEntry
	next    int
}

func (f *repositoryFolder) Stat() (fs.FileInfo, error) { return f.page, nil }
func (f *repositoryFolder) Close() error               { return nil }
func (f *repositoryFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
}

// ReadDir is that of fs.ReadDirFile.
func (f *repositoryFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	left := f.entries[f.next:]
	if n > 0 {
		if len(left) == 0 {
			return nil, io.EOF
		}
		left = left[:min(n, len(left))]
	}
	f.next += len(left)
	return slices.Clone(left), nil
}

// lazyEntry is a file in a folder, which is fetched for its length only when
// somebody asks.
type lazyEntry struct {
	name, path string
	repository *Repository
}

func (e lazyEntry) Name() string               { return e.name }
func (e lazyEntry) IsDir() bool                { return false }
func (e lazyEntry) Type() fs.FileMode          { return 0 }
func (e lazyEntry) Info() (fs.FileInfo, error) { return fs.Stat(e.repository, e.path) }
func (e lazyEntry) String() string             { return fs.FormatDirEntry(e) }
