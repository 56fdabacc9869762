package peer

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// Cores are those that this process may use, by their numbers in the system; none where
// processes cannot be kept on some of them.
func Cores() (list []int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	for core, left := 0, set.Count(); left > 0; core++ {
		if set.IsSet(core) {
			list = append(list, core)
			left--
		}
	}
	return list
}

// confine keeps the thread, and what it starts, on some cores; on all if there
// are none.
func confine(own []int) error {
	if len(own) == 0 {
		return nil
	}
	var set unix.CPUSet
	for _, core := range own {
		set.Set(core)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("keep it on cores %v: %w", own, err)
	}
	return nil
}

// attributes make a process the first of its group, which ends with us even if
// we are killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
