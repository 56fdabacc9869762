package main

import (
	"testing"

	"semisplit/ggp/internal/console"
)

// Search trees and messages together stay within --memory.
func TestServeSharesMemory(t *testing.T) {
	for _, memory := range []console.ByteSize{1 << 20, 64 << 20, 256 << 20, 2 << 30, 64 << 30} {
		for _, matches := range []int{1, 2, 50} {
			c := serveCmd{Memory: memory, Matches: matches}
			agent, err := c.agent()
			if err != nil {
				t.Fatal(err)
			}
			total := agent.General.Memory*int64(matches) + c.messages()
			if total > int64(memory) || total < int64(memory)*9/10 || c.messages() <= 0 {
				t.Errorf("%d for %d matches: %d for each, %d for messages", memory, matches, agent.General.Memory, c.messages())
			}
		}
	}
}
