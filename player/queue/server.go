package queue

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Node is a server of NATS with JetStream in this process.
type Node struct{ server *server.Server }

// NodeOptions say where a node keeps jobs and who can reach it.
type NodeOptions struct {
	// Dir is the folder of its storage; nobody but the owner can look into it.
	Dir string
	// Config is a configuration file of NATS: addresses, cluster, accounts, TLS. Without
	// one nobody but this process can reach the node.
	Config string
}

// startTime is how long a node may take to be ready.
const startTime = 30 * time.Second

// maxPayload is what a message may hold, in bytes; what is longer goes into the store of
// files.
const maxPayload = 1 << 20

// StartNode starts a node. Two nodes cannot have the same folder at a time.
func StartNode(o NodeOptions) (*Node, error) {
	options := &server.Options{DontListen: true, ServerName: "ggp"}
	if o.Config != "" {
		var err error
		if options, err = server.ProcessConfigFile(o.Config); err != nil {
			return nil, fmt.Errorf("configuration of the queue: %w", err)
		}
	}
	options.JetStream, options.NoSigs = true, true
	if o.Dir != "" {
		options.StoreDir = o.Dir
	}
	if options.StoreDir == "" {
		return nil, errors.New("the queue has no folder to keep jobs in")
	}
	if err := os.MkdirAll(options.StoreDir, 0o700); err != nil {
		return nil, fmt.Errorf("folder of the queue: %w", err)
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	if o.Config != "" {
		s.ConfigureLogger()
	}
	s.Start()
	if !s.ReadyForConnections(startTime) || !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("the queue in %s does not start: is another process using the folder?", options.StoreDir)
	}
	return &Node{s}, nil
}

// Address is where the node listens; "" if nobody else can reach it.
func (n *Node) Address() string {
	if n.server.Addr() == nil {
		return ""
	}
	return n.server.ClientURL()
}

// Close stops the node in order.
func (n *Node) Close() {
	n.server.Shutdown()
	n.server.WaitForShutdown()
}
