package board_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"semisplit/ggp/board"
)

// TestDocs: the examples in the documentation can be read, and what an error
// says of the keys and colours that there are is said there as well.
func TestDocs(t *testing.T) {
	content, err := os.ReadFile("../../docs/drawings.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	examples := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(text, -1)
	if len(examples) == 0 {
		t.Error("there are no examples")
	}
	for _, example := range examples {
		if _, err := board.Parse(example[1]); err != nil {
			t.Errorf("%v in the example\n%s", err, example[1])
		}
	}
	for _, wrong := range []string{`{"unknown": 1}`, `{"pieces": {"x": {"letter": "x", "color": "unknown"}}}`} {
		_, err := board.Parse(wrong)
		if err == nil {
			t.Fatalf("%s was read", wrong)
		}
		_, list, _ := strings.Cut(err.Error(), "unknown")
		_, list, _ = strings.Cut(list, "are ")
		for _, word := range regexp.MustCompile(`[a-z_]{3,}`).FindAllString(list, -1) {
			if word != "alone" && !strings.Contains(text, word) {
				t.Errorf("%s is not in docs/drawings.md", word)
			}
		}
	}
}
