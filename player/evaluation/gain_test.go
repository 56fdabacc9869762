package evaluation

import "testing"

// Shapes pay by a gain that is large, and beyond chance.
func TestShapesPay(t *testing.T) {
	good := Gain{Before: 0.2, After: 0.19, Deviation: 0.004, Positions: 1000, Matches: 50}
	if !(ShapeGain{Gain: good}).Pays() {
		t.Errorf("%+v does not pay", good)
	}
	for what, change := range map[string]func(g *Gain){
		"small": func(g *Gain) { g.Before, g.Deviation = 0.191, 0 }, "chance": func(g *Gain) { g.Deviation = 0.006 }, "few": func(g *Gain) { g.Matches = 4 },
		"loss": func(g *Gain) { g.After = 0.21 }, "none": func(g *Gain) { *g = Gain{Matches: 10} },
	} {
		g := good
		if change(&g); (ShapeGain{Gain: g}).Pays() {
			t.Errorf("%s: %+v pays", what, g)
		}
	}
}
