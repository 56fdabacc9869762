package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"semisplit/internal/spelling"
)

// Config holds flags that a person does not want to type each time: those of all
// commands by their names, those of one command in a section with its name, where
// those of all commands can stand as well.
// The command line and the environment go before it. It is a kong.Resolver.
type Config struct {
	path     string
	flags    map[string]json.RawMessage
	sections map[string]map[string]json.RawMessage
}

const maxConfig = 1 << 20 // bytes

// ReadConfig reads the file that the environment names in GGP_CONFIG ("none": no
// file), else ggp/config.json in the user's configuration folder, which need not be
// there.
func ReadConfig() (*Config, error) {
	c := &Config{path: os.Getenv("GGP_CONFIG")}
	named := c.path != ""
	if !named {
		folder, err := os.UserConfigDir()
		if err != nil {
			return c, nil
		}
		c.path = filepath.Join(folder, "ggp", "config.json")
	}
	if c.path == "none" {
		return c, nil
	}
	file, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return c, nil
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err != nil {
		return nil, err
	}
	if err := c.parse(text); err != nil {
		return nil, fmt.Errorf("%s: %w", c.path, err)
	}
	return c, nil
}

func (c *Config) parse(text []byte) error {
	if len(text) > maxConfig {
		return fmt.Errorf("longer than %d bytes", maxConfig)
	}
	if err := json.Unmarshal(text, &c.flags); err != nil {
		return err
	}
	c.sections = map[string]map[string]json.RawMessage{}
	for name, value := range c.flags {
		if !bytes.HasPrefix(bytes.TrimSpace(value), []byte("{")) {
			continue
		}
		var section map[string]json.RawMessage
		if err := json.Unmarshal(value, &section); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		c.sections[name] = section
		delete(c.flags, name)
	}
	return nil
}

// Validate refuses names that no command has.
func (c *Config) Validate(app *kong.Application) error {
	commands, global := map[string][]string{}, flagNames(app.Flags)
	for _, leaf := range app.Leaves(false) {
		names := slices.Clone(global)
		for node := leaf; node != nil && node.Type != kong.ApplicationNode; node = node.Parent {
			names = append(names, flagNames(node.Flags)...)
		}
		commands[commandName(leaf)] = names
	}
	for name := range c.flags {
		if !slices.Contains(global, name) {
			return c.unknown("flag of all commands", name, append(global, sortedKeys(commands)...))
		}
	}
	for command, section := range c.sections {
		known, ok := commands[command]
		if !ok {
			return c.unknown("command", command, sortedKeys(commands))
		}
		for name := range section {
			if !slices.Contains(known, name) {
				return c.unknown("flag of "+command, name, known)
			}
		}
	}
	return nil
}

func (c *Config) unknown(kind, name string, known []string) error {
	advice := ""
	if near := spelling.Near(name, known, 1); len(near) > 0 {
		advice = fmt.Sprintf(" (did you mean %s?)", near[0])
	}
	return fmt.Errorf("%s: there is no %s %q%s", c.path, kind, name, advice)
}

// Resolve is the value of a flag that neither the command line nor the environment
// gives; nil: the file has none.
func (c *Config) Resolve(ctx *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	if slices.ContainsFunc(flag.Envs, func(name string) bool { return os.Getenv(name) != "" }) {
		return nil, nil
	}
	var raw json.RawMessage
	if selected := ctx.Selected(); selected != nil {
		raw = c.sections[commandName(selected)][flag.Name]
	}
	if raw == nil && parent.App != nil {
		raw = c.flags[flag.Name]
	}
	if raw == nil {
		return nil, nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	if text = string(bytes.TrimSpace(raw)); strings.HasPrefix(text, "[") || text == "null" {
		return nil, fmt.Errorf("%s: %s must be a text, a number, true or false", c.path, flag.Name)
	}
	return text, nil
}

// commandName is what is typed for a command.
func commandName(n *kong.Node) string {
	var names []string
	for ; n != nil && n.Type != kong.ApplicationNode; n = n.Parent {
		if n.Type == kong.CommandNode {
			names = append(names, n.Name)
		}
	}
	slices.Reverse(names)
	return strings.Join(names, " ")
}

func flagNames(flags []*kong.Flag) (names []string) {
	for _, f := range flags {
		names = append(names, f.Name)
	}
	return names
}

func sortedKeys(m map[string][]string) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
