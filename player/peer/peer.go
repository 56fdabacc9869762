// Package peer runs players as processes of their own, each for one match: on
// a free port, on cores that nobody else has, and gone afterwards, whatever
// they do.
package peer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"semisplit/protocol"
)

// Port stands in a command for the port that the player has to listen on.
const Port = "{port}"

// Limits of a process.
const (
	DefaultWait = 60 * time.Second // until it listens
	infoTime    = 2 * time.Second  // for its answer to INFO
	askAgain    = 50 * time.Millisecond
	stopTime    = 5 * time.Second // after SIGTERM, and after SIGKILL
	outputTime  = time.Second     // for the rest of its output
)

// Command says how to run a player.
type Command struct {
	// Args are the program and its arguments, one of which holds Port. The
	// program has to stay in the foreground: when it ends, the rest of its
	// process group is killed.
	Args []string
	Path string        // the file to run, where it is not Args[0]
	Dir  string        // where it runs, and what a path in Args[0] is relative to; "": here
	Env  []string      // variables of its environment beside ours, as NAME=VALUE
	Own  []int         // the cores that it is kept on, none: all
	Log  string        // file of the beginning and the end of its output; "": none
	Wait time.Duration // until it listens; 0: DefaultWait
}

// Check looks for the program, and for Port.
func (c Command) Check() error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return errors.New("the command is empty")
	}
	if !strings.Contains(strings.Join(c.Args[1:], " "), Port) {
		return fmt.Errorf("the command %s does not say %s, where the port goes", strings.Join(c.Args, " "), Port)
	}
	program := c.Args[0]
	if c.Path != "" {
		program = c.Path
	}
	if strings.ContainsRune(program, filepath.Separator) && !filepath.IsAbs(program) {
		program = filepath.Join(c.Dir, program)
	}
	if _, err := exec.LookPath(program); err != nil && !errors.Is(err, exec.ErrDot) {
		return fmt.Errorf("the command cannot be run: %w", err)
	}
	return nil
}

// Process is a player that runs. Its methods belong to one goroutine.
type Process struct {
	Remote protocol.Remote // where it listens

	port   string // until Stop gives it back
	pid    int
	output *output
	ended  chan struct{} // closed when it has ended, and err says how
	err    error
	grace  time.Duration // stopTime, but for tests
}

// ErrOwn is wrapped where this process lacks what it takes to start a player, a port or
// the file of its output. The player is not to blame.
var ErrOwn = errors.New("no player can be started here")

// Start runs a player and waits until it answers INFO, or at least accepts
// connections. An error says why it does not, with the last line of its
// output; nothing of it runs then.
func Start(ctx context.Context, c Command) (*Process, error) {
	port, err := takePort()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOwn, err)
	}
	p := &Process{
		Remote: protocol.Remote{URL: "http://" + net.JoinHostPort("127.0.0.1", port) + "/", Name: "127.0.0.1"},
		port:   port, ended: make(chan struct{}), grace: stopTime,
	}
	args := make([]string, len(c.Args))
	for i, arg := range c.Args {
		args[i] = strings.ReplaceAll(arg, Port, port)
	}
	cmd := exec.Command(args[0], args[1:]...)
	if c.Path != "" {
		cmd.Path, cmd.Err = c.Path, nil
	}
	cmd.Dir, cmd.Env, cmd.SysProcAttr = c.Dir, append(os.Environ(), c.Env...), attributes()
	var write *os.File
	if p.output, write, err = newOutput(c.Log); err != nil {
		givePortBack(port)
		return nil, fmt.Errorf("%w: %w", ErrOwn, err)
	}
	cmd.Stdout, cmd.Stderr = write, write
	started := make(chan error, 1)
	go p.live(cmd, c.Own, started)
	err = errors.Join(<-started, write.Close())
	if err == nil {
		err = p.await(ctx, c.Wait)
	} else {
		p.output.end()
		givePortBack(port)
		return nil, fmt.Errorf("start: %w", err)
	}
	if err != nil {
		p.Stop()
		if last := p.output.lastLine(); last != "" {
			err = fmt.Errorf("%w; its last output: %s", err, last)
		}
		return nil, err
	}
	return p, nil
}

// live starts the process and waits for its end. A process has the cores of
// the thread that starts it. The thread is not given back, so it ends with
// this goroutine, after the process, which is killed if the thread ends first.
func (p *Process) live(cmd *exec.Cmd, own []int, started chan<- error) {
	runtime.LockOSThread()
	err := confine(own)
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		started <- err
		return
	}
	p.pid = cmd.Process.Pid
	started <- nil
	p.err = cmd.Wait()
	killGroup(p.pid)
	close(p.ended)
}

// await returns when the player listens.
func (p *Process) await(ctx context.Context, wait time.Duration) error {
	if wait == 0 {
		wait = DefaultWait
	}
	accepted := false
	client := protocol.NewClient(protocol.ClientOptions{Retries: -1, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		accepted = accepted || err == nil
		return conn, err
	}})
	over := time.NewTimer(wait)
	defer over.Stop()
	running, end := context.WithCancel(ctx)
	defer end()
	go func() {
		select {
		case <-p.ended:
			end()
		case <-running.Done():
		}
	}()
	for {
		asking, cancel := context.WithTimeout(running, min(infoTime, wait))
		_, _ = client.Info(asking, p.Remote) // any answer will do, and none as well
		cancel()
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-p.ended: // whoever accepts connections is another one
			if p.err == nil {
				return errors.New("it ended before it listened on its port")
			}
			return fmt.Errorf("it ended before it listened on its port: %w", p.err)
		default:
		}
		if accepted {
			return nil
		}
		select {
		case <-running.Done():
		case <-over.C:
			return fmt.Errorf("it does not listen on its port after %v", wait)
		case <-time.After(askAgain):
		}
	}
}

// Stop ends the process and all of its group: by SIGTERM, and where that does
// not do, or the system has none, by killing it. It returns when they are
// gone, after some ten seconds in any case.
func (p *Process) Stop() {
	for _, end := range []func(pid int){terminateGroup, killGroup} {
		select {
		case <-p.ended:
		default:
			end(p.pid)
		}
		late := time.NewTimer(p.grace)
		select {
		case <-p.ended:
		case <-late.C:
		}
		late.Stop()
	}
	p.output.end()
	givePortBack(p.port)
	p.port = "" // somebody else may have it now
}
