// Command release builds the program for several platforms: static, the same from the
// same commit on every machine, with checksums and a list of what is in it.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	platforms := flag.String("platforms", "linux/amd64", "GOOS/GOARCH, with commas between")
	out := flag.String("out", "dist", "folder")
	commit := flag.String("commit", "", "that the program is to name")
	flag.Parse()
	if err := release(strings.FieldsFunc(*platforms, func(r rune) bool { return r == ',' || r == ' ' }), *out, *commit); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release builds the programs, SHA256SUMS and sbom.json into a folder.
func release(platforms []string, out, commit string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	var sums bytes.Buffer
	modules := map[string]component{}
	for _, platform := range platforms {
		system, processor, ok := strings.Cut(platform, "/")
		if !ok {
			return fmt.Errorf("%q is not GOOS/GOARCH", platform)
		}
		file := fmt.Sprintf("ggp-%s-%s", system, processor)
		if system == "windows" {
			file += ".exe"
		}
		path := filepath.Join(out, file)
		fmt.Println(path)
		if err := build(path, system, processor, commit); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), file)
		if err := parts(path, modules); err != nil {
			return err
		}
	}
	if err := writeBill(filepath.Join(out, "sbom.json"), modules, commit); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), sums.Bytes(), 0o666)
}

// build makes one program. Nothing of this machine goes into it: no path, no time, no C.
func build(path, system, processor, commit string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid= -X 'semisplit/internal/revision.commit="+commit+"'", "-o", path, "./ggp")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor, "GOFLAGS=", "GOAMD64=v1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// component is a module as CycloneDX lists it.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

// parts adds the modules that a program was built from.
func parts(path string, modules map[string]component) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return err
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component{Type: "library", Name: m.Path, Version: m.Version, URL: fmt.Sprintf("pkg:golang/%s@%s", m.Path, m.Version)}
		if sum, ok := strings.CutPrefix(m.Sum, "h1:"); ok {
			data, err := base64.StdEncoding.DecodeString(sum)
			if err != nil {
				return fmt.Errorf("the sum of %s: %w", m.Path, err)
			}
			c.Hashes = []hash{{"SHA-256", hex.EncodeToString(data)}}
		}
		modules[m.Path] = c
	}
	modules["stdlib"] = component{Type: "library", Name: "stdlib", Version: info.GoVersion, URL: "pkg:golang/stdlib@" + strings.TrimPrefix(info.GoVersion, "go")}
	return nil
}

// writeBill writes the bill of materials in CycloneDX 1.5. It names no time, so that the
// same commit has the same one.
func writeBill(path string, modules map[string]component, commit string) error {
	var list []component
	for _, c := range modules {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b component) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":   map[string]any{"component": component{Type: "application", Name: "semisplit", Version: commit, URL: "pkg:golang/semisplit@" + commit}},
		"components": list,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o666)
}
