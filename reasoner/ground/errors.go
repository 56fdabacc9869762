package ground

import "errors"

// ErrLimit is wrapped, with what was exceeded, by the errors of games that
// grow past their Limits.
var ErrLimit = errors.New("ground: limit exceeded")

// unwind is thrown where terms grow too large or the context has ended, from
// deep inside what has no other way to fail.
type unwind struct{ err error }

var errPostpone = errors.New("ground: static relation too large")
