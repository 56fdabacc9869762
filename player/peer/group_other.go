//go:build !unix

package peer

import (
	"os"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

// terminateGroup kills at once: this system has no signal to ask for an end.
func terminateGroup(pid int) { killGroup(pid) }

// killGroup ends the process alone; a group is not known here.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
