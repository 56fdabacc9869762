package peer

import (
	"errors"
	"fmt"
	"net"
	"sync"
)

// given are the ports that players of this process have. A player does not listen on its
// own from the beginning, and the system may pick it again meanwhile.
var given struct {
	sync.Mutex
	ports map[string]bool
}

// takePort is a port that nobody listens on at the moment, and that no other player gets
// until it is given back.
func takePort() (port string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a port: %w", err)
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	_, port, _ = net.SplitHostPort(l.Addr().String()) // the system's own spelling
	given.Lock()
	taken := given.ports[port]
	if given.ports == nil {
		given.ports = map[string]bool{}
	}
	given.ports[port] = true
	given.Unlock()
	if taken {
		return takePort() // another one, for we still listen on this one
	}
	return port, nil
}

func givePortBack(port string) {
	given.Lock()
	defer given.Unlock()
	delete(given.ports, port)
}
