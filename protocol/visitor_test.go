package protocol_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"semisplit/protocol"
)

func rewriting() bool {
	f := flag.Lookup("rewrite") // of datadriven
	return f != nil && f.Value.String() == "true"
}

// A visitor takes the steps of a fixture.
type visitor struct {
	t      *testing.T
	server *standIn
	web    *protocol.Web
	cache  string
	log    bytes.Buffer
	repo   *protocol.Repository
	root   string
}

func newVisitor(t *testing.T, server *standIn) *visitor {
	v := &visitor{t: t, server: server, cache: t.TempDir(), root: server.URL + "/base"}
	v.web = protocol.NewWeb(protocol.WebOptions{
		RetryWait: time.Millisecond, RetryWaitMax: 5 * time.Millisecond,
		Idle: 300 * time.Millisecond, ReplyLimit: 2000,
	})
	v.open(protocol.RepositoryOptions{})
	return v
}

// open begins anew with the same cache.
func (v *visitor) open(o protocol.RepositoryOptions) {
	o.Cache, o.Web = v.cache, v.web
	o.Logger = slog.New(slog.NewTextHandler(&v.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var err error
	if v.repo, err = protocol.NewRepository(v.root, o); err != nil {
		v.t.Fatal(err)
	}
}

var (
	unsteady = regexp.MustCompile(`[0-9.]+:[0-9]+->\S+: `)
	// A connection that is cut off shows in ways that depend on the moment.
	cutOff = regexp.MustCompile(`(read|write) tcp (read|write): [a-z ]+[a-z]|": EOF`)
)

// steady leaves out what differs from run to run.
func (v *visitor) steady(text string) string {
	text = strings.ReplaceAll(text, v.server.URL, "SERVER")
	text = strings.ReplaceAll(text, strings.TrimPrefix(v.server.URL, "http://"), "SERVER")
	text = regexp.MustCompile(`AUTH=[A-Z0-9]{12,}&DATA=\S*`).ReplaceAllString(text, "AUTH=TOKEN&DATA=RECORD")
	text = unsteady.ReplaceAllString(text, "")
	return cutOff.ReplaceAllStringFunc(text, func(cut string) string {
		if strings.HasPrefix(cut, `"`) {
			return `": lost`
		}
		return "lost"
	})
}

func failed(err error) string {
	kind := "?"
	for name, sentinel := range map[string]error{
		"cookie": protocol.ErrCookie, "taken": protocol.ErrTaken, "no player": protocol.ErrNoPlayer,
		"disabled": protocol.ErrDisabled, "unseen": protocol.ErrUnseen, "no address": protocol.ErrMetaURL,
		"missing": fs.ErrNotExist, "offline": protocol.ErrOffline, "unreachable": protocol.ErrConnection,
		"late": protocol.ErrTimeout, "unreadable": protocol.ErrReply,
	} {
		if errors.Is(err, sentinel) {
			kind = name
		}
	}
	return fmt.Sprintf("error (%s): %v", kind, err)
}

func (v *visitor) do(step []string) string {
	switch step[0] {
	case "keys":
		keys, err := v.repo.Keys()
		if err != nil {
			return failed(err)
		}
		return strings.Join(keys, " ")
	case "games":
		return v.games()
	case "game":
		g, err := v.repo.Game(step[1], protocol.Newest)
		if err != nil {
			return failed(err)
		}
		return fmt.Sprintf("%q version %d, files %s, roles %s", g.Name, g.Version, g.Files(), g.Roles)
	case "read":
		data, err := fs.ReadFile(v.repo, step[1])
		if err != nil {
			return failed(err)
		}
		return string(data)
	case "again": // a program that starts again soon
		v.open(protocol.RepositoryOptions{})
	case "later": // or when its pages are old
		v.open(protocol.RepositoryOptions{MaxAge: time.Nanosecond})
	case "offline":
		v.open(protocol.RepositoryOptions{Offline: true})
	case "nobody": // listens there any more
		v.deaf()
	case "damage":
		return v.damage(step[1])
	case "warnings":
		return v.warnings()
	case "register", "player", "players", "watch", "publish", "match", "poll":
		return v.call(step)
	default:
		v.t.Fatalf("no step %q", step[0])
	}
	return "done"
}

func (v *visitor) games() string {
	list, err := v.repo.Games()
	if err != nil {
		return failed(err)
	}
	var b strings.Builder
	for _, g := range list {
		fmt.Fprintf(&b, "\n  %s %d %q %s", g.Key, g.Version, g.Name, g.Rulesheet)
	}
	return b.String()
}

// deaf lets nobody answer any more, under the same address.
func (v *visitor) deaf() {
	v.web = protocol.NewWeb(protocol.WebOptions{
		RetryWait: time.Millisecond, RetryWaitMax: 5 * time.Millisecond,
		Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
		},
	})
	v.open(protocol.RepositoryOptions{MaxAge: time.Nanosecond})
}

// damage alters all files of the cache that hold a word.
func (v *visitor) damage(word string) string {
	n := 0
	err := filepath.WalkDir(v.cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(data, []byte(word)) {
			return err
		}
		n++
		at := bytes.LastIndex(data, []byte(word))
		data[at] ^= 1
		return os.WriteFile(path, data, 0o666)
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return fmt.Sprintf("%d files", n)
}

var ofWarning = regexp.MustCompile(`(?m)^.*level=WARN msg=("[^"]*"|\S+)(.*)$`)

// warnings are those since the last call, without times and paths.
func (v *visitor) warnings() string {
	text := regexp.MustCompile(` (file|of)=("[^"]*"|\S+)`).ReplaceAllString(v.log.String(), "")
	v.log.Reset()
	var b strings.Builder
	for _, m := range ofWarning.FindAllStringSubmatch(text, -1) {
		fmt.Fprintf(&b, "\n  %s%s", strings.Trim(m[1], `"`), m[2])
	}
	return b.String()
}
