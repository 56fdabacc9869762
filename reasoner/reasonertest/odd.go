package reasonertest

// OddGames are small games, each for a construct that splitting, grounding or
// evaluation may get wrong. All play on for a few turns.
var OddGames = map[string]string{
	"moves whole as one variable": clock + `
		(role a) (role b)
		(act (put 1 2)) (act (put 2 1)) (act (take 1)) (act rest)
		(<= (legal ?r ?m) (role ?r) (act ?m) (not (true (did ?r ?m))))
		(<= (legal ?r stay) (role ?r))
		(<= (next (did ?r ?m)) (does ?r ?m) (act ?m))
		(<= (next (did ?r ?m)) (true (did ?r ?m)) (not (does ?r stay)))
		(<= (next (both ?m)) (does a ?m) (does b ?m))
		(<= (goal ?r 60) (true (did ?r rest))) (<= (goal b 70) (true (both stay)))`,

	"moves that lie in the state": clock + `
		(role a) (role b)
		(init (bag (go 1 2))) (init (bag (go 2 3))) (init (bag (hop (pos 1 1)))) (init (bag idle))
		(<= (legal a ?m) (true (bag ?m)))
		(<= (legal b (swap ?m ?n)) (true (bag ?m)) (true (bag ?n)) (distinct ?m ?n))
		(legal b idle)
		(<= (next (bag ?m)) (true (bag ?m)) (not (does a ?m)))
		(<= (next (bag ?m)) (does a ?m) (does b (swap ?m ?n)))
		(<= (next (bag idle)) (true (bag ?m)))
		(<= (next (bag (go ?y ?x))) (does a (go ?x ?y)))
		(<= (next (seen ?n)) (does b (swap ?m ?n)) (does a ?m))
		(<= (goal a 50) (true (bag (go 1 2)))) (<= (goal b 50) (true (seen idle)))`,

	"nested terms": clock + `
		(role a)
		(n 1) (n 2) (n 3)
		(init (at (pos 1 1))) (init (at (pos 2 3)))
		(<= (legal a (move ?p (pos ?x ?y))) (true (at ?p)) (n ?x) (n ?y) (not (true (at (pos ?x ?y)))) (apart ?p (pos ?x ?y)))
		(<= (legal a (move (pos ?x ?y) (out ?x))) (true (at (pos ?x ?y))))
		(<= (apart (pos ?x ?y) (pos ?u ?v)) (n ?x) (n ?y) (n ?u) (n ?v) (distinct ?x ?u) (distinct ?y ?v))
		(<= (next (at ?q)) (does a (move ?p ?q)))
		(<= (next (at ?p)) (true (at ?p)) (not (left ?p)))
		(<= (left ?p) (does a (move ?p ?q)))
		(<= (next (row ?x)) (does a (move (pos ?x ?y) (pos ?x2 ?y))))
		(<= (next (last ?q)) (does a (move (pos ?x ?y) ?q)) (distinct ?q (out ?x)))
		(<= (legal a rest) (true (at (out ?x))))
		(<= (goal a 80) (true (at (out 2)))) (<= (goal a 10) (not (true (at (out 2)))))`,

	"roles as variables and as arguments": clock + `
		(role a) (role b) (role c)
		(init (holds a ball)) (init (holds b bat)) (init (turn a))
		(after a b) (after b c) (after c a)
		(<= (legal ?r (give ?s ?x)) (true (turn ?r)) (true (holds ?r ?x)) (role ?s) (distinct ?r ?s))
		(<= (legal ?r (give ?r nothing)) (true (turn ?r)))
		(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
		(<= (next (holds ?s ?x)) (does ?r (give ?s ?x)) (distinct ?x nothing))
		(<= (next (holds ?r ?x)) (true (holds ?r ?x)) (not (gives ?r ?x)))
		(<= (gives ?r ?x) (does ?r (give ?s ?x)))
		(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s) (not (selfish ?r)))
		(<= (next (turn ?r)) (selfish ?r))
		(<= (next (turn a)) (does ?r (give ?s bat)) (does ?t wait) (distinct ?r a) (distinct ?s ?t))
		(<= (selfish ?r) (does ?r (give ?r ?x)))
		(<= (goal ?r 100) (true (holds ?r ball)))
		(<= (goal ?r 20) (role ?r) (not (true (holds ?r ball))))`,

	"the same functor with several arities, and as a constant": clock + `
		(role a) (role b)
		(n 1) (n 2)
		(<= (legal a (mark ?x)) (n ?x)) (<= (legal a (mark ?x ?y)) (n ?x) (n ?y) (not (true (on ?x ?y))))
		(legal a mark) (legal a (mark)) (legal b (mark (mark 1))) (legal b (mark mark)) (legal b mark)
		(<= (next (on ?x ?y)) (does a (mark ?x ?y)))
		(<= (next (on ?x ?y)) (true (on ?x ?y)) (not (does a (mark ?x))))
		(<= (next (on ?x ?x)) (does a (mark ?x)) (does b (mark (mark ?x))))
		(<= (next (on 2 2)) (does a mark) (does b (mark mark)))
		(<= (next (whole ?m)) (does ?r (mark ?m)))
		(<= (goal a 30) (true (on 1 1))) (<= (goal b 40) (true (on 2 2)))`,

	"arguments that must be equal or different": clock + `
		(role a) (role b)
		(n 1) (n 2) (n 3)
		(<= (legal a (pair ?x ?y ?z)) (n ?x) (n ?y) (n ?z) (distinct ?x ?y) (distinct ?y ?z))
		(<= (legal a (pair ?x ?x ?x)) (true (good ?x)))
		(<= (legal b (loop ?x ?x)) (n ?x)) (<= (legal b (loop ?x ?y)) (true (good ?x)) (true (good ?y)))
		(<= (next (good ?x)) (does a (pair ?x ?y ?x)))
		(<= (next (good ?x)) (true (good ?x)) (not (does b (loop ?x ?x))))
		(<= (next (even ?x ?y)) (does a (pair ?x ?y ?z)) (does b (loop ?y ?x)))
		(<= (next odd) (does a (pair ?x ?y ?z)) (does b (loop ?u ?v)) (distinct ?x ?u) (not (true (good ?v))))
		(<= (next (not-it ?v)) (n ?v) (does a (pair ?x ?y ?z)) (distinct ?v ?x) (distinct ?v ?z))
		(<= (goal a 30) (true odd)) (<= (goal b 40) (true (good 2)))`,

	"negation over what is done": clock + `
		(role a) (role b)
		(n 1) (n 2) (n 3)
		(<= (legal ?r (take ?x)) (role ?r) (n ?x) (not (true (gone ?x))))
		(<= (legal ?r noop) (role ?r))
		(<= (next (gone ?x)) (true (gone ?x)) (not (does b noop)))
		(<= (next (gone ?x)) (taken ?x) (not (clash ?x)))
		(<= (taken ?x) (does ?r (take ?x)))
		(<= (clash ?x) (does a (take ?x)) (does b (take ?x)))
		(<= (next quiet) (not (does a (take ?x))))
		(<= (next still) (not (taken ?x)))
		(<= (next (free ?x)) (n ?x) (not (taken ?x)) (not (does a noop)))
		(<= (next (lonely ?r)) (role ?r) (not (does ?r noop)) (not (other-takes ?r)))
		(<= (other-takes ?r) (role ?r) (does ?s (take ?x)) (distinct ?s ?r))
		(<= (goal a 10) (true quiet)) (<= (goal b 10) (true (gone 2)))`,

	"helpers of moves, several deep": clock + `
		(role a) (role b)
		(n 1) (n 2) (n 3) (n 4) (less 1 2) (less 2 3) (less 3 4)
		(<= (lt ?x ?y) (less ?x ?y)) (<= (lt ?x ?z) (less ?x ?y) (lt ?y ?z))
		(init (cell 1 1 a)) (init (cell 4 4 b)) (init (cell 2 3 b))
		(<= (legal ?r ?m) (may ?r ?m))
		(<= (may ?r (move ?x ?y ?u ?v)) (mine ?r ?x ?y) (line ?x ?y ?u ?v) (not (mine ?r ?u ?v)) (clear ?x ?y ?u ?v))
		(<= (may ?r halt) (role ?r))
		(<= (mine ?r ?x ?y) (true (cell ?x ?y ?r)))
		(<= (line ?x ?y ?u ?y) (n ?x) (n ?y) (n ?u) (distinct ?x ?u))
		(<= (line ?x ?y ?x ?v) (n ?x) (n ?y) (n ?v) (distinct ?y ?v))
		(<= (clear ?x ?y ?u ?v) (line ?x ?y ?u ?v) (not (blocked ?x ?y ?u ?v)))
		(<= (blocked ?x ?y ?u ?y) (lt ?x ?w) (lt ?w ?u) (true (cell ?w ?y ?any)))
		(<= (blocked ?x ?y ?u ?y) (lt ?u ?w) (lt ?w ?x) (true (cell ?w ?y ?any)))
		(<= (blocked ?x ?y ?x ?v) (between ?y ?w ?v) (true (cell ?x ?w ?any)))
		(<= (between ?a ?b ?c) (lt ?a ?b) (lt ?b ?c)) (<= (between ?a ?b ?c) (lt ?c ?b) (lt ?b ?a))
		(<= (changed ?x ?y) (does ?r ?m) (touches ?m ?x ?y))
		(<= (touches (move ?x ?y ?u ?v) ?x ?y) (line ?x ?y ?u ?v))
		(<= (touches (move ?x ?y ?u ?v) ?u ?v) (line ?x ?y ?u ?v))
		(<= (next (cell ?u ?v ?r)) (does ?r (move ?x ?y ?u ?v)) (not (rival ?r ?u ?v)))
		(<= (rival a ?u ?v) (does b (move ?x ?y ?u ?v)))
		(<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)) (not (changed ?x ?y)))
		(<= (next far) (does ?r (move ?x ?y ?u ?v)) (not (near ?x ?u)) (not (near ?y ?v)))
		(<= (near ?x ?x) (n ?x)) (<= (near ?x ?y) (less ?x ?y)) (<= (near ?x ?y) (less ?y ?x))
		(<= (goal ?r 90) (true (cell 4 1 ?r))) (<= (goal ?r 10) (role ?r) (not (true (cell 4 1 ?r))))`,

	"recursion through what is selected": clock + `
		(role a)
		(node p) (node q) (node r) (node s)
		(init (edge p q)) (init (edge r s))
		(<= (legal a (link ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y) (not (true (edge ?x ?y))))
		(<= (legal a (cut ?x ?y)) (true (edge ?x ?y)) (reach ?y ?x))
		(legal a rest)
		(<= (reach ?x ?y) (true (edge ?x ?y)))
		(<= (reach ?x ?z) (reach ?x ?y) (true (edge ?y ?z)))
		(<= (now ?x ?y) (true (edge ?x ?y)) (not (does a (cut ?x ?y))))
		(<= (now ?x ?y) (does a (link ?x ?y)))
		(<= (path ?x ?y) (now ?x ?y))
		(<= (path ?x ?z) (path ?x ?y) (now ?y ?z))
		(<= (next (edge ?x ?y)) (now ?x ?y))
		(<= (next (ring ?x)) (path ?x ?x))
		(<= (next (from ?y)) (does a (link ?x ?z)) (path ?z ?y))
		(<= (next split) (does a (link ?x ?y)) (node ?z) (not (path ?x ?z)) (distinct ?z ?x))
		(<= (goal a 100) (true (ring p))) (<= (goal a 0) (not (true (ring p))))`,

	"legal moves that other rules ask for": clock + `
		(role a) (role b)
		(n 1) (n 2) (n 3)
		(init (heap 2)) (init (heap 3))
		(<= (legal a (take ?x)) (true (heap ?x)) (not (true (hot ?x))))
		(<= (legal a pass) (not (can a)))
		(<= (can a) (true (heap ?x)) (not (true (hot ?x))))
		(<= (legal b follow) (legal a (take 2)))
		(<= (legal b (mock ?m)) (legal a ?m))
		(<= (next (heap ?x)) (true (heap ?x)) (not (does a (take ?x))))
		(<= (next (heap 1)) (does b (mock pass)))
		(<= (next (hot ?x)) (does a (take ?x))) (<= (next (hot ?x)) (does b (mock (take ?x))))
		(<= (next (was ?m)) (legal a ?m) (not (does a ?m)))
		(<= terminal (not (legal b follow)) (true (time 4)))
		(<= (goal a 10) (legal a (take 3))) (<= (goal a 20) (not (legal a (take 3)))) (<= (goal b 30) (legal b follow))`,

	"legal moves of who plays no role": clock + `
		(role a) (role b)
		(init (control a)) (n 1) (n 2) (n 3) (after a b) (after b nobody) (after nobody a)
		(<= (legal ?r (take ?x ?y)) (true (control ?r)) (n ?x) (n ?y) (not (true (gone ?x))))
		(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
		(legal nobody sleep)
		(<= (next (gone ?x)) (does ?r (take ?x ?y))) (<= (next (gone ?x)) (true (gone ?x)))
		(<= (next (control ?s)) (true (control ?r)) (after ?r ?s))
		(<= (next (could ?r ?m)) (legal ?r ?m) (not (does ?r ?m)))
		(<= (next quiet) (not (legal nobody (take 1 ?y))) (true (time ?n)))
		(<= terminal (true (control ?r)) (not (legal ?r (take ?x ?y))))
		(<= (goal a 60) (legal ?r (take 1 2)) (distinct ?r b)) (<= (goal b 20) (not (legal nobody ?m)))`,

	"no legal move ends the game": clock + `
		(role a) (role b)
		(init (cell 1 1)) (init (control a)) (n 1) (n 2) (n 3) (other a b) (other b a)
		(<= (legal ?r (put ?x ?y)) (true (control ?r)) (n ?x) (n ?y) (not (true (cell ?x ?y))) (not (row ?x)))
		(<= (legal ?r noop) (true (control ?s)) (other ?s ?r))
		(<= (row ?x) (true (cell ?x 1)) (true (cell ?x 3)))
		(<= (next (cell ?x ?y)) (does ?r (put ?x ?y))) (<= (next (cell ?x ?y)) (true (cell ?x ?y)))
		(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))
		(<= terminal (true (control ?r)) (not (movable ?r)))
		(<= (movable ?r) (legal ?r ?m))
		(<= (open ?r) (legal ?r (put ?x ?y)))
		(<= (goal ?r 100) (other ?r ?s) (true (control ?s)) (not (open ?s)))
		(<= (goal ?r 0) (true (control ?r)) (not (open ?r)))
		(<= (goal ?r 50) (role ?r) (open a))`,

	"does where no moves are": clock + `
		(role a) (role b)
		(legal a go) (legal a stop) (legal b go)
		(<= (legal b stop) (not (does a stop)))
		(<= (next on) (does a go)) (<= (next on) (true on) (not (does b stop)))
		(<= terminal (does a stop))
		(<= terminal (true on) (true (time 3)) (not (does a go)))
		(<= (goal a 10) (does a go)) (<= (goal a 20) (not (does a go))) (<= (goal b 30) (true on))`,

	"rules that hold without any move, and facts": clock + `
		(role a) (role b) (role watcher)
		(legal a left) (legal a right) (legal b (bid 1)) (legal b (bid 2)) (legal watcher (see all))
		(next always) (<= (next (count ?x)) (num ?x)) (num 3)
		(<= (next (won ?r ?m)) (does ?r ?m) (distinct ?m left) (distinct ?m (bid 1)))
		(<= (next same) (does a ?m) (does b ?m))
		(goal watcher 5) (<= (goal a 60) (true (won b (bid 2)))) (<= (goal a 70) (true always)) (goal b word)`,

	"several rules for one move": clock + `
		(role a)
		(n 1) (n 2) (n 3)
		(<= (legal a (hit ?x ?y)) (n ?x) (n ?y) (true (up ?x)))
		(<= (legal a (hit ?x ?y)) (n ?x) (n ?y) (true (down ?y)))
		(<= (legal a (hit ?x 1)) (n ?x) (or (true (up 2)) (not (true (down ?x)))))
		(<= (legal a (hit 3 3)) (true (time 2)))
		(legal a nothing)
		(init (up 1)) (init (down 3))
		(<= (next (up ?y)) (does a (hit ?x ?y)) (or (distinct ?x 1) (true (up 3))))
		(<= (next (down ?x)) (does a (hit ?x ?y)) (not (true (down ?y))))
		(<= (next (down ?x)) (true (down ?x)) (does a nothing))
		(<= (next (up ?x)) (true (up ?x)) (not (does a (hit 1 ?x))))
		(<= (goal a 55) (true (up 2)))`,

	"two bids at once": clock + `
		(role a) (role b) (role c)
		(n 1) (n 2) (n 3) (less 1 2) (less 2 3) (less 1 3)
		(<= (legal ?r (bid ?x ?s)) (role ?r) (n ?x) (suit ?s) (not (true (spent ?r ?x))))
		(<= (legal ?r fold) (role ?r))
		(suit red) (suit black)
		(<= (next (spent ?r ?x)) (does ?r (bid ?x ?s))) (<= (next (spent ?r ?x)) (true (spent ?r ?x)))
		(<= (next (won ?r)) (does ?r (bid ?x ?s)) (not (beaten ?r)))
		(<= (beaten ?r) (does ?r (bid ?x ?s)) (does ?q (bid ?y ?s)) (less ?x ?y))
		(<= (next (tie ?x)) (does a (bid ?x ?s)) (does b (bid ?x ?t)) (does c (bid ?y ?s)))
		(<= (next all) (does a fold) (does b fold) (does c fold))
		(<= (next (sum ?x ?y ?z)) (does a (bid ?x ?s)) (does b (bid ?y ?s)) (does c (bid ?z ?s)))
		(<= (goal ?r 100) (true (won ?r))) (<= (goal ?r 0) (role ?r) (not (true (won ?r))))`,

	"a table of moves": clock + `
		(role a)
		(cost (buy apple 1) 1) (cost (buy pear 2) 2) (cost (sell apple 1) 3) (cost idle 0)
		(opposite (buy ?x ?n) (sell ?x ?n))
		(init (purse 3))
		(<= (pays ?m ?n) (cost ?m ?n)) (<= (pays (sell ?x ?n) ?k) (opposite (buy ?x ?n) (sell ?x ?n)) (cost (buy ?x ?n) ?k))
		(<= (legal a ?m) (pays ?m ?n) (true (purse ?p)) (enough ?p ?n))
		(enough 3 0) (enough 3 1) (enough 3 2) (enough 3 3) (enough 2 0) (enough 2 1) (enough 2 2) (enough 1 0) (enough 1 1) (enough 0 0)
		(minus 3 3 0) (minus 3 2 1) (minus 3 1 2) (minus 2 1 1) (minus 2 2 0) (minus 1 1 0)
		(<= (next (purse ?q)) (does a ?m) (pays ?m ?n) (true (purse ?p)) (minus ?p ?n ?q))
		(<= (next (purse ?p)) (does a idle) (true (purse ?p)))
		(<= (next (purse 3)) (does a (sell apple 1)))
		(<= (next (have ?x)) (does a (buy ?x ?n))) (<= (next (have ?x)) (true (have ?x)) (not (does a (sell ?x 1))))
		(<= (goal a 40) (true (have pear)))`,

	"a hole in the rules": clock + `
		(role a) (role b)
		(n 1) (n _) (n 2)
		(<= (legal a (mark ?x ?y)) (n ?x) (n ?y)) (legal a _)
		(<= (legal b (mark _ ?y)) (n ?y)) (legal b (_ 1 2)) (legal b (_ 2 1))
		(<= (next (on ?x ?y)) (does a (mark ?x ?y))) (<= (next (on _ _)) (does a _))
		(<= (next (on ?x ?y)) (does b (_ ?x ?y))) (<= (next (on ?x ?y)) (true (on ?x ?y)) (not (does b (mark ?x ?y))))
		(<= (goal a 30) (true (on _ 1))) (<= (goal b 30) (true (on 2 2)))`,

	"pieces that move in their own ways": clock + `
		(role a) (role b)
		(n 1) (n 2) (n 3) (n 4) (next-to 1 2) (next-to 2 3) (next-to 3 4) (other a b) (other b a)
		(init (cell 1 1 king a)) (init (cell 2 1 tower a)) (init (cell 4 4 king b)) (init (cell 3 4 tower b)) (init (control a))
		(<= (legal ?r (move ?p ?x ?y ?u ?v)) (true (control ?r)) (true (cell ?x ?y ?p ?r)) (goes ?p ?x ?y ?u ?v)
			(not (own ?r ?u ?v)) (not (hit-after ?r ?p ?x ?y ?u ?v)))
		(<= (legal ?r (turn ?x ?y ?q)) (true (control ?r)) (true (cell ?x ?y tower ?r)) (form ?q))
		(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
		(<= (legal ?r give-up) (true (control ?r)))
		(form king) (form tower)
		(<= (step ?x ?y) (next-to ?x ?y)) (<= (step ?x ?y) (next-to ?y ?x))
		(<= (goes king ?x ?y ?u ?v) (step ?x ?u) (step ?y ?v))
		(<= (goes king ?x ?y ?u ?y) (step ?x ?u) (n ?y))
		(<= (goes tower ?x ?y ?x ?v) (n ?x) (n ?y) (n ?v) (distinct ?y ?v) (not (wall ?x ?y ?v)))
		(<= (goes tower ?x ?y ?u ?y) (step ?x ?u) (n ?y))
		(<= (wall ?x 1 ?v) (n ?v) (distinct ?v 2) (distinct ?v 1) (full ?x 2))
		(<= (wall ?x 4 ?v) (n ?v) (distinct ?v 3) (distinct ?v 4) (full ?x 3))
		(<= (full ?x ?y) (true (cell ?x ?y ?p ?r)))
		(<= (own ?r ?x ?y) (true (cell ?x ?y ?p ?r)))
		(<= (hit-after ?r king ?x ?y ?u ?v) (goes king ?x ?y ?u ?v) (other ?r ?s) (true (cell ?c ?d tower ?s)) (goes tower ?c ?d ?u ?v))
		(<= (hit-after ?r tower ?x ?y ?u ?v) (goes tower ?x ?y ?u ?v) (true (cell ?k ?l king ?r)) (other ?r ?s)
			(true (cell ?k ?d tower ?s)) (distinct ?d ?v) (distinct ?x ?k))
		(<= (moved ?x ?y) (does ?r (move ?p ?x ?y ?u ?v))) (<= (moved ?u ?v) (does ?r (move ?p ?x ?y ?u ?v)))
		(<= (moved ?x ?y) (does ?r (turn ?x ?y ?q)))
		(<= (next (cell ?x ?y ?p ?r)) (true (cell ?x ?y ?p ?r)) (not (moved ?x ?y)))
		(<= (next (cell ?u ?v ?p ?r)) (does ?r (move ?p ?x ?y ?u ?v)))
		(<= (next (cell ?x ?y ?q ?r)) (does ?r (turn ?x ?y ?q)))
		(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))
		(<= (next (lost ?r)) (does ?r give-up))
		(<= terminal (true (lost ?r)))
		(<= terminal (true (control ?r)) (not (legal ?r (move ?p ?x ?y ?u ?v))))
		(<= (goal ?r 0) (true (lost ?r))) (<= (goal ?r 100) (other ?r ?s) (true (lost ?s)))
		(<= (goal ?r 50) (role ?r) (not (true (lost a))) (not (true (lost b))))`,

	"fluents that an action adds and takes away": clock + `
		(role robot)
		(init (at home)) (init (has coin))
		(item coin) (item milk)
		(needs walk (at home)) (takes walk (at home)) (adds walk (at shop))
		(needs buy (at shop)) (takes buy (has coin)) (adds buy (has milk))
		(adds rest (at rest))
		(<= (act ?a) (adds ?a ?f))
		(<= (blocked ?a) (needs ?a ?f) (not (true ?f)))
		(<= (legal robot ?a) (act ?a) (not (blocked ?a)))
		(<= (next ?f) (does robot ?a) (adds ?a ?f))
		(<= (next ?f) (true ?f) (kept ?f))
		(<= (kept ?f) (fluent ?f) (not (gone ?f)))
		(<= (fluent ?f) (adds ?a ?f)) (<= (fluent ?f) (takes ?a ?f))
		(<= (gone ?f) (does robot ?a) (takes ?a ?f))
		(<= (usable ?x) (item ?x) (not (true (at rest))))
		(<= (goal robot 100) (true (has ?x)) (usable ?x))
		(<= (goal robot 0) (not (true (has milk))) (not (true (has coin))))`,

	"fluents put by a move, of which some go bad": clock + `
		(role a) (init (p 2)) (n 1) (n 2) (n 3)
		(legal a (put (p 1))) (legal a (put (p 2))) (legal a (put (q 3))) (legal a stay)
		(<= (next ?f) (does a (put ?f)))
		(<= (next (bad ?x)) (n ?x) (does a stay))
		(<= (good ?x) (n ?x) (not (true (bad ?x))))
		(<= (legal a (use ?x)) (true (p ?x)) (good ?x))
		(<= (goal a 100) (true (p ?x)) (good ?x) (distinct ?x 2)) (<= (goal a 50) (true (p 2)))`,

	"a first state that asks for a state": clock + `
		(role a) (<= (init (p 1)) (not (true (q 1)))) (<= (init (q 1)) (true (p 1)))
		(legal a go) (<= (legal a stay) (true (p 1)))
		(<= (next (q 1)) (does a go)) (<= (next (p 1)) (does a stay))
		(<= (goal a 100) (true (q 1))) (<= (goal a 0) (not (true (q 1))))`,

	"roles that are terms": clock + `
		(role (player 1)) (role (player 2))
		(n a) (n b) (n c)
		(<= (legal (player ?p) (take ?x)) (role (player ?p)) (n ?x) (not (true (gone ?x))))
		(legal (player 1) pass) (<= (legal (player 2) pass) (true (gone ?x)))
		(<= (next (gone ?x)) (does ?r (take ?x))) (<= (next (gone ?x)) (true (gone ?x)))
		(<= (next (has ?r ?x)) (does ?r (take ?x))) (<= (next (has ?r ?x)) (true (has ?r ?x)))
		(<= (legal (player 2) rest) (not (true (has (player 1) a))))
		(<= (goal ?r 100) (true (has ?r a))) (<= (goal ?r 0) (role ?r) (not (true (has ?r a))))`,
}

// clock ends a game after six turns.
const clock = `
	(init (time 0)) (tick 0 1) (tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6)
	(<= (next (time ?n)) (true (time ?m)) (tick ?m ?n))
	(<= terminal (true (time 6)))
	`
