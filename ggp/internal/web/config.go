package web

import (
	"cmp"
	"log/slog"
	"time"
)

// Config is what a Server needs. The zero value of a field means its default.
type Config struct {
	Address string   // to listen on, HOST:PORT; without a host only this machine is served
	Folders []string // of descriptions that the library has as well
	Token   string   // that changes need where others than this machine can connect; a new one
	Limits  Limits
	Threads int    // of a search; one for each processor
	Seed    uint64 // of everything random
	Log     *slog.Logger

	// WatchOnly serves what the program does itself and nothing that takes time from
	// it: no play, no analysis, no pasted games.
	WatchOnly bool
}

// Limits bound what visitors can make the server do.
type Limits struct {
	Rules      int64         // bytes of pasted rules
	Record     int64         // bytes of a record
	Read       time.Duration // to read rules, and to look at their initial state
	Pasted     int           // games that were pasted, at a time; the oldest goes first
	Matches    int           // matches that are kept, those in play among them
	Games      int           // games of people in play
	Idle       time.Duration // after which a game in which nobody does anything is dropped
	Spectators int           // streams of events at a time
	Analyses   int           // at a time
	Analysis   time.Duration // of a position
}

// DefaultLimits suit a server for a room of people.
var DefaultLimits = Limits{
	Rules: 1 << 20, Record: 16 << 20, Read: 10 * time.Second, Pasted: 24, Matches: 64, Games: 8, Idle: 30 * time.Minute,
	Spectators: 500, Analyses: 2, Analysis: 30 * time.Second,
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	return Limits{
		Rules: cmp.Or(l.Rules, d.Rules), Record: cmp.Or(l.Record, d.Record), Read: cmp.Or(l.Read, d.Read), Pasted: cmp.Or(l.Pasted, d.Pasted),
		Matches: cmp.Or(l.Matches, d.Matches), Games: cmp.Or(l.Games, d.Games), Idle: cmp.Or(l.Idle, d.Idle),
		Spectators: cmp.Or(l.Spectators, d.Spectators), Analyses: cmp.Or(l.Analyses, d.Analyses), Analysis: cmp.Or(l.Analysis, d.Analysis),
	}
}
