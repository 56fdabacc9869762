package main

import (
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/player"
	"semisplit/protocol/servers"
)

// registerPollCmd runs the player for a server from which it fetches its
// messages.
type registerPollCmd struct {
	Get     string `required:"" placeholder:"URL" help:"Where messages are fetched: URL?recipient=NAME."`
	Put     string `required:"" placeholder:"URL" help:"Where answers are posted: URL?sender=NAME&recipient=...&msgid=..."`
	Name    string `required:"" help:"Name of the player at the server."`
	Agent   string `predictor:"agent" placeholder:"AGENT" help:"Preset or agent file (JSON) that says how to search; see ggp agents."`
	Matches int    `default:"2" help:"Matches at a time; beyond it the player says busy."`
	Log     string `enum:"text,json" default:"text" help:"Form of the log on standard error: ${enum}."`
}

func (c *registerPollCmd) Run(s *console.Session) error {
	serve := serveCmd{Name: c.Name, Agent: c.Agent, Matches: c.Matches, Memory: 2 << 30}
	agent, err := serve.agent()
	if err != nil {
		return err
	}
	defer serve.bound()()
	log, end := s.LogBeside(c.Log)
	defer end()
	p := player.New(player.Config{Agent: agent, Matches: c.Matches, Seed: uint64(time.Now().UnixNano()), Log: log, Limits: serve.limits(), Knowledge: knowledgeOf(s)})
	defer p.Close()
	s.Serving(timeToClose)
	outliveLog()
	log.Info("player fetches its messages", "name", c.Name, "from", c.Get, "to", c.Put, "matches", c.Matches)
	return servers.Poll(s.Ctx, p, servers.PollOptions{Get: c.Get, Put: c.Put, Name: c.Name, Logger: log})
}
