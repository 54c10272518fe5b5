PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
INSTALLED := .venv/.installed
READY := .venv/.ready

.PHONY: help setup demo test test-slow check reference bench clean

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

test: $(READY) ## Run the tests.
	$(BIN)/python -m pytest

test-slow: $(READY) ## Run the reproduction tests as well, which take minutes.
	$(BIN)/python -m pytest -m 'slow or not slow'

check: $(READY) ## Check format, lint, types and layers.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

reference: $(READY) ## Build the reference of the Python interface from docstrings; writes build/reference/.
	$(BIN)/python docs/reference.py build/reference

bench: $(READY) ## Measure speed against other libraries; writes benchmarks/results/.
	$(BIN)/python benchmarks/run.py

clean: ## Remove what was made.
	rm -rf .venv demo build
