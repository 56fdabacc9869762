//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"semisplit/internal/testenv"
	"semisplit/player/tournament"
)

// TestQueueTorture runs three nodes of a cluster, four workers and a tournament as
// processes on loopback, and kills a node and two workers in the middle, at random, with
// no warning. The node and the workers come again. Every match is in the database once,
// and the results are those of a run without all that.
func TestQueueTorture(t *testing.T) {
	if !testenv.Long() {
		t.Skip("a long test")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "ggp")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	start := func(name string, args ...string) *exec.Cmd {
		t.Helper()
		log, err := os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
		cmd.Env = append(os.Environ(), "GGP_CONFIG=none")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()
			if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
				t.Logf("%s:\n%s", name, text[max(0, len(text)-3000):])
			}
		})
		return cmd
	}
	ports := freePorts(t, 6)
	var urls, routes []string
	for i := range 3 {
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[3+i]))
	}
	node := func(i int) *exec.Cmd {
		config := fmt.Sprintf("server_name: n%d\nhost: 127.0.0.1\nport: %d\njetstream { store_dir: %q }\ncluster { name: ggp, host: 127.0.0.1, port: %d, routes: [%s] }\n",
			i, ports[i], filepath.Join(dir, fmt.Sprint("node", i)), ports[3+i], strings.Join(routes, ", "))
		file := filepath.Join(dir, fmt.Sprintf("node%d.conf", i))
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		return start(fmt.Sprint("node", i), "queue", "node", "--config", file)
	}
	nodes := []*exec.Cmd{node(0), node(1), node(2)}
	url := strings.Join(urls, ",")
	worker := func(i int) *exec.Cmd {
		return start(fmt.Sprint("worker", i), "work", "--queue", url, "--queue-replicas", "3", "--cores", "1", "--name", fmt.Sprint("worker", i))
	}
	workers := []*exec.Cmd{worker(0), worker(1), worker(2), worker(3)}
	spec := []string{"tournament", "random", "orthodox", "o-s-mod", "orthodox-mast-rave", "--games", "connectfour,breakthrough", "--rounds", "3", "--iterations", "8000", "--opening", "2", "--seed", "9"}
	begin := time.Now()
	run := start("tournament", append(spec, "--db", "tortured.db", "--queue", url, "--queue-replicas", "3")...)
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	kill := func(list []*exec.Cmd, again func(int) *exec.Cmd) {
		i := random.IntN(len(list))
		if err := list[i].Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = list[i].Wait() // it was killed
		t.Logf("%v: killed number %d of %d", time.Since(begin).Round(time.Second), i, len(list))
		list[i] = again(i)
	}
	for _, harm := range []func(){
		func() { kill(workers, worker) }, func() { kill(nodes, node) }, func() { kill(workers, worker) },
	} {
		select {
		case err := <-ended:
			t.Fatalf("the tournament ended before it was harmed: %v", err)
		case <-time.After(5*time.Second + time.Duration(random.IntN(5000))*time.Millisecond):
			harm()
		}
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("the tournament: %v", err)
		}
	case <-time.After(30 * time.Minute):
		t.Fatal("the tournament does not end")
	}
	tortured := time.Since(begin)
	begin = time.Now()
	quiet := exec.CommandContext(context.Background(), program, append(spec, "--db", "quiet.db")...)
	quiet.Dir = dir
	if out, err := quiet.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%v with a cluster that was harmed, %v with the queue in the process", tortured.Round(time.Second), time.Since(begin).Round(time.Second))
	got, want := results(t, filepath.Join(dir, "tortured.db")), results(t, filepath.Join(dir, "quiet.db"))
	const matches = 6 * 2 * 2 * 3
	if len(want) != matches || len(got) != matches {
		t.Errorf("%d and %d matches, not %d", len(got), len(want), matches)
	}
	for id, result := range want {
		if got[id] != result {
			t.Errorf("%s: %s, and without harm %s", id, got[id], result)
		}
	}
}

// results are those of the matches in a database by their names.
func results(t *testing.T, path string) map[string]string {
	t.Helper()
	store, err := tournament.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	played, err := store.Matches()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, m := range played {
		if found[m.ID] != "" {
			t.Errorf("%s is there twice", m.ID)
		}
		found[m.ID] = fmt.Sprint(m.Game, m.Seats, m.Goals, m.Steps, m.Ended, m.Error)
	}
	return found
}

// freePorts are ports that nobody listened on a moment ago.
func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}
