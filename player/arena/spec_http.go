package arena

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// DefaultPeerFaults are the turns in which a player of others may be at fault
// without its play being left out.
const DefaultPeerFaults = 3

// overHTTP tells whether plays are matches over HTTP, between processes.
func (s *Spec) overHTTP() bool { return s.Cores > 0 || s.hasPeers() }

func (s *Spec) hasPeers() bool {
	return slices.ContainsFunc(slices.Concat(s.Agents, s.Baselines), func(a AgentEntry) bool { return a.Name != "" })
}

// checkHTTP checks what matches over HTTP need, and puts the defaults in.
func (s *Spec) checkHTTP() error {
	if !s.overHTTP() {
		if s.PeerFaults != nil {
			return errors.New("peer_faults: no player of others takes part")
		}
		return nil
	}
	s.Cores = max(1, s.Cores)
	if s.PeerFaults == nil {
		s.PeerFaults = new(int)
		*s.PeerFaults = DefaultPeerFaults
	}
	if n := *s.PeerFaults; n < 0 || n > maxTurns {
		return fmt.Errorf("peer_faults: %d is not between 0 and %.0f", n, maxTurns)
	}
	if s.Opening > 0 {
		return errors.New("opening: a match over HTTP begins at the initial state")
	}
	for i, setting := range s.Settings {
		switch {
		case setting.Kind != Timed || setting.Start == 0 || setting.Choose > 0:
			return fmt.Errorf(`settings[%d]: matches over HTTP have clocks: kind "timed", "seconds" for each move and "start" for the first; an automatic agent chooses within "start"`, i)
		case s.hasPeers() && (setting.Seconds != math.Trunc(setting.Seconds) || setting.Start != math.Trunc(setting.Start)):
			return fmt.Errorf("settings[%d]: most players of others read clocks in whole seconds", i)
		}
	}
	return nil
}

// Give says by which command the player of that name is started, in place of
// what the spec says. It runs in the current folder.
func (s *Spec) Give(name string, command []string) error {
	lists := [][]AgentEntry{s.Agents, s.Baselines}
	if s.Full != nil {
		lists = append(lists, s.Full.Agents)
	}
	found, known := false, []string{}
	for _, list := range lists {
		for i, a := range list {
			if a.Name == name {
				list[i].Peer = Peer{Command: command, dir: "."}
				found = true
			} else if a.Name != "" {
				known = append(known, a.Name)
			}
		}
	}
	if found {
		return nil
	}
	if len(known) == 0 {
		return fmt.Errorf("no player of others takes part, %s neither", name)
	}
	slices.Sort(known)
	return fmt.Errorf("no player is called %s: there are %s", name, strings.Join(slices.Compact(known), ", "))
}
