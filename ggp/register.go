package main

// registerCmd makes the player known to servers.
type registerCmd struct {
	Tiltyard registerTiltyardCmd `cmd:"" help:"At a server like tiltyard.ggp.org, which pings the player and schedules its matches."`
	Local    registerLocalCmd    `cmd:"" help:"In the list of players of ggp-base's own server on this machine."`
	Poll     registerPollCmd     `cmd:"" help:"Run the player for a server from which it fetches its messages."`
}
