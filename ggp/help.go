package main

import (
	"strings"

	"semisplit/ggp/internal/console"
)

// helpCmd is --help for who looks for it as a command.
type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command, such as match or register poll; none: all of them."`
}

// Run does not come back where there is such a command: see newParser.
func (c *helpCmd) Run(s *console.Session) error {
	_, err := newParser(&commands{}, s.Out, s.Errout).Parse(append(c.Command, "--help"))
	return console.Usagef("there is no help for %q: %v", strings.Join(c.Command, " "), err)
}
