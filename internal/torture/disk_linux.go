package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// fillDisk plays a tournament whose database is on a disk of one MiB that is full. It
// ends with an error that says so, and goes on when there is room again.
func fillDisk(ctx context.Context, s setting, t *tally) {
	disk := filepath.Join(s.dir, "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.fail("a folder for a disk: %v", err)
		return
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.skip(fmt.Sprintf("a full disk: no file system can be mounted here (%v)", err))
		return
	}
	defer func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) }() // the folder is removed with it
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 900<<10), 0o600); err != nil {
		t.fail("the disk: %v", err)
		return
	}
	run := func() (string, error) {
		cmd := exec.CommandContext(ctx, s.program, "tournament", "random", "orthodox", "--games", "tictactoe", "--rounds", "20", "--iterations", "100", "--seed", "3", "--db", filepath.Join(disk, "t.db"))
		cmd.Env = append(os.Environ(), "GGP_CONFIG=none")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run(); ctx.Err() == nil && (err == nil || !strings.Contains(strings.ToLower(out), "full") && !strings.Contains(out, "no space left") || strings.Contains(out, "panic")) {
		t.fail("a tournament on a full disk: %v: %.500s", err, out)
		return
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
		t.fail("more room: %v", err)
		return
	}
	out, err := run()
	switch number, counted := matchesIn(filepath.Join(disk, "t.db")); {
	case ctx.Err() != nil:
	case err != nil || counted != nil || number != 40:
		t.fail("a tournament after a full disk: %v, %v, %d matches: %.500s", err, counted, number, out)
	default:
		t.survive("full disks, after which a tournament went on")
	}
}
