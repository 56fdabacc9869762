package protocol_test

import (
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"semisplit/protocol"
)

// TestTranscripts runs the files of testdata, one for each quirk of the
// wire. A test case is a request; what follows it are the bytes of the reply
// and the events that the scripted player saw. -rewrite renews the files.
//
//	player          a new player; lines: name, status, move, known MATCH, hold MESSAGE
//	raw             sends the input as it stands; line ends of the file do not count,
//	                <CR>, <LF>, <TAB> and <xHH> are bytes
//	ggpbase, dresden  sends the input as the body of a request with the headers of that
//	                manager; chars announces its length in characters, length=N as N
//	  half          (of these three) our direction is closed after the request
//	  async=NAME    (of these three) does not wait for the reply, but for an event
//	reply NAME      waits for the reply
//	hangup NAME     closes the connection, too late for one that still reads, and waits for an event
//	release MESSAGE lets held calls go on
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/wire", func(t *testing.T, path string) {
		tr := &transcript{t: t, conns: map[string]net.Conn{}}
		tr.restart()
		datadriven.RunTest(t, path, tr.step)
	})
}

const shortGrace = 15 * time.Millisecond

type transcript struct {
	t      *testing.T
	player *script
	server served
	conns  map[string]net.Conn
}

func (tr *transcript) restart() {
	tr.player = newScript()
	tr.server = serve(tr.t, tr.player, protocol.ServerOptions{Grace: shortGrace})
}

func (tr *transcript) step(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "player":
		tr.restart()
		tr.configure(d.Input)
		return "ok"
	case "release":
		name := d.CmdArgs[0].Key
		tr.player.mu.Lock()
		close(tr.player.hold[name])
		delete(tr.player.hold, name)
		tr.player.mu.Unlock()
		return "ok"
	case "reply":
		return tr.finish(d.CmdArgs[0].Key)
	case "hangup":
		time.Sleep(2 * shortGrace)
		_ = tr.conns[d.CmdArgs[0].Key].Close()
		<-tr.player.heard
		return strings.Join(tr.player.drain(), "\n")
	}
	c := dial(t, tr.server)
	if _, err := io.WriteString(c, tr.request(d)); err != nil {
		t.Fatal(err)
	}
	if d.HasArg("half") {
		_ = c.CloseWrite()
	}
	name := "now"
	if d.HasArg("async") {
		d.ScanArgs(t, "async", &name)
	}
	tr.conns[name] = c
	if name != "now" {
		<-tr.player.heard
		return strings.Join(tr.player.drain(), "\n")
	}
	return tr.finish(name)
}

func (tr *transcript) configure(input string) {
	p := tr.player
	p.mu.Lock()
	defer p.mu.Unlock()
	for line := range strings.Lines(input) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "name":
			p.name = value
		case "status":
			p.status = value
		case "move":
			p.moves = []string{unescape(value)}
		case "known":
			p.matches[value] = true
		case "hold":
			p.hold[value] = make(chan any)
		case "panics":
			p.panics = true
		default:
			tr.t.Fatalf("no such line for player: %q", line)
		}
	}
}

// finish reads a reply and shows it, below the events.
func (tr *transcript) finish(name string) string {
	got, err := io.ReadAll(tr.conns[name])
	if err != nil {
		tr.t.Fatalf("reading the reply: %v", err)
	}
	_ = tr.conns[name].Close()
	var b strings.Builder
	for _, e := range tr.player.drain() {
		b.WriteString(escape(e) + "\n")
	}
	b.WriteString(escape(string(got)))
	return b.String()
}

func (tr *transcript) request(d *datadriven.TestData) string {
	text := unescape(strings.ReplaceAll(d.Input, "\n", ""))
	length := len(text)
	if d.HasArg("chars") {
		length = len([]rune(text))
	}
	if d.HasArg("length") {
		d.ScanArgs(tr.t, "length", &length)
	}
	switch d.Cmd {
	case "raw":
		return text
	case "ggpbase":
		return fmt.Sprintf("POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\nReceiver: ME\r\nContent-Type: text/acl\r\nContent-Length: %d\r\n\r\n%s", length, text)
	case "dresden":
		return fmt.Sprintf("POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: 127.0.0.1\r\nContent-type: text/acl\r\nContent-length: %d\r\n\r\n%s", length, text)
	}
	tr.t.Fatalf("%s: no such command %q", d.Pos, d.Cmd)
	return ""
}

var escapes = regexp.MustCompile(`<(CR|LF|TAB|x[0-9a-f]{2})>`)

func unescape(s string) string {
	return escapes.ReplaceAllStringFunc(s, func(e string) string {
		switch e {
		case "<CR>":
			return "\r"
		case "<LF>":
			return "\n"
		case "<TAB>":
			return "\t"
		}
		n, _ := strconv.ParseUint(e[2:4], 16, 8)
		return string([]byte{byte(n)})
	})
}

// escape shows every byte, with a line of the file for a line of the text.
func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\r':
			b.WriteString("<CR>")
		case c == '\n':
			b.WriteString("<LF>\n")
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "<x%02x>", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
