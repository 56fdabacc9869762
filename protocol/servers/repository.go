package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"semisplit/protocol"
	"semisplit/protocol/internal/untrusted"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// RepositoryOptions say how a Repository fetches and keeps its pages. The
// zero value of each field stands for its default.
type RepositoryOptions struct {
	// Context ends all downloads, since the methods of fs.FS take none.
	Context context.Context
	Web     *Web
	Cache   string        // a folder; empty: pages are kept in memory only
	MaxAge  time.Duration // after which pages that may change are asked for again; 1 h
	Offline bool          // nothing is asked for: only what the cache holds, however old
	// Progress is told the bytes of a download so far, and of how many (-1:
	// unknown).
	Progress func(url string, done, total int64)
	Logger   *slog.Logger // stale pages and damaged files at warn; nil: silent
}

// A Repository is a game repository, in the layout of games.ggp.org, as an
// fs.FS: a folder for each game with its newest version, and in it a folder
// v0, v1, ... for each version. Each of these holds METADATA (JSON) and the
// files that it names. A file that a version lacks is that of the version
// before it, down to the bare folder, which is v0.
//
// What the repository says is checked: keys, names of files and versions,
// lengths, whether JSON is JSON and rules are no web page. Errors wrap
// fs.ErrNotExist, ErrOffline, ErrConnection, ErrTimeout or ErrReply, or a StatusError
// where the server refuses. It is safe for concurrent use.
type Repository struct {
	root string // without a slash at the end
	o    RepositoryOptions
	disk *fileCache // nil without

	mu     sync.Mutex
	memory map[string]*cached
	held   int // bytes in memory
	down   error
	downAt time.Time
}

// ErrOffline is wrapped where a page is needed that is not in the cache and
// may not be asked for.
var ErrOffline = errors.New("not in the cache")

const (
	maxVersion = 100      // of a game; published ones have single digits
	maxKeys    = 100_000  // of a repository
	maxHeld    = 64 << 20 // bytes of pages in memory
	// patience is how long a repository that could not be reached is left
	// alone while the cache has what is needed.
	patience = time.Minute
)

// NewRepository addresses a repository by its root, such as
// http://games.ggp.org/base. Nothing is fetched yet.
func NewRepository(root string, o RepositoryOptions) (*Repository, error) {
	root, err := parseRoot("game repository", root)
	if err != nil {
		return nil, err
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Web == nil {
		o.Web = NewWeb(WebOptions{Logger: o.Logger})
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.MaxAge = cmp.Or(o.MaxAge, time.Hour)
	r := &Repository{root: root, o: o, memory: map[string]*cached{}}
	if o.Cache != "" {
		r.disk = &fileCache{dir: o.Cache, limit: o.Web.o.ReplyLimit}
	}
	return r, nil
}

// Root is the address of the repository, without a slash at its end.
func (r *Repository) Root() string { return r.root }

// A GameURL names a game of a repository.
type GameURL struct {
	Root, Key string
	Version   int // Newest for the newest
}

// Newest stands for the newest version of a game.
const Newest = -1

// ParseGameURL reads ROOT#KEY, ROOT#KEY/vN, and the addresses of metadata
// ROOT/games/KEY/ and ROOT/games/KEY/vN/. Other texts are no game of a
// repository: ok is false, and err says why if the text begins as an address.
func ParseGameURL(text string) (g GameURL, ok bool, err error) {
	if !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") {
		return GameURL{}, false, nil
	}
	root, rest, found := strings.Cut(text, "#")
	if !found {
		slash := strings.LastIndex(text, "/games/")
		if slash < 0 {
			return GameURL{}, false, fmt.Errorf("%q names no game: write it as ROOT#KEY, such as http://games.ggp.org/base#ticTacToe", text)
		}
		root, rest = text[:slash], text[slash+len("/games/"):]
	}
	if g.Root, err = parseRoot("game repository", root); err != nil {
		return GameURL{}, false, err
	}
	key, version, versioned := strings.Cut(strings.Trim(rest, "/"), "/")
	g.Key, g.Version = key, Newest
	if versioned {
		if g.Version, found = parseVersion(version); !found {
			return GameURL{}, false, fmt.Errorf("%q: %q is no version: write v0, v1 or higher", text, version)
		}
	}
	if !validKey(key) {
		return GameURL{}, false, fmt.Errorf("%q: %q is no key of a game", text, untrusted.PlainText(key, 60))
	}
	return g, true, nil
}

// String is ROOT#KEY or ROOT#KEY/vN.
func (g GameURL) String() string {
	if g.Version == Newest {
		return g.Root + "#" + g.Key
	}
	return g.Root + "#" + g.Key + "/v" + strconv.Itoa(g.Version)
}

// parseVersion reads the name of a version's folder.
func parseVersion(name string) (int, bool) {
	digits, found := strings.CutPrefix(name, "v")
	n, err := strconv.Atoi(digits)
	return n, found && err == nil && n >= 0 && n <= maxVersion && strconv.Itoa(n) == digits
}

// validKey bounds what a key may be to what stands in a path anywhere.
func validKey(key string) bool {
	if key == "" || len(key) > 100 || key[0] == '.' {
		return false
	}
	for _, c := range key {
		if c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("._-+", c) {
			return false
		}
	}
	return true
}

// validFile is the same for the names of files, which may also hold blanks.
func validFile(name string) bool {
	return name != "METADATA" && name == strings.TrimSpace(name) && validKey(strings.ReplaceAll(name, " ", "_"))
}

// fetch returns a page. A fixed one (of a version) that was read once is not
// asked for again.
func (r *Repository) fetch(url string, fixed bool, check func(body []byte) error) (*cached, error) {
	now := time.Now()
	e := r.recall(url)
	if e != nil && e.fresh(now, r.o.MaxAge, fixed) {
		return e.answer(url)
	}
	if r.o.Offline {
		if e == nil {
			return nil, fmt.Errorf("%s: %w: fetch it once without --offline", url, ErrOffline)
		}
		return e.answer(url)
	}
	next, err := r.ask(url, e, check)
	if err == nil {
		r.keep(next)
		return next.answer(url)
	}
	if e == nil || r.o.Context.Err() != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	r.o.Logger.Warn("the repository cannot be read; an old copy is used", "url", url, "of", e.Checked.Format(time.DateTime), "err", err)
	return e.answer(url)
}

// fresh tells whether a page need not be asked for. One from the future was
// written by another clock.
func (e *cached) fresh(now time.Time, most time.Duration, fixed bool) bool {
	age := now.Sub(e.Checked)
	return fixed && !e.Missing || age >= 0 && age < most
}

// open tells of rules that end within a list. A reply without a length may
// have broken off there, and a page that is fixed would stay so for ever.
func (e *cached) open() bool {
	if !strings.HasSuffix(e.URL, ".kif") && !strings.HasSuffix(e.URL, ".gdl") {
		return false
	}
	var p untrusted.Parens
	p.Feed(e.body)
	return p.Depth > 0
}

func (e *cached) answer(url string) (*cached, error) {
	if e.Missing {
		return nil, fmt.Errorf("%s: %w", url, fs.ErrNotExist)
	}
	return e, nil
}

// recall looks a page up in memory and then in the cache.
func (r *Repository) recall(url string) *cached {
	r.mu.Lock()
	e := r.memory[url]
	r.mu.Unlock()
	if e != nil || r.disk == nil {
		return e
	}
	e, err := r.disk.get(url)
	if errors.Is(err, errDamaged) {
		r.o.Logger.Warn("a file of the cache is dropped", "url", url, "file", r.disk.path(url), "err", err)
	}
	if err != nil {
		return nil
	}
	r.remember(e)
	return e
}

func (r *Repository) remember(e *cached) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held += len(e.body); r.held > maxHeld {
		clear(r.memory)
		r.held = len(e.body)
	}
	r.memory[e.URL] = e
}

// keep remembers a page here and in the cache. A cache that can't be written
// is no reason not to play.
func (r *Repository) keep(e *cached) {
	r.remember(e)
	if r.disk == nil {
		return
	}
	if e.open() {
		r.o.Logger.Warn("a description ends within a list; it is not kept for later", "url", e.URL)
		return
	}
	if err := r.disk.put(e); err != nil {
		r.o.Logger.Warn("the cache cannot be written", "folder", r.disk.dir, "err", err)
	}
}

// ask asks the server, for changes only if there is an older page.
func (r *Repository) ask(url string, old *cached, check func(body []byte) error) (*cached, error) {
	if err := r.resting(); err != nil && old != nil {
		return nil, err
	}
	q := webRequest{method: http.MethodGet, url: url, header: map[string]string{}}
	if old != nil && !old.Missing {
		if old.ETag != "" {
			q.header["If-None-Match"] = old.ETag
		}
		if old.Modified != "" {
			q.header["If-Modified-Since"] = old.Modified
		}
	}
	if r.o.Progress != nil {
		q.progress = func(done, total int64) { r.o.Progress(url, done, total) }
	}
	reply, err := r.o.Web.do(r.o.Context, q)
	if err != nil {
		r.rest(err)
		return nil, err
	}
	e := &cached{URL: url, Checked: time.Now(), ETag: header(reply, "ETag"), Modified: header(reply, "Last-Modified")}
	switch reply.status {
	case http.StatusOK:
		if err := check(reply.body); err != nil {
			return nil, fmt.Errorf("%w: %w", protocol.ErrReply, err)
		}
		e.body = reply.body
		return e, nil
	case http.StatusNotModified:
		if old != nil && !old.Missing {
			again := *old
			again.Checked = e.Checked
			return &again, nil
		}
	case http.StatusNotFound, http.StatusGone:
		e.Missing = true
		return e, nil
	}
	return nil, refusal(reply)
}

// header is a header that may be sent back: short and of one line.
func header(r webReply, name string) string {
	value := r.header.Get(name)
	if len(value) > 1000 || value != untrusted.PlainText(value, 1000) {
		return ""
	}
	return value
}

// rest notes that the server could not be reached.
func (r *Repository) rest(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down, r.downAt = err, time.Now()
}

// resting is the error with which the server could not be reached just now.
func (r *Repository) resting() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down != nil && time.Since(r.downAt) < patience {
		return r.down
	}
	return nil
}
