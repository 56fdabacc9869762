package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/reasoner"
)

// Summary is what a database shows.
type Summary struct {
	Name, Description string
	Runs              []Run
	Plays             int // asked for: of a game, agent, baseline and setting
	Opening           int
	SPRT              *SPRT
	Tables            []Table // one for each setting and baseline
	Budgets           []Budget
	Failures          []Play
	Agents            []Entrant
	Machines          []MachineUse
	Choices           []ElectedAgent
	Paper             []PaperFigure

	// Of matches over HTTP.
	Cores      int    // of each side; 0: they were played in one process
	PeerFaults int    // turns in which a player of others may be at fault
	LeftOut    []Play // for more than that, or since it was not there
}

// Table holds the series of one setting against one baseline.
type Table struct {
	Setting  Setting
	Baseline string
	Games    []string
	Agents   []string
	Cells    [][]Cell // by agent and game
	Means    []Mean   // by agent
}

// Cell is what one series shows.
type Cell struct {
	Estimate
	Plays               int // that count
	Wins, Draws, Losses int // by score above, at and below one half
	Failed, LeftOut     int
	P                   float64 // see PValue
	Significant         bool    // after Holm's correction over the games of the agent
	Verdict             Verdict
	Ratio               float64      // of the sequential test
	Turns               float64      // mean joint moves of a play
	Agent, Baseline     local.Effort // sums over the plays
	Faults              [2]Faults    // the same, of the agent and the baseline
	Paper               *float64     // what the paper reports, in [0, 1]; nil: nothing
}

// Mean is over the games of an agent.
type Mean struct {
	Estimate
	Games                  int // with scores
	Better, Similar, Worse int
}

// Entrant is an agent or a baseline of an experiment.
type Entrant struct {
	Label string
	File  json.RawMessage // the agent file; null for a player of others
}

// MachineUse tells what an agent played a game on.
type MachineUse struct {
	Game, Agent string
	Machine     reasoner.Variant
}

// Budget is a number of states for each move that was measured.
type Budget struct {
	Game, Setting, Baseline string
	States                  int
}

// Summarize reads a database.
func Summarize(s *Store) (Summary, error) {
	text, err := s.meta("identity")
	if err != nil {
		return Summary{}, err
	}
	if text == "" {
		return Summary{}, errors.New("the database is empty: its run has not begun")
	}
	var id identity
	if err := json.Unmarshal([]byte(text), &id); err != nil {
		return Summary{}, fmt.Errorf("the spec in the database: %w", err)
	}
	for _, g := range id.Games {
		if g.Set < 1 {
			return Summary{}, fmt.Errorf("the spec in the database: %d plays in a set of %s", g.Set, g.Label)
		}
	}
	sum := Summary{Name: id.Name, Opening: id.Opening, SPRT: id.SPRT, Cores: id.Cores}
	if id.PeerFaults != nil {
		sum.PeerFaults = *id.PeerFaults
	}
	if sum.Runs, err = s.runs(); err != nil {
		return sum, err
	}
	if sum.Description, err = s.meta("description"); err != nil {
		return sum, err
	}
	if text, err = s.meta("paper"); err != nil {
		return sum, err
	}
	if text != "" { // which older databases do not have
		if err := json.Unmarshal([]byte(text), &sum.Paper); err != nil {
			return sum, fmt.Errorf("the paper's figures in the database: %w", err)
		}
	}
	number, err := s.meta("plays")
	if err != nil {
		return sum, err
	}
	if sum.Plays, err = strconv.Atoi(number); err != nil {
		return sum, fmt.Errorf("the number of plays in the database: %w", err)
	}
	budgets, err := s.budgets()
	if err != nil {
		return sum, err
	}
	for _, b := range budgets {
		sum.Budgets = append(sum.Budgets, Budget{b.Game, b.Setting, b.Baseline, b.States})
	}
	for _, list := range [][]agentIdentity{id.Agents, id.Baseline} {
		for _, a := range list {
			sum.Agents = append(sum.Agents, Entrant{a.Label, a.Agent})
		}
	}
	if sum.Machines, err = machinesOf(s, id, sum.Agents); err != nil {
		return sum, err
	}
	if sum.Choices, err = s.elections(); err != nil {
		return sum, err
	}
	plays, err := s.Plays()
	if err != nil {
		return sum, err
	}
	sum.count(id, plays)
	return sum, nil
}

// machinesOf lists what is known of the machines, by game and agent.
func machinesOf(s *Store, id identity, agents []Entrant) (list []MachineUse, err error) {
	chosen, err := s.chosen()
	if err != nil {
		return nil, err
	}
	for _, g := range id.Games {
		for _, a := range agents {
			if string(a.File) == "null" {
				continue
			}
			agent, err := agent.Read(bytes.NewReader(a.File))
			if err != nil {
				return nil, fmt.Errorf("agent %s in the database: %w", a.Label, err)
			}
			if have, ok := chosen[chosenKey(g.Label, variantText(agent.Variant()))]; ok {
				list = append(list, MachineUse{g.Label, a.Label, have})
			}
		}
	}
	return list, nil
}

func (sum *Summary) count(id identity, plays []Play) {
	bySeries := map[seriesKey]map[int]Play{}
	for _, p := range plays {
		key := seriesKey{p.Game, p.Setting, p.Baseline, p.Agent}
		if bySeries[key] == nil {
			bySeries[key] = map[int]Play{}
		}
		bySeries[key][p.Number] = p
		switch {
		case p.LeftOut:
			sum.LeftOut = append(sum.LeftOut, p)
		case p.Error != "":
			sum.Failures = append(sum.Failures, p)
		}
	}
	for _, setting := range id.Settings {
		for _, baseline := range id.Baseline {
			t := Table{Setting: setting, Baseline: baseline.Label}
			for _, g := range id.Games {
				t.Games = append(t.Games, g.Label)
			}
			for _, a := range id.Agents {
				if a.same(baseline) {
					continue
				}
				cells := make([]Cell, len(id.Games))
				for i, g := range id.Games {
					key := seriesKey{g.Label, setting.Label(), baseline.Label, a.Label}
					cells[i] = cellOf(bySeries[key], g.Set, id)
					cells[i].Paper = paperScore(sum.Paper, key)
				}
				t.Agents = append(t.Agents, a.Label)
				t.Means = append(t.Means, overGames(cells))
				t.Cells = append(t.Cells, cells)
			}
			if len(t.Agents) > 0 {
				sum.Tables = append(sum.Tables, t)
			}
		}
	}
}

// cellOf sums up a series. Where openings are random, the plays of a set
// share theirs and are not independent: the scores are those of whole sets
// then, and of plays otherwise.
func cellOf(series map[int]Play, perSet int, id identity) Cell {
	c := Cell{P: 1}
	most := math.MaxInt
	if id.SPRT != nil {
		var counted int
		if c.Verdict, c.Ratio, counted = id.SPRT.follow(series, perSet); c.Verdict != Undecided {
			most = counted
		}
	}
	numbers := make([]int, 0, len(series))
	for number := range series {
		if number < most {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	var scores []float64
	sets := map[int][]float64{}
	for _, number := range numbers {
		p := series[number]
		switch {
		case p.LeftOut:
			c.LeftOut++
			continue
		case p.Error != "":
			c.Failed++
			continue
		}
		c.Plays++
		switch {
		case p.Score > 0.5:
			c.Wins++
		case p.Score < 0.5:
			c.Losses++
		default:
			c.Draws++
		}
		c.Turns += float64(p.Turns)
		c.Agent.Join(p.AgentEffort)
		c.Baseline.Join(p.BaseEffort)
		for side := range c.Faults {
			c.Faults[side].join(p.Faults[side])
		}
		scores = append(scores, p.Score)
		sets[number/perSet] = append(sets[number/perSet], p.Score)
	}
	if c.Plays > 0 {
		c.Turns /= float64(c.Plays)
	}
	if id.Opening > 0 {
		scores = wholeSets(sets, perSet)
	}
	c.Estimate, c.P = MeanOf(scores), PValue(scores)
	return c
}

// wholeSets are the mean scores of the sets that are complete, in order.
func wholeSets(sets map[int][]float64, perSet int) (means []float64) {
	numbers := make([]int, 0, len(sets))
	for set, scores := range sets {
		if len(scores) == perSet {
			numbers = append(numbers, set)
		}
	}
	slices.Sort(numbers)
	for _, set := range numbers {
		sum := 0.0
		for _, score := range sets[set] {
			sum += score
		}
		means = append(means, sum/float64(perSet))
	}
	return means
}

// overGames is the mean over the games that have scores, and marks the cells
// that stay significant.
func overGames(cells []Cell) (m Mean) {
	var estimates []Estimate
	var p []float64
	var which []int
	for i, c := range cells {
		if c.N == 0 {
			continue
		}
		estimates, p, which = append(estimates, c.Estimate), append(p, c.P), append(which, i)
		switch c.Standing() {
		case Better:
			m.Better++
		case Worse:
			m.Worse++
		default:
			m.Similar++
		}
	}
	for i, significant := range Holm(p, 1-Level) {
		cells[which[i]].Significant = significant
	}
	m.Estimate, m.Games = MeanOverGames(estimates), len(estimates)
	return m
}
