package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"semisplit/player/jobs"
)

// maxCached bounds the files that a process remembers, in bytes.
const maxCached = 256 << 20

// Put keeps data in the store of files.
func (q *Queue) Put(ctx context.Context, data []byte) (hash string, err error) {
	if len(data) > maxFile {
		return "", fmt.Errorf("a file of %d bytes: at most %d can be sent", len(data), maxFile)
	}
	hash = jobs.Hash(data)
	q.mu.Lock()
	known := q.known[hash]
	q.mu.Unlock()
	if known {
		return hash, nil
	}
	err = q.insist(ctx, func(ctx context.Context) error {
		if _, err := q.files.GetInfo(ctx, hash); !errors.Is(err, jetstream.ErrObjectNotFound) {
			return err
		}
		_, err := q.files.PutBytes(ctx, hash, data)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("send a file: %w", err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.known[hash] = true
	q.remember(hash, data)
	return hash, nil
}

// remember keeps a file in memory. The lock is held.
func (q *Queue) remember(hash string, data []byte) {
	if q.cached[hash] != nil {
		return
	}
	if q.held += len(data); q.held > maxCached {
		clear(q.cached)
		q.held = len(data)
	}
	q.cached[hash] = data
}

// Get finds data in the store of files, and checks it: whoever can reach the queue can
// write there.
func (q *Queue) Get(ctx context.Context, hash string) (data []byte, err error) {
	q.mu.Lock()
	data = q.cached[hash]
	q.mu.Unlock()
	if data != nil {
		return data, nil
	}
	err = q.insist(ctx, func(ctx context.Context) error {
		info, err := q.files.GetInfo(ctx, hash)
		if err != nil {
			return err
		}
		if info.Size > maxFile {
			return fmt.Errorf("%w: %d bytes", errTooLong, info.Size)
		}
		data, err = q.files.GetBytes(ctx, hash)
		return err
	})
	if err == nil && jobs.Hash(data) != hash {
		err = errors.New("its content is another one")
	}
	if err != nil {
		return nil, fmt.Errorf("file %.12s: %w", hash, err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.remember(hash, data)
	return data, nil
}
