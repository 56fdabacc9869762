# The commands of this project. Only Go, make and the Go modules are needed.

GO      ?= go
CORPUS  ?= $(if $(GGP_CORPUS),$(GGP_CORPUS),../shared)
FUZZTIME ?= 20s
# Packages in which goroutines share memory.
CONCURRENT = ./search/... ./protocol/... ./player/... ./reasoner ./reasoner/prover

.PHONY: play build test race lint bench fuzz verify soak strength

play: ## a whole match over HTTP, on this machine
	$(GO) run ./ggp practice

build: ## the command, as bin/ggp
	$(GO) build -o bin/ggp ./ggp

test: ## all tests; the race detector on the concurrent packages where a C compiler is found
	$(GO) test ./...
	@if command -v $$($(GO) env CC) >/dev/null 2>&1; then \
		$(MAKE) --no-print-directory race; \
	else \
		echo "race detector: skipped, no C compiler ($$($(GO) env CC)) found"; \
	fi

race:
	CGO_ENABLED=1 $(GO) test -race -short $(CONCURRENT)

lint: ## formatting, vet, staticcheck
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

bench: ## Go benchmarks of every stage
	$(GO) test -run '^$$' -bench . -benchtime 1s ./...

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

soak: ## 300 matches over HTTP with 1 s clocks, hostile managers among them
	GOMAXPROCS=2 GGP_SOAK=300 $(GO) test -count 1 -timeout 50m -run TestSoak -v ./player/referee

strength: ## win rates against random play and against fewer iterations
	GGP_STRENGTH=100 $(GO) test -count 1 -timeout 90m -run TestStrength -v ./player/referee
