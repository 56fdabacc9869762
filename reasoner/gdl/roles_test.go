package gdl_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"semisplit/reasoner/gdl"
)

// doublingRoles is a description whose only role holds itself twice, so many times
// over.
func doublingRoles(times int) string {
	var b strings.Builder
	b.WriteString("(t0 a) ")
	for i := 1; i <= times; i++ {
		fmt.Fprintf(&b, "(<= (t%d (f ?x ?x)) (t%d ?x)) ", i, i-1)
	}
	fmt.Fprintf(&b, "(<= (role (r ?x)) (t%d ?x)) (legal ?x noop) (init (step 1)) (<= terminal (true (step 1)))", times)
	return b.String()
}

// A role that is no text of a size is an error, and takes no memory.
func TestDoublingRoles(t *testing.T) {
	if _, diags := gdl.Read(doublingRoles(5)); diags.Err() != nil {
		t.Errorf("a role of 64 symbols: %v", diags.Err())
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, diags := gdl.Read(doublingRoles(40))
	runtime.ReadMemStats(&after)
	if err := diags.Err(); p != nil || err == nil || !strings.Contains(err.Error(), "too much work") {
		t.Errorf("%v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
		t.Errorf("%d MB were allocated", took>>20)
	}
}
