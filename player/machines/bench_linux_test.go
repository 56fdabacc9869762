package machines

import (
	"syscall"
	"time"
)

func init() {
	const thread = 1 // RUSAGE_THREAD
	threadTime = func() time.Duration { return timeUsed(thread) }
	processTime = func() time.Duration { return timeUsed(syscall.RUSAGE_SELF) }
}

// timeUsed is the processor time of a thread or the process; 0: not known.
func timeUsed(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
