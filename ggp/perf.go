package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/reasoner"
)

// perfCmd is the process interface of the gdl-perf framework: it writes what
// happened to a file of "key = value" lines, failures included.
type perfCmd struct {
	GDLFile    string        `arg:"" name:"gdlfile" help:"The description."`
	ResultFile string        `arg:"" name:"resultfile" type:"path" help:"The file to write."`
	Time       time.Duration `arg:"" name:"seconds" help:"How long to play."`
}

// perfVersion is what perf reports of itself.
const perfVersion = "semisplit 1"

func (c *perfCmd) Run(s *console.Session) error {
	if err := console.AboveZero("SECONDS", c.Time); err != nil {
		return err
	}
	text, failure := c.play(s)
	if failure != nil {
		text = fmt.Sprintf("version = %s\nerrorMessage = %s\n", perfVersion, strings.Join(strings.Fields(failure.Error()), " "))
	}
	if err := os.WriteFile(c.ResultFile, []byte(text), 0o644); err != nil {
		return err
	}
	return failure
}

func (c *perfCmd) play(s *console.Session) (string, error) {
	_, program, _, err := load.Read(s, c.GDLFile)
	if err != nil {
		return "", err
	}
	m, _, err := load.Engine(s.Ctx, program, reasoner.Variant{Engine: "lanes"})
	if err != nil && s.Ctx.Err() == nil {
		// Too large for a circuit: the prover plays it all the same.
		m, _, err = load.Engine(s.Ctx, program, reasoner.Variant{Engine: "prover"})
	}
	if err != nil {
		return "", err
	}
	tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: uint64(time.Now().UnixNano()), Time: c.Time, Context: s.Ctx})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("version = %s\nmillisecondsTaken = %d\nnumStateChanges = %d\nnumRollouts = %d\n",
		perfVersion, tally.Elapsed.Milliseconds(), tally.States, tally.Playouts), nil
}
