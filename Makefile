# `make demo` runs the main job, `make test` runs lint, types and all tests.
# Both set up .venv first: pinned dependencies and torch.

PYTHON ?= python3
TORCH ?= torch==2.13.0
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: help setup test demo lint types clean

help:
	@echo "make demo   lint, fix and budget the example repository, before and after"
	@echo "make test   lint, types and all tests"
	@echo "make setup  only the virtual environment ($(VENV))"

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml requirements/dev.txt
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 10) else "overhead-lint needs Python 3.10 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements/dev.txt "$(TORCH)"
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[pytest,dev]"
	touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy overhead_lint pytest_overhead rules tests benchmarks

test: lint types
	$(BIN)/python -m pytest -n auto --dist loadfile

demo: setup
	$(BIN)/python benchmarks/demo.py

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
