package ground

// project rewrites the rules that ask for moves.
func (g *grounder) project() {}
