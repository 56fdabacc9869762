# The commands of this project. Only Go, make and the Go modules are needed.

GO      ?= go
CORPUS  ?= $(if $(GGP_CORPUS),$(GGP_CORPUS),../shared)
FUZZTIME ?= 20s
# Packages in which goroutines share memory: all of these but those in which one thread
# does everything. With -short their tests leave out what a single thread does.
CONCURRENT = ./search/mcts ./search/minimax ./search/portfolio ./protocol/... ./player/... ./reasoner ./reasoner/prover ./ggp/internal/web
SERIAL     = player/(agent|board|evaluation|evaluation/(greedy|regression|shapes)|rating)$$

.PHONY: play build test test-long race signature lint bench table1 bench-table bench-direct games-table perft matches fuzz verify verify-long soak strength release-check release torture torture-queue house perfect positions combinatorial screenshots web-figures explained

play: ## a whole match over HTTP, on this machine
	$(GO) run ./ggp practice

# The commit that "ggp version" and reports of experiments name; empty where git does not tell.
COMMIT = $(shell git describe --always --exclude='*' --abbrev=12 --dirty=' with changes' 2>/dev/null)

build: ## the command, as bin/ggp
	$(GO) build -ldflags "-X 'semisplit/internal/revision.commit=$(COMMIT)'" -o bin/ggp ./ggp

# Lint and tests leave out the tables of debuggers and collect garbage less often: from
# nothing, the compiler takes a seventh to a third less. Modules of others are not optimized
# either: for the largest, SQLite (a program of C made Go) and the NATS server, it then takes
# two fifths and a third less. Optimized are the standard library, ours, and the analyzers.
# "make lint" vets all packages, the tests need not. It has one tool for the
# analyzers of vet and staticcheck, as each by itself reads all dependencies: one more for what
# is unused made 152 s of 109.
LEAN = GOGC=400 GOFLAGS="$$($(GO) env GOFLAGS) '-gcflags=all=-dwarf=false -N -l' $(OPTIMIZED:%=-gcflags=%=-dwarf=false) -ldflags=-s"
OPTIMIZED = std semisplit/... golang.org/x/tools/... honnef.co/...
# Some tests wait for clocks, so there are three packages at a time on two cores.
TEST = $(LEAN) $(GO) test -vet=off -p $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) * 3 / 2))

# What the race detector watches.
RACED = $(GO) list $(CONCURRENT) | grep -Ev '$(SERIAL)'
# It does not watch SQLite, which database/sql locks.
RACE  = CGO_ENABLED=1 $(TEST) '-gcflags=modernc.org/...=-dwarf=false -N -l -race=false' -race -short $$($(RACED))
# Of these, packages whose tests leave nothing out with -short: the race run is enough.
WHOLE = $(RACED) | while read p; do grep -qs 'testing[.]Short' "$${p\#*/}"/*_test.go || echo "$$p"; done

test: ## all tests in their short halves; the race detector on the concurrent packages where a C compiler is found
	@if command -v $$($(GO) env CC) >/dev/null 2>&1; then \
		whole=$$($(WHOLE)) && $(TEST) $$($(GO) list ./... | grep -Fvx "$$whole") && $(RACE); \
	else \
		echo "race detector: skipped, no C compiler ($$($(GO) env CC)) found"; \
		$(TEST) ./...; \
	fi

race:
	$(RACE)

LONG = GGP_LONG=1 $(GO) test -count 1 -timeout 12h

test-long: ## all tests with their long halves, one package after the other: hours
	$(LONG) -p 1 ./...

signature: ## what the search does with fixed seeds, written anew for the test that holds it
	$(GO) run ./ggp bench --signature > ggp/testdata/signature.txt.new
	mv ggp/testdata/signature.txt.new ggp/testdata/signature.txt
	@tail -1 ggp/testdata/signature.txt

house: ## how the packages are laid out: lines, names, largest types, cycles of files
	@$(GO) run ./internal/house/report

screenshots: ## the pictures of docs/web.md and of the README, with Chromium
	mkdir -p docs/pictures
	GGP_SCREENSHOTS=$(CURDIR)/docs/pictures $(GO) test -count 1 -run TestScreenshots ./ggp/internal/web

web-figures: ## the figures of docs/web.md: what spectators cost, how soon a page is there; some minutes, on Linux with Chromium
	GGP_FIGURES=1 $(GO) test -count 1 -timeout 20m -v -run 'TestFigures(Spectators|Paint|Long)' ./ggp/internal/web

lint: ## formatting, the analyzers of vet and staticcheck, what is unused
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(LEAN) $(GO) build -o bin/lint ./internal/lint
	$(LEAN) $(GO) vet -vettool=bin/lint ./...

bench: ## Go benchmarks of every stage
	$(GO) test -run '^$$' -bench . -benchtime 1s ./...

TABLE = ticTacToe connectFour breakthrough knightThrough pentago dotsAndBoxes chineseCheckers6 reversi othello-comp2007 \
	checkers skirmish speedChess hex amazons_10x10 amazons chess

table1: build ## speeds of the papers' games under each plan, into docs/experiments/table1.md
	bin/ggp bench --plans --seconds 1 --runs 2 amazons breakthrough breakthru chess chesswithoutcheck englishdraughts foxandhounds go9 knightthrough pentago skirmish millgame >docs/experiments/table1.md.new
	mv docs/experiments/table1.md.new docs/experiments/table1.md

AGENTS ?= auto,snodal-s-mod-mast,random
TIMES ?= 0.1,1,10
POSITIONS ?= 40
GAMES ?= connectfour connectfour-early breakthrough knightthrough dotsandboxes kalah othello pentago

EXPLAINED ?= connectfour othello gomoku linesofaction hex breakthrough knightthrough englishdraughts pentago dotsandboxes
LEARNING ?= 30s

explained: build ## what evaluations explain after LEARNING, beside playouts, in the games EXPLAINED; minutes
	@for game in $(EXPLAINED); do bin/ggp learn $$game --report --time $(LEARNING) --threads 1 --seed 1; done

perfect: build ## how often agents keep the value of positions that are solved, into docs/experiments/perfect.md
	bin/ggp perfect $(GAMES:%=docs/experiments/perfect/%.json) --agents $(AGENTS) --times $(TIMES) --positions $(POSITIONS) >docs/experiments/perfect.md.new
	mv docs/experiments/perfect.md.new docs/experiments/perfect.md

combinatorial: ## searches of combinatorial moves on the games of their thesis, into docs/experiments/combinatorial.md; half an hour
	$(GO) run ./internal/combinatorial >docs/experiments/combinatorial.md.new
	mv docs/experiments/combinatorial.md.new docs/experiments/combinatorial.md

positions: ## the solved positions, anew; half an hour
	$(GO) run ./internal/perfect/make

bench-table: build ## states/s of the published games, best of five runs of five seconds
	bin/ggp bench --suite --runs 5 --seconds 5 $(TABLE:%=$(CORPUS)/gdl/%.kif)

bench-direct: ## states/s of the direct games in the tests beside the prover and the best machine, as a table; minutes
	@$(GO) test ./games -count 1 -timeout 30m -run TestDirectTable -table 1s -v | grep '^|'

games-table: build ## the table of docs/games.md; minutes
	bin/ggp games --table

perft: ## counts and walks beside the direct games, deeper than in make test
	$(LONG) ./games

matches: ## our player in all seats of every bundled game, the large ones as well; about half an hour
	$(LONG) ./player/referee -run 'TestPlayerPlaysAll|TestBundled' -v

fuzz: ## each fuzz target for FUZZTIME
	@for pkg in $$($(GO) list ./...); do \
		dir=$$($(GO) list -f '{{.Dir}}' $$pkg); \
		for target in $$(grep -ho '^func Fuzz[A-Za-z0-9_]*' $$dir/*_test.go 2>/dev/null | sed 's/^func //'); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done

verify: ## replay every published trace on every engine
	$(GO) run ./ggp verify --engine all --games $(CORPUS)/gdl $(CORPUS)/traces/*.jsonl

verify-long: ## an hour of random walks on every bundled and published game, plan and width, held against the prover
	$(LONG) ./reasoner/reasonertest -run TestMachines -v -spend 1h

soak: ## 300 matches over HTTP with 1 s clocks, hostile managers among them
	GOMAXPROCS=2 $(LONG) ./player/referee -run TestSoak -v

strength: ## win rates against random play and against fewer iterations
	$(LONG) ./player/referee -run TestStrength -v

PLATFORMS = linux/amd64 linux/arm64 linux/386 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64 freebsd/amd64

empty :=
space := $(empty) $(empty)
comma := ,

release: ## static programs for all platforms in dist, the same on every machine, with checksums and a bill of materials
	$(GO) run ./internal/release --out dist --commit "$(COMMIT)" --platforms $(subst $(space),$(comma),$(PLATFORMS))

DURATION ?= 1h

torture: build ## the player among hostile managers, players and servers for DURATION, into docs/reliability.md; status 1 if a move was late or illegal, or memory passed its bound
	$(GO) run ./internal/torture --ggp bin/ggp --duration $(DURATION) --out docs/reliability.md

torture-queue: ## three nodes and four workers as processes, a node and two workers killed at random: every play once; minutes
	$(LONG) ./ggp -run TestQueueTorture -v

release-check: ## the command builds on other platforms, with the Go kernels where there are no others
	@for p in $(PLATFORMS); do \
		echo "$$p"; \
		CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -o /dev/null ./ggp && \
		CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) vet ./... || exit 1; \
	done
	GGP_KERNEL=go $(GO) test ./reasoner/lanes
