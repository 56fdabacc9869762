package revision

import (
	"runtime/debug"
	"testing"
)

func TestOf(t *testing.T) {
	built := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	for want, info := range map[string]*debug.BuildInfo{
		Unknown:                     built("(devel)"),
		"v1.2.3":                    built("v1.2.3"),
		"0123abc":                   built("", "vcs.revision", "0123abc", "vcs.modified", "false"),
		"0123456789ab with changes": built("v1.2.3", "vcs.revision", "0123456789abcdef", "vcs.modified", "true"),
	} {
		if got := of(info); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
