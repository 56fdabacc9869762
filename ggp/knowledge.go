package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/internal/wholefile"
	"semisplit/player/choice"
	"semisplit/player/knowledge"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// knowledgeOf is the store of a session; nil: there is none.
func knowledgeOf(s *console.Session) *knowledge.Store {
	if folder := s.Learned.Folder(); folder != "" {
		return knowledge.Open(folder)
	}
	return nil
}

// recalled is what a choice knows of a game; nil: nothing.
func recalled(s *console.Session, p *gdl.Program) func(reasoner.Machine) choice.Known {
	store := knowledgeOf(s)
	if store == nil {
		return nil
	}
	memory, err := store.Recall(s.Ctx, p, "")
	if err != nil {
		fmt.Fprintf(s.Errout, "ggp: %v\n", err)
	}
	if memory == nil {
		return nil
	}
	return memory.Known
}

// knowledgeCmd looks after what was learned.
type knowledgeCmd struct {
	List   knowledgeListCmd   `cmd:"" default:"1" help:"List what is known of which games."`
	Export knowledgeExportCmd `cmd:"" help:"Write what is known of a game into a file."`
	Import knowledgeImportCmd `cmd:"" help:"Take over what an exported file says of a game."`
	Forget knowledgeForgetCmd `cmd:"" help:"Forget what is known of a game."`
}

var errNoKnowledge = console.Usagef("there is no folder for knowledge: --knowledge names one")

type knowledgeListCmd struct{}

func (knowledgeListCmd) Run(s *console.Session) error {
	store := knowledgeOf(s)
	if store == nil {
		return errNoKnowledge
	}
	games, err := store.List()
	table := tabwriter.NewWriter(s.Out, 0, 4, 2, ' ', 0)
	if len(games) > 0 {
		fmt.Fprintf(table, "GAME\tKEY\tLEARNED\tMATCHES\tTRIALS\t\n")
	}
	for _, g := range games {
		matches, trials := 0, 0
		for _, e := range g.Evaluations {
			matches += e.Matches
		}
		for _, t := range g.Trials {
			trials += t.Plays
		}
		title := printable.Text(g.Title, 40)
		if title == "" {
			title = "-"
		}
		fmt.Fprintf(table, "%s\t%.12s\t%v\t%d\t%d\t\n", title, g.Key, time.Duration(g.Seconds*float64(time.Second)).Round(time.Second), matches, trials)
	}
	return errors.Join(table.Flush(), err)
}

// knownGame names a game of the store: by its rules, or by the beginning of its key.
type knownGame struct {
	Game string `arg:"" predictor:"game" help:"A game as everywhere, or the key of one (or its first characters, at least 8)."`
}

func (k knownGame) key(s *console.Session, store *knowledge.Store) (string, error) {
	if strings.Trim(k.Game, "0123456789abcdef") == "" && len(k.Game) >= 8 {
		if len(k.Game) == 64 { // a whole one, perhaps of a file that is damaged
			return k.Game, nil
		}
		games, err := store.List()
		var keys []string
		for _, g := range games {
			if strings.HasPrefix(g.Key, k.Game) {
				keys = append(keys, g.Key)
			}
		}
		switch len(keys) {
		case 0:
			return "", errors.Join(knowledge.ErrUnknown, err)
		case 1:
			return keys[0], nil
		}
		return "", console.Usagef("%s is the beginning of %d keys", k.Game, len(keys))
	}
	_, program, _, err := load.Read(s, k.Game)
	if err != nil {
		return "", err
	}
	memory, err := store.Recall(s.Ctx, program, "")
	if memory == nil {
		return "", err
	}
	return memory.Key(), nil
}

type knowledgeExportCmd struct {
	knownGame
	File string `arg:"" type:"path" help:"The file to write."`
}

func (c *knowledgeExportCmd) Run(s *console.Session) error {
	store := knowledgeOf(s)
	if store == nil {
		return errNoKnowledge
	}
	key, err := c.key(s, store)
	if err != nil {
		return err
	}
	game, err := store.Read(key)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := game.Write(&text); err != nil {
		return err
	}
	return wholefile.Write(c.File, []byte(text.String()), 0o600)
}

type knowledgeImportCmd struct {
	Files []string `arg:"" type:"path" name:"file" help:"Files that were exported. What they say replaces what was known of their games."`
}

func (c *knowledgeImportCmd) Run(s *console.Session) error {
	store := knowledgeOf(s)
	if store == nil {
		return errNoKnowledge
	}
	for _, name := range c.Files {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		game, err := knowledge.Parse(file)
		_ = file.Close()
		if err == nil {
			err = store.Keep(game)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(s.Out, "%s: %.12s\n", printable.Text(game.Title, console.ShownText), game.Key)
	}
	return nil
}

type knowledgeForgetCmd struct{ knownGame }

func (c *knowledgeForgetCmd) Run(s *console.Session) error {
	store := knowledgeOf(s)
	if store == nil {
		return errNoKnowledge
	}
	key, err := c.key(s, store)
	if err != nil {
		return err
	}
	return store.Forget(key)
}
