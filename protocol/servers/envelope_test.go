package servers

import (
	"errors"
	"semisplit/protocol"
	"testing"
)

// FuzzEnvelope: an envelope is read or refused.
func FuzzEnvelope(f *testing.F) {
	for _, s := range []string{
		"message(1,a,b,info())", "message(1,a,b,(PLAY m (a b)))", "message(1,a,b,play(m,[mark(1,1),noop]))",
		"message(1,a,b,start(m,r,[p(X) :- ~q(X)],1,1))", "message(,,,)", "message((((",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parseEnvelope(text)
		if err != nil && !errors.Is(err, protocol.ErrMessage) {
			t.Fatalf("the error %v is none of ours", err)
		}
		if err == nil && (e.id == "" || e.sender == "" || e.recipient == "") {
			t.Errorf("%q: a part is missing: %+v", text, e)
		}
	})
}
