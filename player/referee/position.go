package referee

import (
	"strings"

	"semisplit/kif"
)

// FromState is the description of the game that begins with a state of the game
// of the rules: what they say of the beginning is replaced, and all else stays.
// So a player can be told of a match in its middle by the START of another one.
func FromState(rules, state []kif.Term) []kif.Term {
	from := make([]kif.Term, 0, len(rules)+len(state))
	for _, rule := range rules {
		if !saysInit(rule) {
			from = append(from, rule)
		}
	}
	for _, fluent := range state {
		from = append(from, kif.List(kif.Symbol("init"), fluent))
	}
	return from
}

// saysInit tells whether a fact or the head of a rule is about the initial state.
func saysInit(rule kif.Term) bool {
	if len(rule.Items) >= 2 && rule.Items[0].IsSymbol() && rule.Items[0].Name == "<=" {
		rule = rule.Items[1]
	}
	return len(rule.Items) == 2 && rule.Items[0].IsSymbol() && strings.EqualFold(rule.Items[0].Name, "init")
}
