package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"semisplit/reasoner"
)

// perfCmd is the process interface of the gdl-perf framework: it writes what
// happened to a file of "key = value" lines, failures included.
type perfCmd struct {
	GDLFile    string  `arg:"" name:"gdlfile" help:"The description."`
	ResultFile string  `arg:"" name:"resultfile" help:"The file to write."`
	Seconds    float64 `arg:"" help:"How long to play."`
}

// perfVersion is what perf reports of itself.
const perfVersion = "semisplit 1"

func (c *perfCmd) Run(s *session) error {
	if !(c.Seconds > 0) || math.IsInf(c.Seconds, 0) {
		return usagef("SECONDS must be above 0")
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

func (c *perfCmd) play(s *session) (string, error) {
	_, program, _, err := readGame(s, c.GDLFile)
	if err != nil {
		return "", err
	}
	m, _, err := buildEngine(s.ctx, program, reasoner.Variant{Engine: "lanes"})
	if err != nil {
		if m, _, err = buildEngine(s.ctx, program, reasoner.Variant{Engine: "prover"}); err != nil {
			return "", err
		}
	}
	tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: uint64(time.Now().UnixNano()), Time: seconds(c.Seconds)})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("version = %s\nmillisecondsTaken = %d\nnumStateChanges = %d\nnumRollouts = %d\n",
		perfVersion, tally.Elapsed.Milliseconds(), tally.States, tally.Playouts), nil
}
