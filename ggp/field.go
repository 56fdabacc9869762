package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"sync"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/player/arena"
	"semisplit/player/jobs"
	"semisplit/player/queue"
	"semisplit/player/tournament"
	"semisplit/reasoner"
)

// queueFlags say how a queue of others is reached.
type queueFlags struct {
	Queue         string `env:"GGP_QUEUE" placeholder:"URL" help:"NATS servers with JetStream that jobs go through, as nats://HOST:4222, with commas between; default: one in this process."`
	QueueCreds    string `type:"path" placeholder:"FILE" help:"Credentials of NATS for --queue."`
	QueueCA       string `name:"queue-ca" type:"path" placeholder:"FILE" help:"Certificates that the servers of --queue are checked against; default: those of the system."`
	QueueCert     string `type:"path" placeholder:"FILE" help:"Certificate of this client for --queue."`
	QueueKey      string `type:"path" placeholder:"FILE" help:"Its key."`
	QueueReplicas int    `default:"1" help:"Nodes of --queue that keep each job; 3 survive the loss of one."`
}

func (f queueFlags) options(log *slog.Logger, speed float64) queue.Options {
	host, _ := os.Hostname()
	return queue.Options{
		URL: f.Queue, Credentials: f.QueueCreds, CA: f.QueueCA, Cert: f.QueueCert, Key: f.QueueKey, Replicas: f.QueueReplicas,
		Name: fmt.Sprintf("%s %d", host, os.Getpid()), Speed: speed, Log: log,
	}
}

// fieldFlags say where jobs are done, by a command that asks for them.
type fieldFlags struct {
	queueFlags
	QueueConfig string `type:"path" placeholder:"FILE" help:"Configuration of NATS for the queue in this process: with an address to listen on, workers on other machines can join (ggp work)."`
	Cores       int    `default:"-1" help:"Cores that this process plays on; default: all, and none with --queue."`
}

// field is a queue with a worker in this process.
type field struct {
	*queue.Queue
	slots int    // jobs at a time in this process
	dir   string // of the queue in this process; "": it is elsewhere

	node   *queue.Node
	stop   context.CancelFunc
	work   sync.WaitGroup
	forget func() // removes temporary files
}

// timeToLeave is how long a worker may take to hand its jobs back.
const timeToLeave = 10 * time.Second

// open starts the queue in a folder, or reaches one. slots are the jobs at a time in this
// process for so many cores, and home says that some jobs can only be done here. handlers
// do those of the command; its worker does those of others as well, for they may come
// through the same queue, and what it does not know would fail.
func (f fieldFlags) open(ctx context.Context, log *slog.Logger, dir string, slots func(cores int) int, home bool, handlers map[string]jobs.Handler) (*field, error) {
	if f.Queue != "" && f.QueueConfig != "" {
		return nil, console.Usagef("--queue is a queue of others, and --queue-config is for one in this process")
	}
	cores := f.Cores
	if cores < 0 {
		if cores = 0; f.Queue == "" {
			cores = runtime.GOMAXPROCS(0)
		}
	}
	if f.Queue == "" || home || cores > 0 {
		cores = max(1, cores)
	}
	x := &field{}
	if cores > 0 {
		x.slots = max(1, slots(cores))
	}
	speed := reasoner.AndsPerSecond()
	o := f.options(log, speed)
	if f.Queue == "" {
		x.dir = dir
		var err error
		if x.node, err = queue.StartNode(queue.NodeOptions{Dir: dir, Config: f.QueueConfig}); err != nil {
			return nil, err
		}
		if address := x.node.Address(); address != "" {
			log.Info("workers can join", "command", "ggp work --queue "+address)
		}
		o.Node = x.node
	}
	var err error
	if x.Queue, err = queue.Open(ctx, o); err != nil {
		x.close()
		return nil, err
	}
	if x.node != nil && x.node.Address() == "" {
		if err := x.Release(ctx); err != nil {
			x.close()
			return nil, err
		}
	}
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	x.stop = stop
	if x.slots > 0 {
		all, forget := handlersOfAll(&tournament.Worker{}, &arena.Worker{Serve: serveOne})
		x.forget = forget
		maps.Copy(all, handlers)
		x.work.Go(func() {
			err := x.Work(working, queue.WorkerOptions{Name: o.Name, Slots: x.slots, Speed: speed, Handlers: all})
			if err != nil && working.Err() == nil {
				log.Error("worker", "error", err)
			}
		})
	}
	return x, nil
}

// ahead is how many jobs are asked for at a time: enough for all workers.
func (x *field) ahead() int {
	if x.dir != "" && x.node.Address() == "" {
		return 2 * x.slots
	}
	return 1024
}

// close hands back what is being done.
func (x *field) close() {
	if x.stop != nil {
		x.stop()
	}
	x.work.Wait()
	if x.forget != nil {
		x.forget()
	}
	if x.Queue != nil {
		x.Queue.Close()
	}
	if x.node != nil {
		x.node.Close()
	}
}

// finish closes the field after all that was asked for is done, and kept elsewhere. A
// queue of this process is removed.
func (x *field) finish(ctx context.Context, group string) error {
	var err error
	if x.dir == "" {
		err = x.Forget(ctx, group)
	}
	x.close()
	if x.dir != "" {
		err = os.RemoveAll(x.dir)
	}
	return err
}
