package servers

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"semisplit/protocol"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
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

// asked polls a server that always does the same, and tells of each question.
func asked(t *testing.T, pause time.Duration, serve http.HandlerFunc) <-chan struct{} {
	questions := make(chan struct{}, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodGet {
			questions <- struct{}{}
		}
		serve(w, req)
	}))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Poll(ctx, &moody{asked: 1}, PollOptions{
			Get: server.URL, Put: server.URL, Name: "Far", Pause: pause, Web: NewWeb(WebOptions{Idle: 20 * time.Millisecond}),
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return questions
}

// What is no new message is no reason to ask for the next at once.
func TestPollPauses(t *testing.T) {
	for _, text := range []string{"none", "message(1,manager,Other,info)", "message(1,manager,Far,info)"} {
		t.Run(text, func(t *testing.T) {
			answered := make(chan struct{}, 10)
			questions := asked(t, time.Hour, func(w http.ResponseWriter, req *http.Request) {
				if req.Method == http.MethodPost {
					answered <- struct{}{}
					return
				}
				fmt.Fprint(w, text)
			})
			<-questions
			if strings.Contains(text, "Far") {
				<-questions // the first time it is new
				<-answered
			}
			select {
			case <-questions:
				t.Error("asked once more without a pause")
			case <-time.After(50 * time.Millisecond):
			}
		})
	}
}

// A server that holds the question until there is a message is asked on as often.
func TestPollBearsSilence(t *testing.T) {
	questions := asked(t, time.Millisecond, func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() })
	late := time.After(time.Minute)
	for n := range 20 { // with pauses that double the last would be of nine minutes
		select {
		case <-questions:
		case <-late:
			t.Fatalf("asked %d times in a minute", n)
		}
	}
}
