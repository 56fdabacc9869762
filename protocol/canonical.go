package protocol

import (
	"fmt"
	"semisplit/protocol/internal/untrusted"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// canonicalJSON is the text of a document that signatures are over: keys
// sorted, no white space, strings and numbers as Java's org.json writes them,
// without one key of the outermost object. An object with a key twice has no
// such form, since its readers would disagree on what was signed.
func canonicalJSON(data []byte, without string) (string, error) {
	doc, err := untrusted.ParseJSON(data)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = writeCanonical(&b, doc, without)
	return b.String(), err
}

// writeCanonical recurses no deeper than untrusted.ParseJSON admits.
func writeCanonical(b *strings.Builder, v gjson.Result, without string) error {
	switch {
	case v.IsObject():
		return writeObject(b, v, without)
	case v.IsArray():
		b.WriteByte('[')
		for i, item := range v.Array() {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeCanonical(b, item, ""); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case v.Type == gjson.String:
		writeQuoted(b, v.String())
	case v.Type == gjson.Number:
		b.WriteString(canonicalNumber(v.Raw))
	default:
		b.WriteString(v.Raw) // true, false, null
	}
	return nil
}

func writeObject(b *strings.Builder, v gjson.Result, without string) error {
	values := map[string]gjson.Result{}
	var keys []string
	var err error
	v.ForEach(func(key, value gjson.Result) bool {
		name := key.String()
		if _, twice := values[name]; twice {
			err = fmt.Errorf("the key %q stands twice in an object", untrusted.PlainText(name, 40))
			return false
		}
		values[name] = value
		if name != without || without == "" {
			keys = append(keys, name)
		}
		return true
	})
	if err != nil {
		return err
	}
	slices.Sort(keys)
	b.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		writeQuoted(b, key)
		b.WriteByte(':')
		if err := writeCanonical(b, values[key], ""); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// canonicalNumber drops zeros at the end of a fraction: 1.0 is 1, 0.50 is 0.5.
func canonicalNumber(raw string) string {
	if strings.Contains(raw, ".") && !strings.ContainsAny(raw, "eE") {
		raw = strings.TrimRight(strings.TrimRight(raw, "0"), ".")
	}
	return raw
}

// writeQuoted writes a string as org.json does: a slash after "<" is escaped,
// and so are the control characters of Unicode's first blocks.
func writeQuoted(b *strings.Builder, text string) {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`}
	b.WriteByte('"')
	before := rune(0)
	for _, c := range text {
		switch escape, found := short[c]; {
		case found:
			b.WriteString(escape)
		case c == '/' && before == '<':
			b.WriteString(`\/`)
		case c < ' ' || c >= 0x80 && c < 0xa0 || c >= 0x2000 && c < 0x2100:
			fmt.Fprintf(b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
		before = c
	}
	b.WriteByte('"')
}
