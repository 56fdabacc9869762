package player
import ("testing";"time";"sync/atomic";"semisplit/reasoner")
func TestZZ(t *testing.T) {
	for _, name := range []string{"breakthrough","connectfour","skirmish","knightthrough"} {
	p := bundled(t, name)
	m, err := reasoner.Build(t.Context(), p, reasoner.Variant{Engine:"lanes",Plan:"orthodox",Lanes:512}, reasoner.DefaultLimits)
	if err != nil { t.Fatal(err) }
	f := newFeatures(m, p)
	t0 := time.Now()
	var stop atomic.Bool
	s, err := samplePlayouts(m, 1, 20000, &stop)
	if err != nil { t.Fatal(err) }
	t1 := time.Now()
	e := learn(f, m.Roles(), s, 1, time.Now().Add(60*time.Second))
	t.Log(name, len(f.names)-f.bits, "patterns", len(s), "samples", t1.Sub(t0), "learned in", time.Since(t1), e.Quality, e.Skill())
	for _, x := range e.Features { t.Log("  ", x.Role, x.Feature, x.Weight) }
	}
}
