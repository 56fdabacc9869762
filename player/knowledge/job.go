package knowledge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"semisplit/internal/strictjson"
	"semisplit/player/agent"
	"semisplit/player/choice"
	"semisplit/player/jobs"
	"semisplit/reasoner"
	"semisplit/reasoner/canonical"
)

// KindLearn is the kind of jobs that learn a game, and the group that they are in.
const KindLearn = "learn"

// Lesson says how a game is learned elsewhere.
type Lesson struct {
	Title string        `json:"title"`
	Rules string        `json:"rules"` // hash of the file
	Time  time.Duration `json:"time"`
	Play  time.Duration `json:"play"` // for a move in the matches that this is for
	Seed  uint64        `json:"seed"` // of everything random
}

// Learned is what came of a lesson.
type Learned struct {
	Game   *Game  // of the lesson alone
	Chosen string // the way to play that was best
	Worker string // who learned
	Job    string // its ID among those of KindLearn, by which its outcome stays in the queue
}

// answer is the outcome of a job.
type answer struct {
	Game   json.RawMessage `json:"game"` // as Game.Write writes it
	Chosen string          `json:"chosen"`
	Error  string          `json:"error"` // any other try would come to
}

// lessonMargin is how much longer than its time a lesson may take, beside half of it: its
// rules may be slow to compile, and its machine to stop.
const lessonMargin = 5 * time.Minute

// Elsewhere has a lesson done in a field, with the rules that it is about.
func Elsewhere(ctx context.Context, field jobs.Field, rules string, l Lesson) (Learned, error) {
	hash, err := field.Put(ctx, []byte(rules))
	if err != nil {
		return Learned{}, err
	}
	l.Rules = hash
	payload, err := json.Marshal(l)
	if err != nil {
		return Learned{}, err
	}
	id := jobs.Hash(payload)[:32]
	out, err := field.Do(ctx, jobs.Job{
		Group: KindLearn, ID: id, Kind: KindLearn, Payload: payload, Place: jobs.Anywhere, Limit: l.Time + l.Time/2 + lessonMargin,
	})
	if err != nil {
		return Learned{}, err
	}
	var a answer
	if err := strictjson.Decode(out.Payload, &a); err != nil {
		return Learned{}, fmt.Errorf("knowledge: %w", err)
	}
	if a.Error != "" {
		return Learned{}, fmt.Errorf("%s: %s", out.Worker, a.Error)
	}
	game, err := Parse(strings.NewReader(string(a.Game)))
	return Learned{game, a.Chosen, out.Worker, id}, err
}

// Handlers do the kinds of jobs of this package, each on one thread.
func Handlers() map[string]jobs.Handler { return map[string]jobs.Handler{KindLearn: learn} }

func learn(ctx context.Context, t jobs.Task) ([]byte, error) {
	var l Lesson
	if err := strictjson.Decode(t.Payload, &l); err != nil {
		return nil, err
	}
	rules, err := t.Files.Get(ctx, l.Rules)
	if err != nil {
		return nil, err
	}
	game, chosen, err := l.do(ctx, string(rules))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return json.Marshal(answer{Game: json.RawMessage("null"), Error: err.Error()})
	}
	var text strings.Builder
	if err := game.Write(&text); err != nil {
		return nil, err
	}
	return json.Marshal(answer{Game: json.RawMessage(text.String()), Chosen: chosen})
}

// do learns the game.
func (l *Lesson) do(ctx context.Context, rules string) (g *Game, chosen string, err error) {
	program, diagnostics := reasoner.Read(rules)
	if err := diagnostics.Err(); err != nil {
		return nil, "", err
	}
	form, err := canonical.Of(ctx, program)
	if err != nil {
		return nil, "", err
	}
	base, err := agent.Find("auto")
	if err != nil {
		return nil, "", err
	}
	made, err := choice.Choose(ctx, program, base, reasoner.DefaultLimits, choice.Options{Time: l.Time, Play: l.Play, Threads: 1, Seed: l.Seed, Learn: true})
	if err != nil {
		return nil, "", err
	}
	m := &Memory{form: form, game: &Game{Key: form.Key}, title: l.Title}
	m.take(made, made.Elapsed)
	return m.game, made.Chosen.Name, nil
}
