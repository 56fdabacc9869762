package protocol

import (
	"strings"
	"testing"
)

// Each row of the table of messages says what the way from the wire to the player needs:
// one name, which leads back to it; arguments where a match or moves stand in them; and
// either an opening that says all, or a reply to those that are not wanted, or neither.
func TestKinds(t *testing.T) {
	for i, row := range kinds {
		kind := Kind(i)
		if row.name == "" || row.name != strings.ToUpper(row.name) || kind.String() != row.name {
			t.Errorf("kind %d has the name %q and prints as %s", i, row.name, kind)
		}
		if got := kindOf(row.name); got != kind {
			t.Errorf("%s is read as %s", row.name, got)
		}
		if got := kindOf(strings.ToLower(row.name)); got != kind && kind != KindInfo {
			t.Errorf("%s in lower case is read as %s", row.name, got)
		}
		if (row.match || row.moves || row.rules) && row.parse == nil || row.moves && !row.match {
			t.Errorf("%s has arguments that nothing reads", row.name)
		}
		if row.brief && row.refused != "" {
			t.Errorf("%s is always answered by its opening, and refused as well", row.name)
		}
		if row.brief && (row.moves || row.rules) {
			t.Errorf("%s brings what its opening does not have", row.name)
		}
	}
	if got := Kind(len(kinds)).String(); got != "UNKNOWN" {
		t.Errorf("a kind beyond the table prints as %s", got)
	}
}
