package web

import (
	"net/http"
	"time"

	"semisplit/kif"
	"semisplit/search"
)

// obey does what the person wants.
func (p *session) obey(o order) error {
	switch o.Action {
	case "move":
		return p.move(o)
	case "undo":
		return p.undo(o)
	case "resign":
		p.resign(o)
	case "hint":
		p.hint(o)
	default:
		o.answer <- reply{status: http.StatusNotFound, problem: "there is no such action"}
	}
	return nil
}

func (o order) refuse(problem string) {
	o.answer <- reply{status: http.StatusConflict, problem: problem}
}

func (o order) done() { o.answer <- reply{status: http.StatusOK, value: map[string]bool{"ok": true}} }

// move takes the person's move for the state that the page showed.
func (p *session) move(o order) error {
	here := len(p.history)
	switch {
	case p.resigned || p.board.Terminal():
		o.refuse("the match is over")
		return nil
	case o.N != here || p.hasMoved || !p.mine[here]:
		o.refuse("it is not your turn at this state")
		return nil
	}
	term, err := kif.ParseTerm(o.Move)
	if err != nil {
		o.refuse("this is no move")
		return nil
	}
	path, ok := p.board.Find(p.role, term)
	if !ok {
		o.refuse("this move is not legal here")
		return nil
	}
	p.moved, p.hasMoved = p.board.Machine().Move(p.role, path), true
	p.clockRun.Stop()
	p.match.stream.drop("turn")
	o.done()
	if p.thoughts != nil && !p.playersTurn() {
		p.stopThinking() // it was a hint
		p.answerHints()
	}
	return p.begin()
}

// undo goes back to the last state in which the person had a choice.
func (p *session) undo(o order) error {
	to := len(p.history) - 1
	if p.hasMoved && p.mine[len(p.history)] {
		to = len(p.history)
	}
	for to >= 0 && !p.mine[to] {
		to--
	}
	if to < 0 {
		o.refuse("there is no move of yours to take back")
		return nil
	}
	p.stopThinking()
	p.answerHints()
	if err := p.soon(func() error { return p.board.Set(p.states[to]) }); err != nil {
		o.refuse("this state cannot be reached again")
		return err
	}
	p.resigned, p.thoughtAt = false, -1
	var moves []kif.Term
	if to > 0 {
		moves = p.history[to-1]
	}
	p.history, p.states = p.history[:to:to], p.states[:to+1:to+1]
	p.reached(moves, nil)
	o.done()
	return p.next()
}

func (p *session) resign(o order) {
	if p.resigned || p.board.Terminal() {
		o.refuse("the match is over")
		return
	}
	p.resigned = true
	p.clockRun.Stop()
	p.stopThinking()
	p.answerHints()
	p.match.stream.drop("turn")
	p.match.end("you resigned", true)
	o.done()
}

// hintTime is how long the player thinks about a hint.
const hintTime = 1500 * time.Millisecond

// hint thinks for the person, and answers when that is through.
func (p *session) hint(o order) {
	if p.resigned || p.board.Terminal() || !p.mine[len(p.history)] || p.hasMoved {
		o.refuse("it is not your turn")
		return
	}
	p.waiting = append(p.waiting, o)
	if p.thoughts == nil {
		p.startThinking(p.role, search.Budget{Time: hintTime})
	}
}

// answerHints tells those who wait for a hint what is known so far.
func (p *session) answerHints() {
	for _, o := range p.waiting {
		o.answer <- p.hinted()
	}
	p.waiting = nil
}

// hinted is what the player would do in the person's place.
func (p *session) hinted() reply {
	move, ok := p.thinker.best(p.role, len(p.history))
	if !ok {
		return reply{status: http.StatusConflict, problem: "the player has no idea here"}
	}
	p.match.mu.Lock()
	defer p.match.mu.Unlock()
	return reply{status: http.StatusOK, value: offered{move.String(), p.match.page.Targets(p.game.roles[p.role], move)}}
}
