package arena

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"

	"semisplit/internal/words"
)

// computer describes where this runs, as far as the system tells.
func computer() string {
	name := runtime.GOARCH
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %s, %s, %s", name, words.Count(runtime.GOMAXPROCS(0), "processor", "processors"), runtime.GOOS, runtime.Version())
}
