package protocol

import (
	"context"
	"strings"
	"time"

	"semisplit/kif"
)

// Answer reads a message that came by another way than a Server's, in infix or
// in KIF, and asks the player, unless the message's opening suffices. The
// answer is in the notation of the message.
func Answer(ctx context.Context, p Player, content string, received time.Time) (text string, m Message, err error) {
	text, m, inInfix, err := answerContent(ctx, p, content, received)
	if err != nil {
		return "", m, err
	}
	if t, err := kif.ParseTerm(text); inInfix && err == nil {
		text = infix(t)
	}
	return text, m, nil
}

func answerContent(ctx context.Context, p Player, content string, received time.Time) (text string, m Message, inInfix bool, err error) {
	limits := ServerOptions{}.withDefaults()
	o, ok := contentOpening(content)
	if limit := o.limit(&limits); int64(len(content)) > limit {
		return "", m, false, bad("%d bytes: at most %d", len(content), limit)
	}
	if ok && o.suffices(p) {
		m, text = o.message()
		inInfix = !inKIF(content)
	} else if m, inInfix, err = parseContent(content); err != nil {
		return "", m, inInfix, err
	}
	if text == "" {
		text, err = dispatch(ctx, p, m, received, int(limits.TurnLimit))
	}
	return text, m, inInfix, err
}

// inKIF tells which notation a message is in.
func inKIF(text string) bool { return text == "" || strings.HasPrefix(text, "(") }

// contentOpening reads the opening of a message in either notation.
func contentOpening(text string) (o opening, ok bool) {
	if inKIF(text) {
		o, ok, _ = readOpening(text)
		return o, ok
	}
	return infixOpening(text)
}

// parseContent reads a message in either notation.
func parseContent(text string) (m Message, inInfix bool, err error) {
	if inKIF(text) {
		m, err = ParseMessage(text)
		return m, false, err
	}
	t, err := parseInfix(text)
	switch {
	case err != nil:
		return Message{}, true, err
	case !t.IsList():
		return parseBare(t.Name), true, nil
	case len(t.Items) == 0 || t.Items[0].IsList():
		return Message{}, true, bad("a message begins with its name, such as play")
	}
	m, err = parseNamed(t.Items[0].Name, t.Items[1:])
	return m, true, err
}
