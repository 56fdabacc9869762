//go:build !linux

package main

import "context"

func fillDisk(_ context.Context, _ setting, t *tally) {
	t.skip("a full disk: this system has no small file systems in memory")
}
