package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/protocol"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// Plan is a spec whose games and agents have been read.
type Plan struct {
	Spec      Spec
	Games     []Game
	Agents    []Contender
	Baselines []Contender
}

// Game is a game of a Plan.
type Game struct {
	Label   string
	Program *gdl.Program
	Source  games.Game // with the text of the rules
	rules   []kif.Term
	Sum     string            // SHA-256 of the rules, hexadecimal
	players []int             // roles that agents play
	plays   [][]local.Seating // of a set
}

// Contender is an agent of a Plan, or a player of others.
type Contender struct {
	Label string
	Agent agent.Agent
	Peer  *Peer // nil: an agent
}

// same tells whether two contenders play alike.
func (c Contender) same(d Contender) bool {
	return reflect.DeepEqual(c.Agent, d.Agent) && reflect.DeepEqual(c.Peer, d.Peer)
}

// Read loads the agents of a spec, whose paths are relative to dir, and the games, which load
// finds by their names, addresses of the web among them.
func Read(spec Spec, dir string, load func(name string) (games.Game, error)) (*Plan, error) {
	p := &Plan{Spec: spec}
	var err error
	if p.Games, err = ReadGames(spec.Games, dir, load); err != nil {
		return nil, err
	}
	if p.Agents, err = ReadContenders(spec.Agents, dir); err != nil {
		return nil, err
	}
	if p.Baselines, err = ReadContenders(spec.Baselines, dir); err != nil {
		return nil, err
	}
	if err := p.checkLabels(); err != nil {
		return nil, err
	}
	var settings []string
	for _, s := range spec.Settings {
		if slices.Contains(settings, s.Label()) {
			return nil, fmt.Errorf("two settings are the same: %s", s.Label())
		}
		settings = append(settings, s.Label())
	}
	if len(p.series()) == 0 {
		return nil, errors.New("nothing to play: the agents are the baselines")
	}
	return p, p.checkPaper()
}

// checkLabels refuses a label that means one player among the agents and another one among
// the baselines. Automatic choices are kept, and players of others found, by labels alone.
func (p *Plan) checkLabels() error {
	for _, b := range p.Baselines {
		for _, a := range p.Agents {
			if a.Label == b.Label && !a.same(b) {
				return fmt.Errorf(`%q names an agent and another player among the baselines: give one a "label" of its own (a player of others: a "name")`, a.Label)
			}
		}
	}
	return nil
}

// ReadGames reads the games of a spec, whose paths are relative to dir; load finds them
// by their names.
func ReadGames(entries []GameEntry, dir string, load func(name string) (games.Game, error)) (list []Game, err error) {
	labels := map[string]bool{}
	for _, entry := range entries {
		g, err := readGame(entry, dir, load)
		if err != nil {
			return nil, err
		}
		if err := newLabel(labels, g.Label); err != nil {
			return nil, fmt.Errorf("game %s: %w", entry.Game, err)
		}
		list = append(list, g)
	}
	return list, nil
}

// newLabel takes a label into use.
func newLabel(labels map[string]bool, label string) error {
	switch {
	case label == "" || strings.ContainsAny(label, "|\x00\r\n"):
		return fmt.Errorf(`%q does not fit into a table: give it a "label"`, label)
	case labels[label]:
		return fmt.Errorf(`%q is the label of another one too: give it a "label" of its own`, label)
	}
	labels[label] = true
	return nil
}

func readGame(entry GameEntry, dir string, load func(name string) (games.Game, error)) (Game, error) {
	name, err := expand(entry.Game)
	if err != nil {
		return Game{}, fmt.Errorf("game %s: %w", entry.Game, err)
	}
	if isPath(name, ".kif", ".gdl") && !strings.Contains(name, "://") {
		name = within(dir, name)
	}
	game, err := load(name)
	if err != nil {
		return Game{}, err
	}
	program, diagnostics := reasoner.Read(game.Rules)
	rules, err := kif.Parse(game.Rules)
	if err = errors.Join(diagnostics.Err(), err); err != nil {
		return Game{}, fmt.Errorf("game %s cannot be played: %w", entry.Game, err)
	}
	sum := sha256.Sum256([]byte(game.Rules))
	g := Game{Label: entry.Label, Program: program, Source: game, rules: rules, Sum: hex.EncodeToString(sum[:])}
	roles := make([]string, len(program.Roles))
	for i, role := range program.Roles {
		roles[i] = program.Symbols.Name(role.Name)
	}
	if g.players = local.PlayersOf(roles); len(g.players) == 0 {
		return Game{}, fmt.Errorf("game %s has no role to play", entry.Game)
	}
	g.plays = local.Seatings(roles)
	if g.Label == "" {
		g.Label = game.Name
	}
	return g, nil
}

// ReadContenders reads the agents and players of a spec, whose paths are relative to dir.
func ReadContenders(entries []AgentEntry, dir string) (list []Contender, err error) {
	labels := map[string]bool{}
	for _, entry := range entries {
		contenders, err := readAgent(entry, dir)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", entry.Agent+entry.Name, err)
		}
		for _, c := range contenders {
			if err := newLabel(labels, c.Label); err != nil {
				return nil, fmt.Errorf("agent %s: %w", entry.Agent+entry.Name, err)
			}
			list = append(list, c)
		}
	}
	return list, nil
}

func readAgent(entry AgentEntry, dir string) ([]Contender, error) {
	if entry.Name != "" {
		return readPeer(entry, dir)
	}
	name, err := expand(entry.Agent)
	if err != nil {
		return nil, err
	}
	if name = strings.TrimPrefix(name, "agent:"); isPath(name, ".json") {
		name = within(dir, name)
	}
	agent, err := agent.Find(name)
	if err != nil {
		return nil, err
	}
	for _, key := range sortedKeys(entry.Set) {
		if agent, err = changed(agent, key, entry.Set[key]); err != nil {
			return nil, err
		}
	}
	label := entry.Label
	if label == "" {
		label = agent.Name
	}
	if entry.Vary == nil {
		return []Contender{{Label: label, Agent: agent}}, nil
	}
	var list []Contender
	for _, value := range entry.Vary.Values {
		variant, err := changed(agent, entry.Vary.Key, value)
		if err != nil {
			return nil, err
		}
		short := entry.Vary.Key[strings.LastIndex(entry.Vary.Key, ".")+1:]
		list = append(list, Contender{Label: fmt.Sprintf("%s %s=%v", label, short, value), Agent: variant})
	}
	return list, nil
}

// readPeer reads a player of others. Its command runs in the folder of the
// spec.
func readPeer(entry AgentEntry, dir string) ([]Contender, error) {
	p := entry.Peer
	if p.dir == "" {
		p.dir = dir
	}
	if p.URL != "" {
		if _, err := protocol.ParseRemote(p.URL); err != nil {
			return nil, err
		}
	}
	return []Contender{{Label: entry.Name, Peer: &p}}, nil
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// changed is the agent with another value for a key of its file, such as
// algorithm.parameters.iterations or heuristics.0.parameters.epsilon. What
// results is checked like a file.
func changed(a agent.Agent, key string, value any) (agent.Agent, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return a, err
	}
	var file map[string]any
	if err := json.Unmarshal(text, &file); err != nil {
		return a, err
	}
	var whole any = file
	at := whole
	steps := strings.Split(key, ".")
	for i, step := range steps {
		last := i == len(steps)-1
		switch inner := at.(type) {
		case map[string]any:
			if last {
				inner[step] = value
			}
			at = inner[step]
		case []any:
			var index int
			if _, err := fmt.Sscanf(step, "%d", &index); err != nil || index < 0 || index >= len(inner) {
				return a, fmt.Errorf("key %s: the list has %d entries, and %q is none of them", key, len(inner), step)
			}
			if last {
				inner[index] = value
			}
			at = inner[index]
		default:
			return a, fmt.Errorf("key %s: there is nothing below %s", key, strings.Join(steps[:i], "."))
		}
	}
	if text, err = json.Marshal(whole); err != nil {
		return a, err
	}
	b, err := agent.Read(strings.NewReader(string(text)))
	if err != nil {
		return a, fmt.Errorf("with %s = %v: %w", key, value, err)
	}
	return b, nil
}

// expand replaces $NAME and ${NAME} by variables of the environment.
func expand(name string) (string, error) {
	var missing []string
	path := os.Expand(name, func(variable string) string {
		value, ok := os.LookupEnv(variable)
		if !ok {
			missing = append(missing, variable)
		}
		return value
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("the environment has no variable %s", strings.Join(missing, ", "))
	}
	return path, nil
}

// isPath tells paths from bundled names.
func isPath(name string, extensions ...string) bool {
	return strings.ContainsAny(name, `/\`) || slices.Contains(extensions, strings.ToLower(filepath.Ext(name)))
}

// within is a path relative to a folder. It has a separator, so that it is no
// bundled name.
func within(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	if path := filepath.Join(dir, name); filepath.Base(path) != path {
		return path
	}
	return "." + string(filepath.Separator) + name
}

// series are what is played, in order: games first.
func (p *Plan) series() []seriesKey {
	var list []seriesKey
	for game := range p.Games {
		for setting := range p.Spec.Settings {
			for _, b := range p.Baselines {
				for _, a := range p.Agents {
					if !a.same(b) {
						list = append(list, seriesKey{p.Games[game].Label, p.Spec.Settings[setting].Label(), b.Label, a.Label})
					}
				}
			}
		}
	}
	return list
}

// seriesKey names the plays of an agent against a baseline, by labels.
type seriesKey struct{ Game, Setting, Baseline, Agent string }
