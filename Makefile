# Everything works from a bare checkout with Python 3.11+ and make: each target installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export NO_MKDOCS_2_WARNING := 1
# The tests start hundreds of processes: they compile our sources once, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=
CATALOGUES := $(wildcard src/cantstop/language/catalogues/*/LC_MESSAGES/*.po)

# What is installed is pinned, and so is what builds it (older versions of pip read the first for both).
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run check test lint format bench bench-web bench-server attack fuzz screenshots known-figures lockstep mutations soak docs golden snapshots conversations protocol catalogues wasm wheel wheel-test lowest-test reference clean

help: ## Show what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "cantstop needs Python 3.11 or newer; set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The play-only install is small; the development install holds it too.
$(VENV)/.play: $(BIN)/python pyproject.toml constraints.txt
	@test -f $(VENV)/.develop || $(BIN)/python -m pip install --quiet -e '.[all]'
	@touch $@

$(VENV)/.develop: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	@touch $@ $(VENV)/.play

# The browser tests drive the system's Chromium, best the one without windows (the whole package brings the fonts);
# where we may, we get both by its package manager, and the D-Bus by which notifications are shown.
$(VENV)/.browser: $(BIN)/python
	@command -v chromium-headless-shell >/dev/null && command -v dbus-daemon >/dev/null || { command -v apt-get >/dev/null && \
		$(if $(filter 0,$(shell id -u)),,sudo -n) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium chromium-headless-shell dbus-daemon >/dev/null'; } || \
		command -v chromium >/dev/null || \
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

# CairoSVG, which the tests of pictures use, needs the cairo library; Chromium's package brings it too.
$(VENV)/.cairo: $(VENV)/.develop
	@$(BIN)/python -c 'import cairocffi' 2>/dev/null || { command -v apt-get >/dev/null && \
		$(if $(filter 0,$(shell id -u)),,sudo -n) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libcairo2 >/dev/null'; } || \
		{ echo "The tests of pictures need the cairo library: install libcairo2 (cairo, on macOS)." >&2; exit 1; }
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

# The fast tier: what everything else is built on, in processes of its own: no browser, no terminal.
CHECKED_TESTS := $(addprefix tests/,rules record odds dice client test_game.py test_golden.py test_misuse.py) \
	$(addprefix tests/server/test_,bounds.py conversations.py events.py protocol_types.py table.py takeback.py views.py)
BASE = $(shell git merge-base HEAD @{upstream} 2>/dev/null || echo HEAD)
CHANGED = $(shell git diff --name-only --diff-filter=d $(BASE); git ls-files --others --exclude-standard)

check: $(VENV)/.catalogues ## Check what you work on, in a minute or two: lints what changed, tests the ground everything is built on
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint-style lint-layers check-types check-web check-tests

.PHONY: check-types check-web check-tests
check-types:
	$(if $(filter %.py,$(CHANGED)),$(BIN)/mypy $(filter %.py,$(CHANGED)))

check-web:
	$(if $(filter %.js %.css,$(CHANGED)),$(MAKE) --no-print-directory node_modules/.installed lint-web)

check-tests:
	$(BIN)/python -m pytest -n 2 --dist worksteal -q $(CHECKED_TESTS)

# Every line and branch of these packages is reached by their own tests, which alone pay for measuring it;
# the examples in their docstrings are run with the rest: some wait for Numba to compile.
COVERED := rules record odds
COVERED_TESTS := $(COVERED:%=tests/%) tests/test_game.py tests/test_misuse.py tests/test_golden.py
# twice as many as cores: tests wait for browsers, servers and clocks as long as they work
WORKERS ?= 4
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --doctest-modules --doctest-glob='*.md'

test: $(VENV)/.catalogues $(VENV)/.browser $(VENV)/.tmux $(VENV)/.compiler $(VENV)/.cairo ## Run all tests; prints which tests prove which rule
	$(PYTEST) $(COVERED_TESTS) $(COVERED:%=--cov=cantstop.%) --cov-report=term:skip-covered --cov-fail-under=100
	$(PYTEST) $(COVERED_TESTS:%=--ignore=%)

lint: $(VENV)/.catalogues node_modules/.installed ## Check style, types, layers and the documentation
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target \
		lint-types lint-darwin lint-win32 lint-style lint-layers lint-module lint-web lint-docs

.PHONY: lint-types lint-darwin lint-win32 lint-style lint-layers lint-module lint-web lint-docs
lint-types:
	$(BIN)/mypy

# what is only there on other systems; a cache is good for one platform
lint-darwin lint-win32: lint-%:
	$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$* src

lint-style:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python tools/plain_words.py
	$(BIN)/python tools/typed_border.py

lint-layers:
	$(BIN)/lint-imports

lint-module:
	PYTHONPATH=tools $(BIN)/python -m wasm.build --check

lint-web:
	npm run --silent lint

lint-docs:
	$(BIN)/python tools/api_reference.py --check
	$(BIN)/python tools/protocol_types.py --check
	$(BIN)/mkdocs build --quiet --strict

format: $(VENV)/.develop node_modules/.installed ## Put the code into the common style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	npm run --silent format

bench: $(VENV)/.develop ## Measure speed on this machine; BASE=REV compares the rules with another revision
	@$(BIN)/python tools/bench.py $(if $(BASE),--base $(BASE))
	@$(BIN)/python tools/bench_kernel.py
	@$(BIN)/python tools/bench_engine.py
	@$(BIN)/python tools/bench_rl.py
	@$(BIN)/python tools/bench_terminal.py

bench-web: $(VENV)/.catalogues $(VENV)/.browser ## Measure the table page in a browser: bytes, time to usable, clicks, dropped frames
	@$(BIN)/python tools/bench_web.py
	@$(BIN)/python tools/bench_frames.py

fuzz: $(VENV)/.catalogues ## Read and send a million pieces of nonsense; DATABASE=URL for one of your own
	@nice $(BIN)/python tools/fuzz_readers.py
	@nice $(BIN)/python tools/fuzz_server.py $(if $(DATABASE),--database $(DATABASE))

bench-server: $(VENV)/.develop ## Load the server with 2,000 sockets: latency, memory, break point
	@$(BIN)/python tools/bench_server.py

attack: $(VENV)/.develop ## Attack a server of its own on loopback while players act; fails if they notice. BEFORE=COMMIT: an earlier one too
	@$(BIN)/python -m tools.attack $(if $(BEFORE),--before $(BEFORE))

screenshots: $(VENV)/.catalogues $(VENV)/.browser ## Take pictures of every page, on a phone and a desk, by day and by night
	@$(BIN)/python tools/screenshots.py

known-figures: $(VENV)/.develop ## Play the matches whose results are published, and compare
	@$(BIN)/python tools/known_figures.py

lockstep: $(VENV)/.develop $(VENV)/.browser ## Play 200,000 random turns by the rules and by the kernel at once, 100,000 steps of each environment, 10,000 local tables
	@$(BIN)/python tools/lockstep.py 200000
	@$(BIN)/python tools/lockstep_rl.py 100000
	@$(BIN)/python tools/lockstep_local.py 10000

mutations: $(VENV)/.catalogues $(VENV)/.browser ## Make one mistake in each package in turn: its tests have to notice
	@$(BIN)/python tools/mutations.py

soak: $(VENV)/.develop ## Play 1,000 games over two workers, and as many on each database with kills at any moment
	@$(BIN)/python tools/soak.py

docs: $(VENV)/.catalogues ## Build the documentation into site/, with the game to play on its first page
	$(BIN)/mkdocs build --strict
	$(BIN)/cantstop site site/app

reference: $(VENV)/.develop ## Write the reference again from the docstrings, and the programs into the cookbook
	$(BIN)/python tools/api_reference.py

snapshots: $(VENV)/.catalogues ## Take the pictures of the terminal app again; look at the diff
	$(BIN)/python tools/snapshots.py

golden: $(VENV)/.develop ## Write the golden playthroughs and counted trees again; look at the diff
	$(BIN)/python tools/golden.py
	$(BIN)/python tools/rl_playthrough.py

protocol: $(VENV)/.develop ## Write the browser's types and the docs' table of events again from the protocol
	$(BIN)/python tools/protocol_types.py

conversations: $(VENV)/.catalogues ## Record the conversations with the server again; look at the diff
	$(BIN)/python tools/record_conversations.py tests/server/data/conversations

catalogues: $(VENV)/.develop ## Bring the translations' catalogues up to date with the sources
	$(BIN)/python tools/catalogues.py

wasm: $(VENV)/.develop ## Build the engine's module again from the Python functions it is made of
	PYTHONPATH=tools $(BIN)/python -m wasm.build

wheel: $(VENV)/.develop ## Build the package into dist/
	$(BIN)/python -m build --outdir dist

wheel-test: $(VENV)/.develop ## Try the wheel in fresh environments: core, each extra, all; EXTRAS="core all" PYTHONS="python3.12 …"
	$(BIN)/python tools/wheel_test.py $(EXTRAS) $(if $(PYTHONS),--pythons $(PYTHONS))

lowest-test: $(VENV)/.develop ## Try the wheel with the lowest versions that pyproject.toml allows
	$(BIN)/python tools/wheel_test.py --lowest all postgresql rl openspiel parquet ray $(if $(PYTHONS),--pythons $(PYTHONS))

clean: ## Remove everything that was made
	rm -rf $(VENV) node_modules dist site .coverage .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
