//go:build !(linux && amd64)

package kernel

import "errors"

func enter(*byte, *uint64) { panic("BUG: no machine code") }

func loadText(*Code, []byte) ([]byte, error) { return nil, errors.ErrUnsupported }
