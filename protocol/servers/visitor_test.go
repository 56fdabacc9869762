package servers_test

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
	"semisplit/protocol/servers"
)

var rewrite = flag.Bool("rewrite", false, "renew the fixtures")

// A visitor takes the steps of a fixture.
type visitor struct {
	t      *testing.T
	server *standIn
	web    *servers.Web
	cache  string
	log    bytes.Buffer
	repo   *servers.Repository
	root   string
}

func newVisitor(t *testing.T, server *standIn) *visitor {
	v := &visitor{t: t, server: server, cache: t.TempDir(), root: server.URL + "/base"}
	v.web = servers.NewWeb(servers.WebOptions{
		RetryWait: time.Millisecond, RetryWaitMax: 5 * time.Millisecond,
		Idle: 300 * time.Millisecond, ReplyLimit: 2000,
	})
	v.open(servers.RepositoryOptions{})
	return v
}

// open begins anew with the same cache.
func (v *visitor) open(o servers.RepositoryOptions) {
	o.Cache, o.Web = v.cache, v.web
	o.Logger = slog.New(slog.NewTextHandler(&v.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var err error
	if v.repo, err = servers.NewRepository(v.root, o); err != nil {
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
		"cookie": servers.ErrCookie, "taken": servers.ErrTaken, "no player": servers.ErrNoPlayer,
		"disabled": servers.ErrDisabled, "unseen": servers.ErrUnseen, "no address": servers.ErrMetaURL,
		"missing": fs.ErrNotExist, "offline": servers.ErrOffline, "unreachable": protocol.ErrConnection,
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
		g, err := v.repo.Game(step[1], servers.Newest)
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
		v.open(servers.RepositoryOptions{})
	case "later": // or when its pages are old
		v.open(servers.RepositoryOptions{MaxAge: time.Nanosecond})
	case "offline":
		v.open(servers.RepositoryOptions{Offline: true})
	case "nobody": // listens there any more
		v.deaf()
	case "damage":
		return v.damage(step[1])
	case "warnings":
		return v.warnings()
	case "register", "player", "watch", "publish", "match", "poll":
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
	v.web = servers.NewWeb(servers.WebOptions{
		RetryWait: time.Millisecond, RetryWaitMax: 5 * time.Millisecond,
		Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
		},
	})
	v.open(servers.RepositoryOptions{MaxAge: time.Nanosecond})
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
		last := bytes.LastIndex(data, []byte(word))
		data[last] ^= 1
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
