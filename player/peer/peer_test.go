package peer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is a player when it is told so: fake KIND PORT.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "fake" {
		fake(os.Args[2], os.Args[3])
		return
	}
	os.Exit(m.Run())
}

// fake is a process that does what players should not, but for listening.
func fake(kind, port string) {
	switch kind {
	case "ends":
		fmt.Println("first words")
		fmt.Println("no such game data")
		os.Exit(3)
	case "mute":
		select {}
	case "robbed": // of its port: it tells the port in a file, and ends when that is gone
		file := os.Getenv("FAKE_PLAYER")
		if err := os.WriteFile(file, []byte(port+"\n"), 0o600); err != nil {
			panic(err)
		}
		for {
			if _, err := os.Stat(file); err != nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		fmt.Println("address in use")
		os.Exit(1)
	case "noisy":
		for range 8000 {
			fmt.Println(strings.Repeat("noise ", 10))
		}
		fmt.Println("the last words")
	case "family": // a child in the same group, and neither heeds SIGTERM
		signal.Ignore(syscall.SIGTERM)
		child := exec.Command(os.Args[0], "fake", "child", port)
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
	case "child":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("child", os.Getpid())
		select {}
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	fmt.Println("cores", len(Cores()), runtime.GOMAXPROCS(0), os.Getenv("FAKE_PLAYER"))
	for {
		conn, err := l.Accept() // and no reply
		if err != nil {
			panic(err)
		}
		_ = conn.Close()
	}
}

func command(t *testing.T, kind string) Command {
	return Command{Args: []string{os.Args[0], "fake", kind, Port}, Log: filepath.Join(t.TempDir(), "logs", "x.log")}
}

func logOf(t *testing.T, c Command) string {
	t.Helper()
	text, err := os.ReadFile(c.Log)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func start(t *testing.T, c Command) *Process {
	t.Helper()
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	p, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestStart runs a player that accepts connections and does not know INFO, on
// one core where the system has that.
func TestStart(t *testing.T) {
	c := command(t, "accepts")
	want := "cores 0 "
	if cores := Cores(); len(cores) > 0 {
		c.Own, want = cores[:1], "cores 1 1 variable"
	}
	c.Env = []string{"FAKE_PLAYER=variable"}
	p := start(t, c)
	select {
	case <-p.ended:
		t.Fatal("it does not run")
	default:
	}
	p.Stop()
	<-p.ended
	if text := logOf(t, c); !strings.Contains(text, want) {
		t.Errorf("%q lacks %q", text, want)
	}
}

// TestNotThere: what ends, never listens or cannot be started is an error that
// says so.
func TestNotThere(t *testing.T) {
	mute := command(t, "mute")
	mute.Wait = 50 * time.Millisecond
	for _, test := range []struct {
		c    Command
		want string
	}{
		{command(t, "ends"), "it ended before it listened on its port: exit status 3; its last output: no such game data"},
		{mute, "it does not listen on its port after 50ms"},
		{Command{Args: []string{"./none", Port}}, "start: "},
	} {
		_, err := Start(t.Context(), test.c)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.c.Args, err, test.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if _, err := Start(ctx, command(t, "mute")); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Error(err)
	}
}

// TestPortOfAnother: a process that ends has not started, though another one listens on
// its port.
func TestPortOfAnother(t *testing.T) {
	c, file := command(t, "robbed"), filepath.Join(t.TempDir(), "port")
	c.Env = []string{"FAKE_PLAYER=" + file}
	done := make(chan struct{})
	defer close(done)
	go func() {
		var port string
		for found := false; !found; time.Sleep(time.Millisecond) {
			text, _ := os.ReadFile(file) // not there yet
			port, found = strings.CutSuffix(string(text), "\n")
		}
		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err != nil {
			panic(err)
		}
		defer l.Close()
		conn, err := l.Accept()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		if err := os.Remove(file); err != nil {
			panic(err)
		}
		<-done
	}()
	if p, err := Start(t.Context(), c); err == nil {
		p.Stop()
		t.Error("the player of another match was taken for it")
	} else if !strings.Contains(err.Error(), "it ended before it listened on its port") || !strings.Contains(err.Error(), "address in use") {
		t.Error(err)
	}
}

// TestPorts: players that run at the same time never get the same port, and Stop gives it
// back.
func TestPorts(t *testing.T) {
	p := start(t, command(t, "accepts"))
	if len(given.ports) != 1 {
		t.Errorf("a player has %d ports", len(given.ports))
	}
	p.Stop()
	if _, err := Start(t.Context(), Command{Args: []string{"./none", Port}}); err == nil {
		t.Error("a program that is not there was started")
	}
	if len(given.ports) != 0 {
		t.Errorf("%d ports were not given back", len(given.ports))
	}
	const many = 1000 // of some 30,000, so that a system that picks at random repeats itself
	seen := map[string]bool{}
	for range many {
		port, err := takePort()
		if err != nil {
			t.Fatal(err)
		}
		defer givePortBack(port)
		seen[port] = true
	}
	if len(seen) != many {
		t.Errorf("%d ports for %d players", len(seen), many)
	}
}

// TestOutput keeps the beginning and the end of much output.
func TestOutput(t *testing.T) {
	c := command(t, "noisy")
	p := start(t, c)
	killGroup(p.pid)
	<-p.output.gone
	p.Stop()
	text := logOf(t, c)
	if len(text) > keptHead+keptTail+100 || !strings.Contains(text, "bytes are left out") || !strings.Contains(text, "the last words") {
		t.Errorf("%d bytes are kept: ... %s", len(text), text[max(0, len(text)-200):])
	}
	for _, size := range []int{10, keptHead, keptHead + 1, keptHead + keptTail, keptHead + keptTail + 1} {
		content := strings.Repeat("0123456", size)[:size]
		want := content
		if left := size - keptHead - keptTail; left > 0 {
			want = fmt.Sprintf("%s\n... %d bytes are left out ...\n%s", content[:keptHead], left, content[size-keptTail:])
		}
		path := filepath.Join(t.TempDir(), "out")
		o, write, err := newOutput(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := write.WriteString(content); err != nil {
			t.Fatal(err)
		}
		if err := write.Close(); err != nil {
			t.Fatal(err)
		}
		<-o.gone
		o.end()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("of %d bytes %d are kept, want %d, %v", size, len(got), len(want), err)
		}
	}
}

// TestGroup kills a process that does not heed SIGTERM, and its child.
func TestGroup(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the group is looked for in /proc")
	}
	c := command(t, "family")
	p := start(t, c)
	child := 0
	for limit := time.Now().Add(time.Minute); child == 0 && time.Now().Before(limit); time.Sleep(10 * time.Millisecond) {
		for lines := bufio.NewScanner(strings.NewReader(logOf(t, c))); lines.Scan(); {
			if number, ok := strings.CutPrefix(lines.Text(), "child "); ok {
				child, _ = strconv.Atoi(number)
			}
		}
	}
	p.grace = 50 * time.Millisecond
	p.Stop()
	if child == 0 || !gone(p.pid) || !gone(child) {
		t.Errorf("process %d, child %d: %v %v", p.pid, child, gone(p.pid), gone(child))
	}
}

// gone tells whether a process has ended, which its parent may not know yet.
func gone(pid int) bool {
	for limit := time.Now().Add(time.Minute); time.Now().Before(limit); time.Sleep(10 * time.Millisecond) {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(state), ") Z ") {
			return true
		}
	}
	return false
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "is empty"},
		{[]string{os.Args[0], "9147"}, "does not say {port}"},
		{[]string{"no-such-program-here", Port}, "cannot be run"},
		{[]string{"./no-such-program-here", Port}, "cannot be run"},
	} {
		if err := (Command{Args: test.args}).Check(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v", test.args, err)
		}
	}
	dir, base := filepath.Split(os.Args[0])
	if err := (Command{Args: []string{"./" + base, Port}, Dir: dir}).Check(); err != nil {
		t.Error(err)
	}
}
