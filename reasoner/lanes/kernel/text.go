package kernel

import "encoding/binary"

// text is machine code that is being written.
type text struct {
	code    []byte
	far     bool // the code fetches itself ahead
	fetched int  // cache lines of code up to which that was done
}

const (
	cacheLine     = 64   // bytes
	fetchDistance = 4096 // how far code fetches itself ahead, in bytes: 2 to 8 KiB measured the same
)

func (t *text) bytes() []byte { return t.code }

// again begins anew.
func (t *text) again() { t.code, t.fetched = t.code[:0], 0 }

// ahead lets far code fetch itself ahead, once for each of its cache lines.
func (t *text) ahead() {
	if t.far && len(t.code)/cacheLine >= t.fetched {
		t.fetched = len(t.code)/cacheLine + 1
		// PREFETCHT1 [RIP + 32 bits]
		t.code = append(t.code, 0x0f, 0x18, 0x15)
		t.code = binary.LittleEndian.AppendUint32(t.code, fetchDistance)
	}
}

// register is the byte that names the registers reg and rm.
func (t *text) register(reg, rm int) {
	t.code = append(t.code, 0xc0|byte(reg&7)<<3|byte(rm&7))
}

// end returns: VZEROUPPER, RET.
func (t *text) end() { t.code = append(t.code, 0xc5, 0xf8, 0x77, 0xc3) }
