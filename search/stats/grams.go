package stats

import (
	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/table"
)

// grams are statistics of sequences of joint moves (N-gram Average Sampling
// Technique), by a hash of the sequence. Two sequences with the same 64 bits are
// taken for one.
type grams struct {
	table.Of[Average]
	learner *Learner

	before [][2]uint64 // by lane: keys of the joint moves played last; nil: playouts do not follow

	keys          []uint64 // of the sequences up to the choice at hand, by length; none without before
	joint, finest []uint32 // scratch
}

func newGrams(n *Learner) *grams {
	if n.Mast.NGram <= 1 {
		return nil
	}
	g := &grams{learner: n}
	if _, steers := n.engine.(engine.Steerer); steers && n.Trace.Keeps() {
		g.before = make([][2]uint64, n.engine.Lanes())
	}
	return g
}

// gramLimit bounds the sequences, 32 bytes each with their places. What comes later has no
// statistics.
const gramLimit = 1 << 20

// find is the statistic of a sequence; nil if it was never met.
func (g *grams) find(key uint64) *Average {
	if n := g.Find(key); n != 0 {
		return g.At(n)
	}
	return nil
}

// add is find, but makes the statistic; nil if there are too many.
func (g *grams) add(key uint64) *Average {
	n := g.Find(key)
	if n == 0 {
		if g.Len() >= gramLimit {
			return nil
		}
		n = g.Add(key)
	}
	return g.At(n)
}

func (g *grams) decay(factor float64) {
	for n := range g.Len() {
		g.At(uint32(n + 1)).decay(factor)
	}
}

// then is the key of a label of a role at a level, after what has that key.
func then(key uint64, role, level int, label uint32) uint64 {
	return hashing.Of(key ^ uint64(role)<<48 ^ uint64(level)<<40 ^ uint64(label))
}

// after are the keys of the last joint move and of the last two, once another
// one is played.
func after(before [2]uint64, joint []uint32) [2]uint64 {
	key := uint64(1)
	for _, x := range joint {
		key = hashing.Of(key ^ uint64(x))
	}
	if before[0] == 0 {
		return [2]uint64{key, 0}
	}
	return [2]uint64{key, hashing.Of(before[0]*3 ^ key)}
}

// record adds the joint moves of an iteration.
func (g *grams) record(goals []float64) {
	n := g.learner
	var before [2]uint64
	for joints := n.Joints; len(joints) > 0; joints = joints[n.Stride:] {
		joint := joints[:n.Stride]
		for r, levels := range n.spaces {
			g.recordMove(r, joint[:levels], before, goals[r])
			joint = joint[levels:]
		}
		before = after(before, joints[:n.Stride])
	}
}

// recordMove adds the move of a role that came after the last joint move, and
// after the last two, with these keys (0: there were none).
func (g *grams) recordMove(role int, labels []uint32, before [2]uint64, goal float64) {
	m := g.learner.Mast
	for _, key := range before[:m.NGram-1] {
		if key == 0 {
			return
		}
		for level, label := range labels {
			key = then(key, role, level, label)
			if s := g.add(key); s != nil {
				m.sample(s, goal)
			}
		}
	}
}

// left forgets what a lane has played: that is of another line.
func (g *grams) left(lane int) {
	if g.before != nil {
		g.before[lane] = [2]uint64{}
	}
}

// played brings the keys of the lanes that moved up to date.
func (g *grams) played(moved []uint64) {
	if g.before == nil {
		return
	}
	tr := &g.learner.Trace
	choices := tr.tracer.Choices()
	bitsOf(moved, func(lane uint32) {
		g.before[lane] = g.keysAfter(g.before[lane], choices[int(lane)*tr.words:][:tr.words])
	})
}

// keysAfter is after, for a joint move in a trace.
func (g *grams) keysAfter(before [2]uint64, row []uint64) [2]uint64 {
	n := g.learner
	g.joint, g.finest = g.joint[:0], g.finest[:0]
	for _, f := range n.Trace.fields {
		g.joint = append(g.joint, uint32(row[f.word]>>f.shift&f.mask))
	}
	rest := g.joint
	for r := range n.encodings {
		of := &n.encodings[r]
		g.finest = of.AppendFinest(g.finest, rest[:of.EngineLevels])
		rest = rest[of.EngineLevels:]
	}
	return after(before, g.finest)
}

// choose finds the keys of the sequences that led to the state in which a lane
// chooses, and go on with a path. An engine may choose at the end of a Step, before it was
// noted, or at the beginning of the next.
func (g *grams) choose(lane, role int, path []uint32) {
	g.keys = g.keys[:0]
	if g.before == nil {
		return
	}
	n := g.learner
	tr := &n.Trace
	row := tr.tracer.Choices()[lane*tr.words:][:tr.words]
	before := g.keysAfter(g.before[lane], row)
	if before[0] == g.before[lane][0] {
		before = g.before[lane]
	}
	for _, key := range before[:n.Mast.NGram-1] {
		g.keys = append(g.keys, along(key, role, path))
	}
}

// along is then, for a path of labels from the first level on; 0 after 0.
func along(key uint64, role int, path []uint32) uint64 {
	for level, label := range path {
		if key != 0 {
			key = then(key, role, level, label)
		}
	}
	return key
}

// score is the mean of a score with those of the sequences that end with a semimove of the
// engine.
func (g *grams) score(score float64, role, level int, semimove uint32) float64 {
	divided := g.learner.encodings[role].Divided
	if divided == nil {
		return g.mean(score, role, level, g.keys, semimove)
	}
	labels := divided(semimove)
	last := len(labels) - 1
	keys := [2]uint64{}
	for i, key := range g.keys {
		keys[i] = along(key, role, labels[:last])
	}
	return g.mean(score, role, last, keys[:len(g.keys)], labels[last])
}

// mean is that of a score with those of the sequences with these keys, by length, once
// they go on with a label.
func (g *grams) mean(score float64, role, level int, keys []uint64, label uint32) float64 {
	n := 1.0
	for _, key := range keys {
		if key == 0 {
			break
		}
		if s := g.find(then(key, role, level, label)); s != nil && s.N >= g.learner.Mast.NGramThreshold {
			score += s.score()
			n++
		}
	}
	return score / n
}
