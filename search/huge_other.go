//go:build !linux

package search

func adviseHuge([]byte) {}
