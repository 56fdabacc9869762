package kernel

import (
	"runtime"
	"syscall"
)

// enter runs machine code on slots.
//
//go:noescape
func enter(text *byte, slots *uint64)

// loadText brings machine code into memory of its own, in which it may run but
// not be written any more. It is given back when the owner is collected. It
// fails where the system does not allow that.
func loadText(owner *Code, text []byte) ([]byte, error) {
	size := (len(text) + syscall.Getpagesize() - 1) &^ (syscall.Getpagesize() - 1)
	memory, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	copy(memory, text)
	if err := syscall.Mprotect(memory, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		_ = syscall.Munmap(memory)
		return nil, err
	}
	runtime.AddCleanup(owner, func(memory []byte) { _ = syscall.Munmap(memory) }, memory)
	return memory, nil
}
