PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PYTEST = $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal
WORKERS ?= 2
INSTALLED := .venv/.installed
READY := .venv/.ready

.PHONY: help setup demo quick test test-ray test-slow check docs wheel bench clean

help: ## Show what can be made.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(READY) ## Create .venv with linkwl and the tools to work on it.

$(INSTALLED): pyproject.toml constraints.txt
	@echo "setting up .venv: a minute or two, once"
	$(PYTHON) -m venv .venv
	$(PIP) --editable .
	@touch $@

$(READY): $(INSTALLED)
	@echo "adding the tools for tests and checks: another minute, once"
	$(PIP) --editable '.[dev]'
	@touch $@

demo: $(INSTALLED) ## Find the missing routes between US airports; writes demo/index.html.
	$(BIN)/linkwl demo --out demo

quick: $(READY) ## Run most tests of every part, in less than two minutes.
	$(PYTEST) -m 'not slow and not thorough'

test: $(READY) ## Run the tests; those of large grids are sampled.
	$(PYTEST)

test-ray: $(READY) ## Run the tests of the engine on Ray, which start clusters on this machine.
	$(BIN)/python tests/run_ray_tests.py

test-slow: $(READY) ## Run all tests, the slow ones and every case of large grids among them.
	LINKWL_EXHAUSTIVE=1 $(PYTEST) -m 'not ray'
	$(BIN)/python tests/run_ray_tests.py

check: $(READY) ## Check format, lint, types and layers.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(READY) ## Build the documentation; writes build/site/index.html.
	$(BIN)/python -m sphinx -W --keep-going --quiet --fresh-env --builder html --doctree-dir build/site-cache docs build/site
	@echo "open build/site/index.html in a browser"

wheel: $(READY) ## Build the package; writes dist/linkwl-VERSION-py3-none-any.whl.
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .

bench: $(READY) ## Measure speed against other libraries; writes benchmarks/results/.
	$(BIN)/python benchmarks/run.py

clean: ## Remove what was made.
	rm -rf .venv demo build dist
