package ground

import (
	"fmt"
	"strings"

	"semisplit/reasoner/gdl"
)

// format spells the invariant: keys as k0, k1 ..., values as *.
func (inv *invariant) format(symbols *gdl.Symbols) string {
	var b strings.Builder
	if b.WriteString("at most one"); inv.total {
		b.Reset()
		b.WriteString("exactly one")
	}
	for i := range inv.patterns {
		p := &inv.patterns[i]
		if len(p.args) == 0 {
			b.WriteString(" " + symbols.Name(p.functor))
			continue
		}
		fmt.Fprintf(&b, " (%s", symbols.Name(p.functor))
		for j := range p.args {
			switch a := &p.args[j]; a.role {
			case argKey:
				fmt.Fprintf(&b, " k%d", a.key)
			case argValue:
				b.WriteString(" *")
			case argConstant:
				b.WriteByte(' ')
				writeTerm(&b, &a.fixed, symbols)
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
