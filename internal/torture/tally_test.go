package main

import (
	"strings"
	"testing"
	"time"
)

// What makes a torture a failure, one thing at a time.
func TestVerdict(t *testing.T) {
	s := setting{memory: 100, play: time.Second}
	for name, x := range map[string]struct {
		harm func(t *tally)
		says string
	}{
		"nothing":       {func(*tally) {}, ""},
		"late":          {func(t *tally) { t.reply("nim step 1", "", 1100*time.Millisecond, time.Second) }, "late: [nim step 1 after 1.1s at "},
		"late, unheard": {func(t *tally) { t.reply("nim step 1", "TO", 0, time.Second) }, "late: [nim step 1"},
		"illegal":       {func(t *tally) { t.reply("nim step 2", "IL (fly)", time.Millisecond, time.Second) }, "illegal: [nim step 2: IL (fly) after 1ms at "},
		"memory":        {func(t *tally) { t.resident(101 << 20) }, "101 MiB were resident, the bound is 100"},
		"failure":       {func(t *tally) { t.fail("the player ended") }, "not survived: the player ended"},
		"no move":       {func(t *tally) { t.honest = replies{} }, "no honest move was made"},
	} {
		seen := newTally()
		seen.reply("nim step 0", "", time.Second/2, time.Second)
		seen.resident(99 << 20)
		x.harm(seen)
		err := seen.verdict(s)
		if (err == nil) != (x.says == "") || err != nil && !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The table replaces the one before and nothing else, and nobody's text leaves its cell.
func TestTable(t *testing.T) {
	seen := newTally()
	seen.fail("a | b\nc <script>")
	seen.refuse("busy")
	table := seen.table(setting{})
	for _, line := range []string{"| hostile requests: busy | 1 |", "| **not survived** | a / b c (script) |"} {
		if !strings.Contains(table, line+"\n") {
			t.Errorf("no line %s in\n%s", line, table)
		}
	}
	text := "before\n" + openMark + "old\n" + closeMark + "\nafter\n"
	got, err := between(text, "new\n")
	if err != nil || got != strings.Replace(text, "old", "new", 1) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := between("no marks", "new"); err == nil {
		t.Error("a text without marks was taken")
	}
}

func TestKindOf(t *testing.T) {
	for reply, kind := range map[string]string{
		"": "closed without a word",
		"HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\nbusy":              "busy",
		"HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\nnoop":              "answered",
		"HTTP/1.0 503 Service Unavailable\r\nConnection: close\r\n\r\n": "status 503 Service Unavailable",
	} {
		if got := kindOf(reply); got != kind {
			t.Errorf("%q is %q", reply, got)
		}
	}
}
