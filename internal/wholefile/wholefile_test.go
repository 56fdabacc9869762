package wholefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	for _, text := range []string{"old and long", "new"} {
		if err := Write(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("got %q, %v, want %q", got, err, text)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := Write(folder, nil, 0o666); err == nil {
		t.Error("a folder was replaced")
	} else if strings.Contains(err.Error(), ".new-") || !strings.Contains(err.Error(), folder) {
		t.Errorf("the error is about another file: %v", err)
	}
	absent := filepath.Join(folder, "none", "a")
	if err := Write(absent, nil, 0o666); err == nil || err.Error() != "write "+absent+": no such file or directory" {
		t.Errorf("into no folder: %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
