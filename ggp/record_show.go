package main

import (
	"fmt"
	"strings"

	"semisplit/ggp/board"
	"semisplit/ggp/internal/console"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/kif"
	"semisplit/protocol"
	"semisplit/reasoner"
)

// recordShowCmd shows a match again.
type recordShowCmd struct {
	recordFile
	Step *int `help:"Show the state after so many steps only; 0: the initial one. Default: all."`
}

func (c *recordShowCmd) Run(s *console.Session) error {
	data, err := c.read(s)
	if err != nil {
		return err
	}
	record, err := protocol.ParseRecord(data)
	if err != nil {
		return err
	}
	if c.Step != nil && (*c.Step < 0 || *c.Step >= len(record.States)) {
		return console.Usagef("--step %d: the record holds the states after 0 to %d steps", *c.Step, len(record.States)-1)
	}
	v := recordView{record: record, session: s, options: drawingOptions(s)}
	if game, err := c.game(s, record); err == nil { // without its rules it is drawn as it comes
		v.options.Drawing, err = readDrawing(game)
		if err != nil {
			fmt.Fprintf(s.Errout, "ggp: %v; the board is drawn without it\n", err)
		}
		if program, _ := reasoner.Read(game.Rules); program != nil {
			v.options.Possible = program.Fluents()
		}
	}
	return v.show(c.Step)
}

// recordView prints the states of a record.
type recordView struct {
	record  *protocol.Record
	session *console.Session
	options board.Options
}

// show prints one step, or if it is nil all of them and how the match ended.
func (v *recordView) show(only *int) error {
	for step := range v.record.States {
		state, err := kif.ParseTerm(v.record.States[step])
		if err != nil || !state.IsList() {
			return fmt.Errorf("the state after %s cannot be read: %v", words.Count(step, "step", "steps"), err)
		}
		if step == 0 {
			v.options.Frame = state.Items
		}
		before := v.options.Before
		v.options.Before = state.Items
		if only != nil && step != *only {
			continue
		}
		fmt.Fprintf(v.session.Out, "step %d\n", step)
		if step > 0 && step <= len(v.record.Moves) {
			v.moves(step - 1)
		}
		options := v.options
		options.Before = before
		board.Draw(v.session.Data(), state.Items, options)
		fmt.Fprintln(v.session.Out)
	}
	if only == nil {
		v.end()
	}
	return nil
}

// moves prints a joint move, and what went wrong in its turn.
func (v *recordView) moves(turn int) {
	for role, move := range v.record.Moves[turn] {
		fault := ""
		if turn < len(v.record.Errors) && role < len(v.record.Errors[turn]) && v.record.Errors[turn][role] != "" {
			fault = "  FAULT " + printable.Text(v.record.Errors[turn][role], console.ShownText)
		}
		fmt.Fprintf(v.session.Out, "  %s: %s%s\n", v.role(role), printable.Text(move, console.ShownText), fault)
		if turn < len(v.record.Comments) && role < len(v.record.Comments[turn]) && v.record.Comments[turn][role] != "" {
			fmt.Fprintf(v.session.Out, "    %s\n", printable.Text(v.record.Comments[turn][role], 2*console.ShownText))
		}
	}
}

// role is the name of a role, and of who played it.
func (v *recordView) role(role int) string {
	name := fmt.Sprint("role ", role+1)
	if role < len(v.record.GameRoleNames) {
		name = v.record.GameRoleNames[role]
	}
	if role < len(v.record.PlayerNames) && v.record.PlayerNames[role] != "" {
		name += " (" + v.record.PlayerNames[role] + ")"
	}
	return printable.Text(name, console.ShownText)
}

func (v *recordView) end() {
	var goals []string
	for role, goal := range v.record.GoalValues {
		goals = append(goals, fmt.Sprintf("%s %d", v.role(role), goal))
	}
	steps := words.Count(len(v.record.Moves), "step", "steps")
	switch {
	case v.record.IsCompleted:
		fmt.Fprintf(v.session.Out, "ended after %s: %s\n", steps, strings.Join(goals, "  "))
	case v.record.IsAborted:
		fmt.Fprintf(v.session.Out, "aborted after %s\n", steps)
	default:
		fmt.Fprintf(v.session.Out, "unfinished after %s\n", steps)
	}
}
