package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/player/jobs/jobstest"
	"semisplit/player/tournament"
)

// TestPage plays a tournament whose players have hostile names, and reads its page.
func TestPage(t *testing.T) {
	hostile := `</script><script>alert(1)</script><img src=x onerror=alert(2)>`
	label, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := tournament.ReadSpec(strings.NewReader(`{"name": "a <b>", "players": ["orthodox", {"agent": "random", "label": ` + string(label) + `}],
		"games": ["tictactoe"], "rounds": 1, "setting": {"kind": "iterations", "iterations": 20}}`))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := tournament.Read(spec, ".", games.Load)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tournament.Create(t.TempDir() + "/t.db")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	w := &tournament.Worker{}
	defer w.Close()
	if err := plan.Run(t.Context(), store, tournament.Options{Field: &jobstest.Here{Handlers: w.Handlers()}}); err != nil {
		t.Fatal(err)
	}
	report, err := tournament.Summarize(store)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Of(report, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Rows) != 2 || len(p.Matches) != 2 || p.LeftOut != 0 {
		t.Fatalf("%d rows, %d matches", len(p.Rows), len(p.Matches))
	}
	steps := unpacked(t, p.Matches[0].Moves)
	if len(steps) != p.Matches[0].Steps+1 || steps[0].Moves != nil || len(steps[1].Moves) != 2 || len(steps[1].Notes) == 0 || !strings.Contains(steps[0].Board, ".") {
		t.Errorf("%+v", steps)
	}
	var html bytes.Buffer
	if err := p.Write(&html, [][]byte{[]byte("<svg/>")}); err != nil {
		t.Fatal(err)
	}
	text := html.String()
	if strings.Contains(text, "<img src=x") || strings.Count(text, "<script") != 2 || strings.Contains(text, "<b>") {
		t.Error("a name became HTML")
	}
	for _, want := range []string{"<title>a &lt;b&gt;</title>", "data:image/svg", "script-src &#39;sha256-", "const page"} {
		if !strings.Contains(text, want) && !strings.Contains(text, strings.ReplaceAll(want, "&#39;", "'")) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, never := range []string{"http://", "https://", "//cdn"} {
		if strings.Contains(text, never) {
			t.Errorf("the page names %s", never)
		}
	}
	var markdown, table bytes.Buffer
	if err := report.Markdown(&markdown, nil); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ReplaceAll(markdown.String(), `\<`, ""), "<") {
		t.Error("a name became HTML in Markdown:", markdown.String())
	}
	if err := report.MatchesCSV(&table); err != nil || strings.Count(table.String(), "\n") != 3 {
		t.Errorf("%v\n%s", err, table.String())
	}
}

func unpacked(t *testing.T, text string) (steps []Step) {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(r).Decode(&steps); err != nil {
		t.Fatal(err)
	}
	return steps
}
