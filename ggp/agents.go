package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"semisplit/player"
)

// agentsCmd lists and shows agents.
type agentsCmd struct {
	Agent      string `arg:"" optional:"" help:"Show this agent, a preset or a file, as JSON with every parameter."`
	Parameters bool   `help:"Print what an agent file can hold, as tables in Markdown."`
}

func (c *agentsCmd) Run(s *session) error {
	switch {
	case c.Parameters && c.Agent != "":
		return usagef("--parameters takes no agent")
	case c.Parameters:
		_, err := fmt.Fprint(s.out, player.AgentMarkdown())
		return err
	case c.Agent != "":
		return c.show(s)
	}
	table := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tDESCRIPTION")
	for _, agent := range player.Presets() {
		fmt.Fprintf(table, "%s\t%s\n", agent.Name, agent.Description)
	}
	return table.Flush()
}

// show prints an agent in such a way that the output is an agent file; notes
// go to the other stream.
func (c *agentsCmd) show(s *session) error {
	agent, err := player.FindAgent(c.Agent)
	if err != nil {
		return err
	}
	out := json.NewEncoder(s.out)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(agent); err != nil {
		return err
	}
	for _, note := range agent.Notes() {
		fmt.Fprintf(s.errout, "note: %s\n", note)
	}
	return nil
}
