package agent

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"semisplit/internal/spelling"
	"semisplit/internal/strictjson"
)

// Each preset is an agent file; the file's name is the agent's.
//
//go:embed presets/*.json
var presetFiles embed.FS

const presetExtension = ".json"

// Presets are the agents that come with the program, sorted by name.
func Presets() []Agent {
	entries, err := fs.ReadDir(presetFiles, "presets")
	if err != nil {
		panic("BUG: the presets are missing: " + err.Error())
	}
	var presets []Agent
	for _, entry := range entries {
		agent, err := readPreset(strings.TrimSuffix(entry.Name(), presetExtension))
		if err != nil {
			panic("BUG: a preset cannot be read: " + err.Error())
		}
		presets = append(presets, agent)
	}
	slices.SortFunc(presets, func(a, b Agent) int { return strings.Compare(a.Name, b.Name) })
	return presets
}

func readPreset(name string) (Agent, error) {
	text, err := presetFiles.ReadFile(path.Join("presets", name+presetExtension))
	if err != nil {
		return Agent{}, err
	}
	agent, err := Read(bytes.NewReader(text))
	if err != nil {
		return Agent{}, fmt.Errorf("preset %s: %w", name, err)
	}
	return agent, nil
}

// Find is the preset of that name, else the agent of that file; agent:
// may stand before either. A file named like a preset is reached with a folder
// before it: ./orthodox.
func Find(nameOrPath string) (Agent, error) {
	nameOrPath = strings.TrimPrefix(nameOrPath, "agent:")
	if isAgentName(nameOrPath) && !strings.ContainsAny(nameOrPath, `/\`) {
		agent, err := readPreset(nameOrPath)
		if !errors.Is(err, fs.ErrNotExist) {
			return agent, err
		}
	}
	agent, err := Load(nameOrPath)
	if !errors.Is(err, fs.ErrNotExist) {
		return agent, err
	}
	var names []string
	for _, preset := range Presets() {
		names = append(names, preset.Name)
	}
	base := strings.TrimSuffix(filepath.Base(nameOrPath), presetExtension)
	meant := ""
	if near := spelling.Near(base, names, 1); len(near) > 0 {
		meant = fmt.Sprintf(": did you mean %s?", near[0])
	}
	return Agent{}, fmt.Errorf("agent %q: there is no such file, and no such preset%s (ggp agents lists them)", strictjson.Clip(nameOrPath), meant)
}
