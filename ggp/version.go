package main

import (
	"fmt"
	"runtime"

	"semisplit/ggp/internal/console"
	"semisplit/internal/revision"
)

// versionCmd tells which program this is.
type versionCmd struct{}

func (versionCmd) Run(s *console.Session) error {
	_, err := fmt.Fprintln(s.Out, version())
	return err
}

// version names the build in one line: the revision of its source, and what it
// was built with.
func version() string {
	return fmt.Sprintf("ggp, revision %s, %s %s/%s", revision.Own(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
