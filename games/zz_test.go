package games_test
import ("testing";"fmt";"time";"semisplit/games")
func TestZZ(t *testing.T){ for _,n:=range games.Names(){ b:=time.Now(); m:=machines(t,n)[1]; su:=time.Since(b)
 v:=view(m); _=v
 e:=m.NewEngine(1); L:=e.Lanes(); for i:=range L {e.Load(i,m.Initial(),nil)}
 b=time.Now(); st,po:=0,0; g:=make([]float64,len(m.Roles())); sum:=make([]float64,len(g))
 for time.Since(b)<time.Second { end,err:=e.Step(nil); if err!=nil{t.Fatal(err)}; st+=L
  for i:=range L { if end[i/64]>>(i%64)&1!=0 { po++; e.Goals(i,g); for k:=range g{sum[k]+=g[k]}; e.Load(i,m.Initial(),nil)} } }
 for k:=range sum{sum[k]/=float64(po)}
 fmt.Println(n,m.(interface{Gates() int}).Gates(),"gates setup",su,st,"states/s len",float64(st)/float64(po),sum)
}}
