package servers

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"semisplit/protocol"
	"slices"
	"sync"
	"testing"
)

// moody breaks down when it is asked for the first time.
type moody struct {
	protocol.Player
	mu    sync.Mutex
	asked int
}

func (m *moody) Info() (name, status string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asked++; m.asked == 1 {
		panic("not in the mood")
	}
	return "moody", fmt.Sprintf("asked%d", m.asked)
}

// A message that was given no answer is heard when it comes again; one that was
// gets the same answer again, and the player is left alone.
func TestPollHearsRepeats(t *testing.T) {
	var mu sync.Mutex
	var posted []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		text, _ := io.ReadAll(req.Body)
		mu.Lock()
		defer mu.Unlock()
		posted = append(posted, req.URL.Query().Get("msgid")+" "+string(text))
	}))
	defer server.Close()
	player := &moody{}
	p, err := newPoller(player, PollOptions{Get: server.URL, Put: server.URL, Name: "Far"})
	if err != nil {
		t.Fatal(err)
	}
	// hear says a message and returns what has been posted, once all is quiet.
	hear := func(id string) []string {
		p.hear(t.Context(), "message("+id+",manager,Far,info)")
		p.work.Wait()
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(posted)
	}
	if got := hear("1"); len(got) != 0 || len(p.order) != 0 || len(p.known) != 0 {
		t.Errorf("after a panic: %q; known %v, %v", got, p.order, p.known)
	}
	if got := hear("1"); player.asked != 2 || len(got) != 1 {
		t.Errorf("the message came again: %q", got)
	}
	if got := hear("1"); player.asked != 2 || len(got) != 2 || got[0] != got[1] {
		t.Errorf("the message came once more: %q", got)
	}

	for range pollAtOnce {
		p.places <- struct{}{}
	}
	if got := hear("2"); len(got) != 2 {
		t.Errorf("without a place: %q", got)
	}
	if hear("1"); p.known["manager 1"] == nil {
		t.Error("without a place an answer was forgotten")
	}
	for range pollAtOnce {
		<-p.places
	}
	if got := hear("2"); player.asked != 3 || len(got) != 3 {
		t.Errorf("there is a place again: %q", got)
	}
}
