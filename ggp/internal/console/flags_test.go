package console

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestSI: what rounds up to a unit is spelled in it.
func TestSI(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", 999: "999", 999.7: "1k", 1234: "1.23k", 999_400: "999k", 999_700: "1M", 999_900_000: "1G"} {
		if got := SI(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]ByteSize{"1": 1, "0.5 KiB": 512, "2GiB": 2 << 30, "1.5kB": 0, "0.5": 0, "0.5B": 0, "0": 0, "-1GiB": 0, "NaN": 0, "1e30": 0} {
		var got ByteSize
		if err := got.UnmarshalText([]byte(text)); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
}

// The folders that stand for no flag are those that the help names.
func TestFoldersOfHelp(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} { // of which each system asks for its own
		t.Setenv(name, t.TempDir())
	}
	own, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range []interface{ Folder() string }{RepositoryFlags{}, KnowledgeFlags{}} {
		below, err := filepath.Rel(own, flags.Folder())
		if help := reflect.TypeOf(flags).Field(0).Tag.Get("help"); err != nil || !strings.Contains(help, "default: "+filepath.ToSlash(below)+" in") {
			t.Errorf("%q does not name %s: %v", help, flags.Folder(), err)
		}
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"10": 10 * time.Second, "0.5": time.Second / 2, "10s": 10 * time.Second, "1m30s": 90 * time.Second, "250ms": time.Second / 4,
		"0": 0, " 3 ": 3 * time.Second, "1e3": 1000 * time.Second, "1000000": maxTime, "1.5h": 90 * time.Minute,
	} {
		if got, err := parseTime(text); got != want || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "NaN", "nan", "Inf", "+Inf", "-Inf", "infinity", "-1", "-1s", "1000001", "1e300", "1e999", "300h", "10 s", "s", "ten", "1:30"} {
		if got, err := parseTime(text); err == nil || !strings.Contains(err.Error(), "is no time") {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
