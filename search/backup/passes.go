package backup

// passes are the parts of a backup, in their order. Each is a file: a function that makes
// the pass for a tree, or nil where nothing asks for it.
var passes = []func(*Setup) pass{
	visits,
	means,
	maxima,
	late,
	minimax,
	rollUp,
	proofs,
}

// ofPlayouts are those for each playout, before the others have the mean of all playouts
// from one state.
var ofPlayouts = []func(*Setup) pass{
	learn,
}

// Backup is the lists of passes for one tree.
type Backup struct{ playouts, path []pass }

// New makes the passes that are asked for.
func New(s Setup) Backup { return Backup{playouts: made(ofPlayouts, &s), path: made(passes, &s)} }

func made(of []func(*Setup) pass, s *Setup) (all []pass) {
	for _, make := range of {
		if p := make(s); p != nil {
			all = append(all, p)
		}
	}
	return all
}

// Playout takes in the result of one playout.
func (b *Backup) Playout(it *Iteration) {
	for _, p := range b.playouts {
		p(it)
	}
}

// Path adds the result of an iteration to everything on its path.
func (b *Backup) Path(it *Iteration) {
	for _, p := range b.path {
		p(it)
	}
}
