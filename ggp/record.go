package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"sync/atomic"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/protocol/servers"
	"semisplit/reasoner"
)

// recordCmd looks into match records.
type recordCmd struct {
	Show   recordShowCmd   `cmd:"" help:"Show the match of a record again, step by step."`
	Verify recordVerifyCmd `cmd:"" help:"Check the signature of a match record, its form, and every state and move against the rules."`
}

// recordFile says where a record is, and the rules of its game.
type recordFile struct {
	File string `arg:"" help:"The record: a file, - for standard input, or its address at a spectator server."`
	Game string `placeholder:"GAME" help:"The rules; default: the bundled game that the record names, or its address in a repository if the record comes from that server."`
}

// recordVerifyCmd checks one record.
type recordVerifyCmd struct {
	recordFile
	By       *string `placeholder:"FINGERPRINT" help:"Accept the signature of this key only."`
	Unsigned bool    `help:"Accept a record without a signature."`
}

// maxRecord bounds the record, in bytes.
const maxRecord = 64 << 20

func (c *recordVerifyCmd) Run(s *console.Session) error {
	if c.By != nil && *c.By == "" {
		return console.Usagef("--by names no key")
	}
	data, err := c.read(s)
	if err != nil {
		return err
	}
	record, err := protocol.ParseRecord(data)
	if err != nil {
		return err
	}
	faults := 0
	fail := func(what string, err error) {
		faults++
		fmt.Fprintf(s.Out, "%s: FAILED: %s\n", what, printable.Text(err.Error(), console.ErrorLine))
	}
	switch signed, err := c.signature(data); {
	case err != nil:
		fail("signature", err)
	default:
		fmt.Fprintf(s.Out, "signature: %s\n", signed)
	}
	if err := referee.CheckForm(record); err != nil {
		fail("form", err)
	} else {
		fmt.Fprintf(s.Out, "form: %s, %s\n", words.Count(len(record.Moves), "turn", "turns"), words.Count(len(record.GameRoleNames), "role", "roles"))
	}
	switch told, err := c.rules(s, record); {
	case err != nil:
		fail("rules", err)
	default:
		fmt.Fprintf(s.Out, "rules: %s\n", told)
	}
	if faults > 0 {
		return console.ErrQuiet
	}
	return nil
}

func (c *recordFile) read(s *console.Session) ([]byte, error) {
	var from io.Reader = s.In
	switch {
	case strings.HasPrefix(c.File, "http://") || strings.HasPrefix(c.File, "https://"):
		return servers.NewWeb(servers.WebOptions{ReplyLimit: maxRecord}).Record(s.Ctx, c.File)
	case c.File != "-":
		file, err := os.Open(c.File)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	data, err := io.ReadAll(io.LimitReader(from, maxRecord+1))
	if err == nil && len(data) > maxRecord {
		err = fmt.Errorf("%s is longer than %d MB: is it a match record?", c.File, maxRecord>>20)
	}
	return data, err
}

// signature tells who signed.
func (c *recordVerifyCmd) signature(data []byte) (string, error) {
	by, err := protocol.VerifySignature(data)
	switch {
	case errors.Is(err, protocol.ErrUnsigned) && c.Unsigned && c.By == nil:
		return "none", nil
	case errors.Is(err, protocol.ErrUnsigned):
		return "", fmt.Errorf("%w (--unsigned accepts that)", err)
	case err != nil:
		return "", err
	}
	fingerprint := protocol.Fingerprint(by)
	if c.By != nil && !strings.EqualFold(*c.By, fingerprint) {
		return "", fmt.Errorf("it is by the key %s, not by %s", fingerprint, *c.By)
	}
	return "holds, by the key " + fingerprint, nil
}

// rules replays the record.
func (c *recordVerifyCmd) rules(s *console.Session, record *protocol.Record) (string, error) {
	game, err := c.game(s, record)
	if err != nil {
		return "", err
	}
	program, diagnostics := reasoner.Read(game.Rules)
	if err := diagnostics.Err(); err != nil {
		return "", fmt.Errorf("%s cannot be played: %w", game.Name, err)
	}
	m, err := reasoner.NewProver(program)
	if err != nil {
		return "", err
	}
	var stop atomic.Bool
	defer context.AfterFunc(s.Ctx, func() { stop.Store(true) })()
	if err := referee.Replay(m, record, &stop); err != nil {
		return "", err
	}
	end := "unfinished"
	switch {
	case record.IsCompleted:
		end = fmt.Sprintf("completed with the goals %v", record.GoalValues)
	case record.IsAborted:
		end = "aborted"
	}
	return fmt.Sprintf("every state and move is as %s says; %s", game.Source, end), nil
}

// game finds the rules that the record was played by.
// named tells whether the user has named the server of an address, as the one that the
// record itself comes from: no record chooses whom this machine asks.
func (c *recordFile) named(address string) bool {
	own, err := url.Parse(c.File)
	if err != nil || own.Host == "" {
		return false
	}
	other, err := url.Parse(address)
	return err == nil && own.Scheme == other.Scheme && strings.EqualFold(own.Host, other.Host)
}

func (c *recordFile) game(s *console.Session, record *protocol.Record) (games.Game, error) {
	if c.Game != "" {
		return load.Game(s, c.Game)
	}
	if record.GameMetaURL != "" {
		if err := servers.CheckMetaURL(record.GameMetaURL); err != nil {
			return games.Game{}, fmt.Errorf("%w (--game names the rules)", err)
		}
		if !c.named(record.GameMetaURL) {
			return games.Game{}, fmt.Errorf("the rules are at %.200q, which nothing but the record names: --game with that address fetches them", record.GameMetaURL)
		}
		return load.Game(s, record.GameMetaURL)
	}
	for _, name := range games.Names() {
		if strings.EqualFold(name, record.GameName) {
			return games.Load(name)
		}
	}
	return games.Game{}, fmt.Errorf("the record names no game of a repository, and %.60q is no bundled game: --game names the rules", record.GameName)
}
