package main

import (
	"fmt"
	"text/tabwriter"

	"semisplit/ggp/internal/console"
	"semisplit/player/agent"
)

// agentsCmd lists and shows agents.
type agentsCmd struct {
	Agent      string `arg:"" predictor:"agent" optional:"" help:"Show this agent, a preset or a file, as JSON with every parameter."`
	JSON       bool   `name:"json" help:"Print the list as JSON; an agent is shown so anyway."`
	Parameters bool   `help:"Print what an agent file can hold, as tables in Markdown."`
}

func (c *agentsCmd) Run(s *console.Session) error {
	switch {
	case c.Parameters && c.Agent != "":
		return console.Usagef("--parameters takes no agent")
	case c.Parameters:
		_, err := fmt.Fprint(s.Out, agent.Markdown())
		return err
	case c.Agent != "":
		return c.show(s)
	}
	if c.JSON {
		type line struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		}
		var list []line
		for _, a := range agent.Presets() {
			list = append(list, line{a.Name, a.Description})
		}
		return s.IndentedJSON(list)
	}
	table := tabwriter.NewWriter(s.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tDESCRIPTION")
	for _, a := range agent.Presets() {
		fmt.Fprintf(table, "%s\t%s\n", a.Name, a.Description)
	}
	return table.Flush()
}

// show prints an agent in such a way that the output is an agent file; notes
// go to the other stream.
func (c *agentsCmd) show(s *console.Session) error {
	agent, err := agent.Find(c.Agent)
	if err != nil {
		return err
	}
	if err := s.IndentedJSON(agent); err != nil {
		return err
	}
	for _, note := range agent.Notes() {
		fmt.Fprintf(s.Notes(), "note: %s\n", note)
	}
	return nil
}
