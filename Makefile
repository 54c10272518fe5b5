PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PYTEST = $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal
WORKERS ?= 2
INSTALLED := .venv/.installed
READY := .venv/.ready
SERVER := .venv/.server
PAGE := src/linkwl/serving/static/index.html
PAGE_PACKAGES := web/node_modules/.package-lock.json
PAGE_SOURCES := $(shell find web -path web/node_modules -prune -o -type f -print)
NPM = npm --prefix web --loglevel=error

# Tests start hundreds of processes; without bytecode each would compile the sources anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo page page-check page-test serve quick test test-ray test-slow check docs wheel bench clean

help: ## Show what can be made.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(READY) ## Create .venv with linkwl and the tools to work on it.

$(INSTALLED): pyproject.toml constraints.txt
	@echo "setting up .venv: a minute or two, once"
	$(PYTHON) -m venv .venv
	$(PIP) --editable .
	@touch $@

$(SERVER): $(INSTALLED)
	$(PIP) --editable '.[serve]'
	@touch $@

$(READY): $(INSTALLED)
	@echo "adding the tools for tests and checks: another minute, once"
	$(PIP) --editable '.[dev]'
	@touch $@

demo: $(INSTALLED) ## Find the missing routes between US airports; writes demo/index.html.
	$(BIN)/linkwl demo --out demo

page: $(PAGE) ## Build the page of linkwl serve, with Node; writes src/linkwl/serving/static.

$(PAGE): $(PAGE_PACKAGES) $(PAGE_SOURCES)
	$(NPM) run --silent build -- --logLevel warn

$(PAGE_PACKAGES): web/package-lock.json
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null || \
	  { echo "the page of linkwl serve is built with Node; install Node 20.19 or newer with npm, and run make again." >&2; exit 2; }
	$(NPM) ci || { echo "npm could not fetch the packages in web/package-lock.json; check the network and npm's registry setting." >&2; exit 2; }
	@touch $@

# Without Node these two say so and succeed: the Python side can be worked on alone.
page-check page-test: page-%:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory page && $(NPM) run --silent $*; \
	else echo "no Node: the page of linkwl serve is not part of this run"; fi

serve: $(SERVER) $(PAGE) ## Open the page of the airports model on this machine.
	$(BIN)/linkwl serve --open

quick: $(READY) ## Run most tests of every part, in less than ten minutes.
	$(PYTEST) -m 'not slow and not thorough'

test: $(READY) page-test ## Run the tests; those of large grids are sampled.
	$(PYTEST)

test-ray: $(READY) ## Run the tests of the engine on Ray, which start clusters on this machine.
	$(BIN)/python tests/run_ray_tests.py

test-slow: $(READY) ## Run all tests, the slow ones and every case of large grids among them.
	LINKWL_EXHAUSTIVE=1 $(PYTEST) -m 'not ray'
	$(BIN)/python tests/run_ray_tests.py

check: $(READY) page-check ## Check format, lint, types and layers.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(READY) ## Build the documentation; writes build/site/index.html.
	$(BIN)/python -m sphinx -W --keep-going --quiet --fresh-env --builder html --doctree-dir build/site-cache docs build/site
	@echo "open build/site/index.html in a browser"

wheel: $(READY) $(PAGE) ## Build the package; writes dist/linkwl-VERSION-py3-none-any.whl.
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .

bench: $(READY) ## Measure speed against other libraries; writes benchmarks/results/.
	$(BIN)/python benchmarks/run.py

clean: ## Remove what was made.
	rm -rf .venv demo build dist web/node_modules src/linkwl/serving/static
