package main

import (
	"context"
	"errors"

	"semisplit/ggp/internal/console"
	"semisplit/player/arena"
)

// run runs an experiment whose plays are jobs, with a queue in the folder dir if it has
// one of its own. Where ctx ends, and done does not say that nothing more is needed, jobs
// that were asked for stay in a queue of others, and those of one of its own go on with
// the next run.
func (f fieldFlags) run(ctx context.Context, s *console.Session, plan *arena.Plan, store *arena.Store, dir string, o arena.Options, done func() bool) error {
	worker := &arena.Worker{Serve: o.Serve, Logs: o.Logs}
	defer func() { _ = worker.Close() }() // temporary files
	slots := func(cores int) int {
		if f.Cores < 0 || plan.OverHTTP() {
			return plan.Parallel()
		}
		return cores
	}
	x, err := f.open(ctx, s.Log("text"), dir, slots, plan.HasPeers(), worker.Handlers())
	if err != nil {
		return err
	}
	o.Field, o.Ahead, o.Worker = x, x.ahead(), worker
	if x.dir != "" && x.node.Address() == "" {
		o.Ahead = x.slots
	}
	err = plan.Run(ctx, store, o)
	if err != nil && !done() {
		x.close()
		return err
	}
	group, failed := store.Group()
	return errors.Join(err, failed, x.finish(context.WithoutCancel(ctx), group))
}
