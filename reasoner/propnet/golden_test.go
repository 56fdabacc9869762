package propnet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// lamps is a game of two lamps, for one player in two levels: first which
// lamp, then on or off, of which only the change is offered. It ends when
// both are on, or when the player is stuck.
func lamps(t *testing.T) *Net {
	n := &Net{Terms: gdl.NewStore(gdl.NewSymbols())}
	term := func(s string) gdl.TermID {
		parsed, err := kif.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return n.Terms.FromKIF(parsed[0])
	}
	b := NewBuilder(7)
	in := func(i int) Node { return b.Input(i) }
	lit := []Node{in(0), in(1)}
	which, state, movable := []Node{in(2), in(3)}, []Node{in(4), in(5)}, in(6)
	n.Fluents = []gdl.TermID{term("(lit a)"), term("(lit b)")}
	n.Initial = []bool{true, false}
	now := b.Or(b.And(which[0], lit[0]), b.And(which[1], lit[1]))
	for i := range lit {
		touched := b.And(which[i], b.Or(state...))
		n.Next = append(n.Next, b.Or(b.And(which[i], state[0]), b.And(lit[i], b.Not(touched))))
	}
	both := b.And(lit...)
	n.Terminal = b.Or(both, b.Not(movable))
	n.Roles = []Role{{
		Name: term("player"),
		Levels: []Level{
			{Codes: []gdl.TermID{term("(switch a _)"), term("(switch b _)")}, Offer: []Node{True, b.Not(lit[1])}, Select: which},
			{Codes: []gdl.TermID{term("(switch _ on)"), term("(switch _ off)")}, Offer: []Node{b.Not(now), now}, Select: state},
		},
		Goals:        []Goal{{100, both}, {0, b.Not(both)}},
		HasLegalMove: movable,
	}}
	out := b.Finish(n)
	if err := out.Check(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestGolden holds the dumps of a small game against files; renew them with
// -rewrite.
func TestGolden(t *testing.T) {
	datadriven.RunTest(t, "testdata/lamps.txt", func(t *testing.T, d *datadriven.TestData) string {
		n := lamps(t)
		if d.HasArg("optimized") {
			n = Optimize(context.Background(), n)
		}
		var out bytes.Buffer
		switch d.Cmd {
		case "text":
			out.WriteString(n.String())
		case "stats":
			fmt.Fprintln(&out, n.Stats())
			for _, c := range n.Cones() {
				fmt.Fprintln(&out, c)
			}
		case "dot":
			o := DotOptions{}
			d.MaybeScanArgs(t, "limit", &o.Limit)
			o.Cone = strings.TrimSpace(d.Input)
			if err := WriteDot(&out, n, o); err != nil {
				return err.Error()
			}
		default:
			d.Fatalf(t, "unknown command %s", d.Cmd)
		}
		return out.String()
	})
}

func TestTooLargeToDraw(t *testing.T) {
	var out bytes.Buffer
	err := WriteDot(&out, lamps(t), DotOptions{Limit: 5})
	if !errors.Is(err, ErrTooLarge) || out.Len() > 0 {
		t.Errorf("error %v after %d bytes", err, out.Len())
	}
}
