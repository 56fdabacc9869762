package search
import ("testing";"time";"sync/atomic")
type timed struct{ *spin; n int; d time.Duration; loadedSum int }
func (e *timed) Step(s *atomic.Bool) ([]uint64, error){ t:=time.Now(); for i := range e.lanes { if e.lanes[i].loaded {e.loadedSum++}}; r,err := e.spin.Step(s); e.d+=time.Since(t); e.n++; return r,err }
func TestZZ(t *testing.T){
 for range 2 { for threads:=1;threads<=2;threads++ {
  a,b := &timed{spin:newSpin(64,60,8000,1)}, &timed{spin:newSpin(64,60,8000,2)}
  es := []Engine{a,b}[:threads]
  tree := New(es,[]int{1,1},Options{Memory:1<<30}); tree.SetRoot([]uint64{0,1})
  r,_ := tree.Search(nil,Budget{Iterations:150000})
  t.Log(threads, r.Elapsed, "A", a.n,a.d, float64(a.loadedSum)/float64(a.n), "B", b.n,b.d, float64(b.loadedSum)/float64(b.n+1), r.MeanLength)
 }}
}
