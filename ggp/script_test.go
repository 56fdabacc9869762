package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run the command as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ggp": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

// inProcess runs a command line and returns what it printed.
func inProcess(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	done := make(chan string)
	go func() {
		buf := make([]byte, 0, 1<<16)
		chunk := make([]byte, 4096)
		for {
			n, err := read.Read(chunk)
			buf = append(buf, chunk[:n]...)
			if err != nil {
				done <- string(buf)
				return
			}
		}
	}()
	code = run(&session{ctx: context.Background(), in: os.Stdin, out: write, errout: write}, args)
	write.Close()
	return code, <-done
}
