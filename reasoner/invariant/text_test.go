package invariant

import (
	"fmt"
	"strings"

	"semisplit/reasoner/gdl"
)

// format spells the invariant: keys as k0, k1 ..., values as *.
func (inv *Invariant) format(symbols *gdl.Symbols) string {
	var b strings.Builder
	if b.WriteString("at most one"); inv.Total {
		b.Reset()
		b.WriteString("exactly one")
	}
	for i := range inv.Patterns {
		p := &inv.Patterns[i]
		if len(p.Args) == 0 {
			b.WriteString(" " + symbols.Name(p.Functor))
			continue
		}
		fmt.Fprintf(&b, " (%s", symbols.Name(p.Functor))
		for j := range p.Args {
			switch a := &p.Args[j]; a.Kind {
			case Key:
				fmt.Fprintf(&b, " k%d", a.Key)
			case Value:
				b.WriteString(" *")
			case Constant:
				b.WriteByte(' ')
				writeTerm(&b, &a.Fixed, symbols)
			}
		}
		b.WriteByte(')')
	}
	return b.String()
}

func writeTerm(b *strings.Builder, t *gdl.Term, symbols *gdl.Symbols) {
	if len(t.Args) == 0 {
		b.WriteString(symbols.Name(t.Name))
		return
	}
	b.WriteString("(" + symbols.Name(t.Name))
	for i := range t.Args {
		b.WriteByte(' ')
		writeTerm(b, &t.Args[i], symbols)
	}
	b.WriteByte(')')
}
