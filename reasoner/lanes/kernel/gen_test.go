package kernel

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated writes the generated files once more and compares.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the generator: not with -short")
	}
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "./gen", "-out", dir)
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=readonly", "GOPROXY=off") // the flags of this run: its packages are compiled
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("the generator cannot be built here: %v\n%s", err, out)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, f := range files {
		want, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(f.Name())
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what gen writes (error %v): run go generate", f.Name(), err)
		}
	}
}
