# Everything works from a bare checkout with Python 3.11+ and make: each target installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export NO_MKDOCS_2_WARNING := 1
CATALOGUES := $(wildcard src/cantstop/language/catalogues/*/LC_MESSAGES/*.po)

.DEFAULT_GOAL := help
.PHONY: help run test lint format bench bench-web bench-server attack fuzz screenshots known-figures lockstep soak docs golden snapshots conversations protocol-types catalogues wheel wheel-test clean

help: ## Show what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "cantstop needs Python 3.11 or newer; set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The play-only install is small; the development install holds it too.
$(VENV)/.play: $(BIN)/python pyproject.toml constraints.txt
	@test -f $(VENV)/.develop || $(BIN)/python -m pip install --quiet -c constraints.txt -e '.[all]'
	@touch $@

$(VENV)/.develop: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.play

# The browser tests drive the system's Chromium; where we may, we get it by its package manager.
$(VENV)/.browser: $(BIN)/python
	@command -v chromium >/dev/null || { command -v apt-get >/dev/null && \
		$(if $(filter 0,$(shell id -u)),,sudo -n) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null'; } || \
		{ echo "The browser tests need Chromium: install it so that 'chromium' is on the PATH." >&2; exit 1; }
	@touch $@

# The terminal tests drive the app in tmux.
$(VENV)/.tmux: $(BIN)/python
	@command -v tmux >/dev/null || { command -v apt-get >/dev/null && \
		$(if $(filter 0,$(shell id -u)),,sudo -n) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq tmux >/dev/null'; } || \
		{ echo "The terminal tests need tmux: install it so that 'tmux' is on the PATH." >&2; exit 1; }
	@touch $@

# The sources made for GPUs are tested as ordinary C++.
$(VENV)/.compiler: $(BIN)/python
	@command -v g++ >/dev/null || { command -v apt-get >/dev/null && \
		$(if $(filter 0,$(shell id -u)),,sudo -n) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq g++ >/dev/null'; } || \
		{ echo "The tests of the GPU arena need a C++ compiler: install g++ so that it is on the PATH." >&2; exit 1; }
	@touch $@

# Node checks the browser client's modules; it is not needed to run or play.
node_modules/.installed: package.json package-lock.json .npmrc
	@command -v npm >/dev/null || { command -v apt-get >/dev/null && \
		$(if $(filter 0,$(shell id -u)),,sudo -n) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nodejs npm >/dev/null'; } || \
		{ echo "Checking the browser client needs Node 18 or newer: install it so that 'npm' is on the PATH." >&2; exit 1; }
	npm ci --silent
	@touch $@

$(VENV)/.catalogues: $(VENV)/.develop $(CATALOGUES) tools/compile_catalogues.py
	@$(BIN)/python tools/compile_catalogues.py
	@touch $@

run: $(VENV)/.play ## Play in the browser
	@$(BIN)/cantstop

# Every line and branch of these packages is reached by their own tests, which alone pay for measuring it.
COVERED := rules record odds
COVERED_TESTS := $(COVERED:%=tests/%) tests/test_game.py tests/test_misuse.py tests/test_golden.py
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal -r R --doctest-modules --doctest-glob='*.md'

test: $(VENV)/.catalogues $(VENV)/.browser $(VENV)/.tmux $(VENV)/.compiler ## Run all tests; prints which tests prove which rule
	$(PYTEST) $(COVERED_TESTS) $(COVERED:%=src/cantstop/%) $(COVERED:%=--cov=cantstop.%) \
		--cov-report=term:skip-covered --cov-fail-under=100
	$(PYTEST) $(COVERED_TESTS:%=--ignore=%) $(COVERED:%=--ignore=src/cantstop/%)

lint: $(VENV)/.catalogues node_modules/.installed ## Check style, types, layers and the documentation
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target \
		lint-types lint-darwin lint-win32 lint-style lint-layers lint-web lint-docs

.PHONY: lint-types lint-darwin lint-win32 lint-style lint-layers lint-web lint-docs
lint-types:
	$(BIN)/mypy

# what is only there on other systems; a cache is good for one platform
lint-darwin lint-win32: lint-%:
	$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$* src

lint-style:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

lint-layers:
	$(BIN)/lint-imports

lint-web:
	npm run --silent lint

lint-docs:
	$(BIN)/mkdocs build --quiet --strict

format: $(VENV)/.develop node_modules/.installed ## Put the code into the common style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	npm run --silent format

bench: $(VENV)/.develop ## Measure speed on this machine
	@$(BIN)/python tools/bench.py
	@$(BIN)/python tools/bench_kernel.py
	@$(BIN)/python tools/bench_engine.py
	@$(BIN)/python tools/bench_rl.py
	@$(BIN)/python tools/bench_terminal.py

bench-web: $(VENV)/.catalogues $(VENV)/.browser ## Measure the table page in a browser: bytes, time to usable, clicks
	@$(BIN)/python tools/bench_web.py

fuzz: $(VENV)/.catalogues ## Read and send a million pieces of nonsense; DATABASE=URL for one of your own
	@nice $(BIN)/python tools/fuzz_readers.py
	@nice $(BIN)/python tools/fuzz_server.py $(if $(DATABASE),--database $(DATABASE))

bench-server: $(VENV)/.develop ## Load the server with 2,000 sockets: latency, memory, break point
	@$(BIN)/python tools/bench_server.py

attack: $(VENV)/.develop ## Attack a server of its own on loopback while players act; fails if they notice
	@$(BIN)/python -m tools.attack

screenshots: $(VENV)/.catalogues $(VENV)/.browser ## Take pictures of every page, on a phone and a desk, by day and by night
	@$(BIN)/python tools/screenshots.py

known-figures: $(VENV)/.develop ## Play the matches whose results are published, and compare
	@$(BIN)/python tools/known_figures.py

lockstep: $(VENV)/.develop ## Play 200,000 random turns by the rules and by the kernel at once, and 100,000 steps of each environment
	@$(BIN)/python tools/lockstep.py 200000
	@$(BIN)/python tools/lockstep_rl.py 100000

soak: $(VENV)/.develop ## Play 1,000 games over two workers, and as many on each database with kills at any moment
	@$(BIN)/python tools/soak.py

docs: $(VENV)/.develop ## Build the documentation into site/
	$(BIN)/mkdocs build --strict

snapshots: $(VENV)/.catalogues ## Take the pictures of the terminal app anew; look at the diff
	$(BIN)/python tools/snapshots.py

golden: $(VENV)/.develop ## Write the golden playthroughs and counted trees anew; look at the diff
	$(BIN)/python tools/golden.py
	$(BIN)/python tools/rl_playthrough.py

protocol-types: $(VENV)/.develop ## Write the browser's types of the protocol anew from the server's schemas
	$(BIN)/python tools/protocol_types.py

conversations: $(VENV)/.catalogues ## Record the conversations with the server anew; look at the diff
	$(BIN)/python tools/record_conversations.py tests/server/data/conversations

catalogues: $(VENV)/.develop ## Bring the translations' catalogues up to date with the sources
	$(BIN)/python tools/catalogues.py

wheel: $(VENV)/.develop ## Build the package into dist/
	$(BIN)/python -m build --outdir dist

wheel-test: $(VENV)/.develop ## Try the wheel in fresh environments: core, each extra, all; EXTRAS="core all" PYTHONS="python3.12 …"
	$(BIN)/python tools/wheel_test.py $(EXTRAS) $(if $(PYTHONS),--pythons $(PYTHONS))

clean: ## Remove everything that was made
	rm -rf $(VENV) node_modules dist site .coverage .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
