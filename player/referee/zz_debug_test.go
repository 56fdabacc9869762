package referee_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

func init() {
	if os.Getenv("ZZ") == "" {
		return
	}
	go func() {
		last := time.Now()
		for {
			time.Sleep(2 * time.Millisecond)
			if d := time.Since(last); d > 100*time.Millisecond {
				buf := make([]byte, 1<<20)
				buf = buf[:runtime.Stack(buf, true)]
				fmt.Printf("STALL %v at %v goroutines %d\n", d, time.Now().Format("05.000"), runtime.NumGoroutine())
				for _, g := range strings.Split(string(buf), "\n\n") {
					if strings.Contains(g, "[runnable") || strings.Contains(g, "[running") {
						lines := strings.Split(g, "\n")
						fmt.Println("   ", lines[0], "|", lines[1], "|", lines[min(3, len(lines)-1)], "|", lines[min(5, len(lines)-1)])
					}
				}
			}
			last = time.Now()
		}
	}()
}
