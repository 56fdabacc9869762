package queue

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/player/jobs"
)

// BenchmarkJob asks for jobs that take no time: what is left is what the queue costs, for
// who asks, the node and the worker together, in one process. Also reported are the
// messages and bytes that went through the node for a job.
func BenchmarkJob(b *testing.B) {
	for _, size := range []int{1 << 10, 20 << 10} {
		b.Run(fmt.Sprintf("%dk", size>>10), func(b *testing.B) {
			n, err := StartNode(NodeOptions{Dir: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			defer n.Close()
			open := func() *Queue {
				q, err := Open(b.Context(), Options{Node: n})
				if err != nil {
					b.Fatal(err)
				}
				return q
			}
			asks, works := open(), open()
			defer asks.Close()
			defer works.Close()
			payload := fmt.Appendf(nil, "%q", strings.Repeat("x", size))
			ctx, stop := context.WithCancel(b.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				_ = works.Work(ctx, WorkerOptions{Name: "w", Slots: 4, Handlers: map[string]jobs.Handler{
					"echo": func(_ context.Context, t jobs.Task) ([]byte, error) { return t.Payload, nil },
				}})
			}()
			before := traffic(b, n)
			var number atomic.Int64
			begin := time.Now()
			b.SetParallelism(16)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := asks.Do(ctx, jobs.Job{Group: "g", ID: fmt.Sprint("j", number.Add(1)), Kind: "echo", Payload: payload}); err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.StopTimer()
			after := traffic(b, n)
			b.ReportMetric(float64(b.N)/time.Since(begin).Seconds(), "jobs/s")
			b.ReportMetric(float64(after[0]-before[0])/float64(b.N), "messages/job")
			b.ReportMetric(float64(after[1]-before[1])/float64(b.N), "bytes/job")
			stop()
			<-done
		})
	}
}

// traffic is the messages and the bytes that a node has received and sent.
func traffic(b *testing.B, n *Node) [2]int64 {
	b.Helper()
	v, err := n.server.Varz(nil)
	if err != nil {
		b.Fatal(err)
	}
	return [2]int64{v.InMsgs + v.OutMsgs, v.InBytes + v.OutBytes}
}
