package console

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/term"

	"semisplit/internal/printable"
)

// SI shortens a large number: 12.3k, 4.56M.
func SI(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= 0.9995*unit.size { // which three digits make one of them
			return fmt.Sprintf("%.3g%s", v/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.3g", v)
}

// BytesText is a number of bytes with its unit.
func BytesText(n int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= unit.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(unit.size), unit.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}

// ByteSize is a flag such as 2GiB or 512MiB.
type ByteSize int64

// UnmarshalText reads a number with a unit; a bare number counts bytes.
func (b *ByteSize) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	for _, unit := range []struct {
		suffix string
		size   float64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}, {"", 1}} {
		number, found := strings.CutSuffix(s, unit.suffix)
		if !found {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(v*unit.size >= 1) || v*unit.size >= 1<<62 { // 0 would mean the default
			return fmt.Errorf("%q is no size: write it as 2GiB or 512MiB", s)
		}
		*b = ByteSize(v * unit.size)
		return nil
	}
	return nil
}

// PeakMemory is the largest resident size of this process so far, in bytes;
// where the system does not tell, what Go has obtained from it.
func PeakMemory() int64 {
	if f, err := os.Open("/proc/self/status"); err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
				if kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64); err == nil {
					return kb << 10
				}
			}
		}
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Sys)
}

// IsTerminal tells whether a writer or reader is a terminal.
func IsTerminal(v any) bool {
	f, ok := FileOf(v)
	return ok && term.IsTerminal(int(f.Fd()))
}

// FileOf is the file that a writer of a session ends in, or a reader is.
func FileOf(v any) (*os.File, bool) {
	if w, ok := v.(io.Writer); ok {
		v = printable.Raw(w)
	}
	f, ok := v.(*os.File)
	return f, ok
}

// Ratio is a/b, and 0 where there is nothing to divide by.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// ShownText is how many bytes of a name, a move or a fault are shown.
const ShownText = 200
