package arena

import "syscall"

// adviseHuge asks for huge pages; that it may be refused does not matter.
func adviseHuge(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
