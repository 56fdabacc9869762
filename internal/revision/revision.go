// Package revision tells which source this program was built from.
package revision

import "runtime/debug"

// Unknown stands for the revision of a program that was built without.
const Unknown = "unknown"

// commit is what "make build" notes: go run and builds in a linked worktree of
// git tell the program nothing.
var commit string

// Own is the revision of this program: its commit, or the version that it was
// installed by; Unknown if neither was noted.
func Own() string {
	if commit != "" {
		return commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Unknown
	}
	return of(info)
}

func of(info *debug.BuildInfo) string {
	revision, changed := Unknown, ""
	if v := info.Main.Version; v != "" && v != "(devel)" {
		revision = v
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " with changes"
		}
	}
	return revision + changed
}
