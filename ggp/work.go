package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/metrics"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/player/arena"
	"semisplit/player/jobs"
	"semisplit/player/knowledge"
	"semisplit/player/queue"
	"semisplit/player/tournament"
	"semisplit/reasoner"
)

// jobCommands are about jobs and the queue that they go through.
type jobCommands struct {
	Work  workCmd  `cmd:"" help:"Do the jobs of tournaments, experiments and learning that others ask for."`
	Queue queueCmd `cmd:"" help:"Run a node of the queue that jobs go through, or look into one."`
}

// workCmd is a worker.
type workCmd struct {
	queueFlags
	Cores   int    `help:"Jobs at a time; default: one for each core."`
	Name    string `help:"Name of this worker in results; default: the machine's, and the number of the process."`
	Log     string `enum:"text,json" default:"text" help:"Form of the log on standard error: ${enum}."`
	Metrics string `placeholder:"HOST:PORT" help:"Serve /metrics and /healthz there, at :PORT for this machine alone; default: nowhere."`
}

func (c *workCmd) Run(s *console.Session) error {
	if c.Queue == "" {
		return console.Usagef("--queue says where jobs are")
	}
	if c.Cores < 0 {
		return console.Usagef("--cores must be above 0")
	}
	if c.Cores == 0 {
		c.Cores = runtime.GOMAXPROCS(0)
	}
	measured := metrics.New(version())
	log := slog.New(measured.Log(s.Log(c.Log).Handler()))
	speed := reasoner.AndsPerSecond()
	o := c.options(log, speed)
	if c.Name != "" {
		o.Name = c.Name
	}
	s.Serving(timeToLeave)
	q, err := queue.Open(s.Ctx, o)
	if err != nil {
		return err
	}
	defer q.Close()
	if c.Metrics != "" {
		measured.Depth(q.Depth)
		stop, err := measured.Serve(s.Ctx, c.Metrics, log, func(ctx context.Context) error {
			_, err := q.Depth(ctx)
			return err
		})
		if err != nil {
			return err
		}
		defer stop()
	}
	handlers, forget := handlersOfAll(&tournament.Worker{}, &arena.Worker{Serve: serveOne})
	defer forget()
	log.Info("worker is ready", "name", o.Name, "cores", c.Cores, "ands", fmt.Sprintf("%.3g/s", speed))
	err = q.Work(s.Ctx, queue.WorkerOptions{
		Name: o.Name, Slots: c.Cores, Speed: speed, Handlers: handlers,
		Observe: func(kind, how string, took time.Duration) {
			log.Debug("job", "kind", kind, "how", how, "took", took)
			measured.Job(kind, how, took)
		},
	})
	if s.Ctx.Err() != nil {
		log.Info("worker stops: its jobs are handed back")
		return nil
	}
	return err
}

// handlersOfAll do all kinds of jobs. forget removes temporary files.
func handlersOfAll(matches *tournament.Worker, plays *arena.Worker) (handlers map[string]jobs.Handler, forget func()) {
	handlers = matches.Handlers()
	maps.Copy(handlers, plays.Handlers())
	maps.Copy(handlers, knowledge.Handlers())
	return handlers, func() { _ = errors.Join(matches.Close(), plays.Close()) }
}

// queueCmd is about the queue itself.
type queueCmd struct {
	Node   queueNodeCmd   `cmd:"" help:"Run a node: a NATS server with JetStream."`
	Status queueStatusCmd `cmd:"" help:"Tell how many jobs wait, which were given up, and which workers are there."`
}

// queueNodeCmd runs a node.
type queueNodeCmd struct {
	Config string `type:"path" required:"" placeholder:"FILE" help:"Configuration of NATS: addresses, cluster, accounts, TLS."`
	Dir    string `type:"path" placeholder:"FOLDER" help:"Where it keeps jobs; default: as the configuration says."`
}

func (c *queueNodeCmd) Run(s *console.Session) error {
	n, err := queue.StartNode(queue.NodeOptions{Dir: c.Dir, Config: c.Config})
	if err != nil {
		return err
	}
	s.Serving(timeToLeave)
	s.Log("text").Info("queue is ready", "address", n.Address())
	<-s.Ctx.Done()
	n.Close()
	return nil
}

// queueStatusCmd looks into a queue.
type queueStatusCmd struct {
	queueFlags
	Most int `default:"20" help:"Jobs that were given up to tell of, at most."`
}

func (c *queueStatusCmd) Run(s *console.Session) error {
	if c.Queue == "" {
		return console.Usagef("--queue says which queue")
	}
	if c.Most < 0 {
		return console.Usagef("--most must not be below 0")
	}
	q, err := queue.Open(s.Ctx, c.options(slog.New(slog.DiscardHandler), 0))
	if err != nil {
		return err
	}
	defer q.Close()
	depth, err := q.Depth(s.Ctx)
	if err != nil {
		return err
	}
	parked, givenUp, err := q.Parked(s.Ctx, c.Most)
	if err != nil {
		return err
	}
	workers, err := q.Workers(s.Ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s in the queue, %d given up, %s\n", words.Count(depth, "job", "jobs"), givenUp, words.Count(len(workers), "worker", "workers"))
	for _, w := range workers {
		fmt.Fprintf(s.Out, "worker %s\n", printable.Text(w.String(), console.ShownText))
	}
	for _, p := range parked {
		text := fmt.Sprintf("%s.%s %s: %s", p.Group, p.ID, p.Kind, p.Error)
		fmt.Fprintf(s.Out, "%s %s\n", p.Time.Format(time.RFC3339), printable.Text(text, console.ErrorLine))
	}
	return nil
}
