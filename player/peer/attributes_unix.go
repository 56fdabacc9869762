//go:build unix && !linux

package peer

import "syscall"

// attributes make a process the first of its group.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
