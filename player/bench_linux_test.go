package player

import (
	"syscall"
	"time"
)

func init() {
	const thread = 1 // RUSAGE_THREAD
	threadTime = func() time.Duration {
		var u syscall.Rusage
		if syscall.Getrusage(thread, &u) != nil {
			return 0
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
}
