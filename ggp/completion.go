package main

import (
	"fmt"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"github.com/muesli/roff"
	"github.com/posener/complete"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/player/agent"
)

// completes answers a shell that asks how a command line could go on (it says so in
// COMP_LINE), and leaves as after help.
func completes(parser *kong.Kong) {
	files := complete.PredictFiles("*")
	game := complete.PredictOr(complete.PredictSet(games.Names()...), files)
	var names []string
	for _, a := range agent.Presets() {
		names = append(names, a.Name)
	}
	presets := complete.PredictSet(names...)
	kongcompletion.Register(parser,
		kongcompletion.WithPredictor("game", game),
		kongcompletion.WithPredictor("agent", complete.PredictOr(presets, files)),
		kongcompletion.WithPredictor("player", complete.PredictOr(complete.PredictSet("human", "random", "legal", "level:1", "level:10"), presets, files)),
	)
}

// manCmd prints the manual page, made of what --help says.
type manCmd struct{}

func (manCmd) Run(s *console.Session) error {
	model := newParser(&commands{}, s.Out, s.Errout).Model
	_, err := fmt.Fprint(s.Out, mangokong.NewManPage(1, model).Build(roff.NewDocument()))
	return err
}
