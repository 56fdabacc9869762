//go:build !invariants

package search

// invariants: every Search ends with a check of the tree.
const invariants = false
