package mcts

import (
	"semisplit/search/encoding"
	"semisplit/search/heuristic"
	"semisplit/search/joint"
	"semisplit/search/line"
	"semisplit/search/proof"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// parts are a tree with all that is kept beside it: what the phases of a search share.
type parts struct {
	options   Options
	encodings []encoding.Moves // by role
	tree      tree.Tree
	proofs    proof.Prover
	values    heuristic.Values
	rave      stats.EdgeRave
	grave     stats.NodeGrave
	line      line.Best     // of a game for one
	member    *joint.Member // of a forest; nil: the tree stands alone
}

// answered says whether the tree has proven what to play in the root.
func (p *parts) answered() bool { return p.proofs.Proves() && p.decided(p.tree.Root) }

// finished says whether there is nothing left to search for in the root.
func (p *parts) finished() bool { return p.answered() && !p.proofs.Resisting }

// decided says whether no search can make a better choice of moves in a node.
func (p *parts) decided(n uint32) bool {
	return n != 0 && n == p.tree.Root && p.isLineBest() || p.proofs.Decided(n)
}

// terminal says whether the root is a terminal state.
func (p *parts) terminal() bool {
	return p.tree.Root != 0 && p.tree.Node(p.tree.Root).Flags&tree.FlagTerminal != 0
}

// keepsLine says whether the best line is kept: with a solver, and one role that is a
// player.
func (p *parts) keepsLine() bool {
	return p.proofs.Bounds.On && p.tree.Roles == 1 && !p.options.Chance[0]
}

// followsLine says whether to play it: nothing better is proven.
func (p *parts) followsLine() bool {
	low, _ := proof.Percents(p.line.Value)
	return p.line.Known() && low >= p.proofs.Bounds.Lows(p.tree.Root)[0] && !p.terminal()
}

// isLineBest says whether nothing is better than the line.
func (p *parts) isLineBest() bool {
	_, high := proof.Percents(p.line.Value)
	return p.line.Known() && (p.line.Proven || high >= p.proofs.Bounds.Highs(p.tree.Root)[0])
}
