package main

import (
	"fmt"
	"strings"

	"semisplit/internal/printable"
	"semisplit/reasoner/gdl"
)

// checkReport is what check tells, for programs.
type checkReport struct {
	Game     string         `json:"game"`
	Playable bool           `json:"playable"` // there is no error
	Findings []checkFinding `json:"findings"`
	Text     []string       `json:"text"` // the other lines, as they are printed
}

// checkFinding is an error, a warning or a note. Line and column count from 1, and
// are 0 where the finding is about no place of the text.
type checkFinding struct {
	Severity string `json:"severity"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	Advice   string `json:"advice,omitempty"`
	State    string `json:"state,omitempty"` // that shows it
}

// diagnostics prints what the text shows.
func (k *checking) diagnostics(source string, list gdl.Diagnostics) {
	for _, d := range list {
		if k.JSON {
			k.report.Findings = append(k.report.Findings, checkFinding{
				Severity: d.Severity.String(), Line: d.Pos.Line, Column: d.Pos.Col, Code: d.Code, Message: d.Message, Advice: d.Advice,
			})
			continue
		}
		k.print("%s\n", printable.Text(fmt.Sprintf("%s:%s", source, d), longestFinding))
	}
}

// warn tells what is wrong with the rules, note what may be as it should.
func (k *checking) warn(format string, args ...any) { k.tell("warning", format, args...) }
func (k *checking) note(format string, args ...any) { k.tell("note", format, args...) }

func (k *checking) tell(severity, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if k.JSON {
		k.report.Findings = append(k.report.Findings, checkFinding{Severity: severity, Message: text})
		return
	}
	k.print("%s\n", printable.Text(severity+": "+text, longestFinding))
}

// print prints what is no finding, or a part of a line of it.
func (k *checking) print(format string, args ...any) {
	if k.JSON {
		k.text.WriteString(fmt.Sprintf(format, args...))
		return
	}
	fmt.Fprintf(k.session.Out, format, args...)
}

// tellJSON prints the report, if it is for programs.
func (k *checking) tellJSON(playable bool) error {
	if !k.JSON {
		return nil
	}
	k.report.Game, k.report.Playable = k.name, playable
	if k.report.Findings == nil {
		k.report.Findings = []checkFinding{}
	}
	k.report.Text = strings.Split(strings.TrimRight(k.text.String(), "\n"), "\n")
	return k.session.JSON(k.report)
}
