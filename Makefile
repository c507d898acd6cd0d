# `make demo` runs the main job, `make test` runs lint, types and all tests, `make check` the fast half of that.
# Both set up .venv first: pinned dependencies and torch.

PYTHON ?= python3
VENV ?= .venv
# One that was asked for stays when the environment is set up anew.
ifeq ($(origin TORCH),undefined)
TORCH := $(or $(shell cat $(VENV)/.torch 2>/dev/null),torch==2.13.0)
else
CHOSEN := $(TORCH)
endif
CPU_INDEX ?= https://download.pytorch.org/whl/cpu
BIN := $(VENV)/bin

.PHONY: FORCE help setup browser cores check test tested matrix compiled-check demo lint types docs dist native-wheel vscode new-rule clean

help:
	@echo "make demo   lint, fix and budget the example repository, before and after"
	@echo "make check  the fast half: lint, types and the tests of rules and graph that need no torch, under two minutes"
	@echo "make test   lint, types and all tests"
	@echo "make matrix TORCH=2.12.1 PYTHON=3.12  all tests on other versions; several of each in quotes, TESTS= for a part"
	@echo "make compiled-check  build the compiled form of the linter, compare it with the Python form, time both"
	@echo "make docs   the site, in build/site"
	@echo "make dist   wheels and sdists in build/dist, checked and installed"
	@echo "make vscode the extension for VS Code, tested and packed as build/overhead-lint.vsix; needs Node 20 or newer"
	@echo "make native-wheel  the compiled cores for the torch of $(VENV), in build/dist, for machines without a compiler"
	@echo "make new-rule CODE=OVH612 NAME=what-it-finds FAMILY=python  module, page and test of a new rule"
	@echo "make setup  only the virtual environment ($(VENV))"
	@echo "make browser  Chromium for the tests of HTML reports, where this user may install it"

# Without a GPU, torch's build for CPUs: a simulated device needs one, and the package index may have one for CUDA only, of several GB.
define cpu_torch
@case "$(TORCH)" in \
  *+*) ;; \
  torch==*) nvidia-smi -L >/dev/null 2>&1 || \
    $(BIN)/python -m pip install -q --disable-pip-version-check --no-compile --retries 1 --timeout 20 --no-deps --index-url $(CPU_INDEX) "$(TORCH)+cpu" 2>/dev/null || \
    echo "no $(TORCH)+cpu at $(CPU_INDEX): taking $(TORCH) of the package index" ;; \
esac
endef

setup: $(VENV)/.ready

# Another torch than the one that is there is set up at once.
ifneq ($(CHOSEN),)
ifneq ($(CHOSEN),$(shell cat $(VENV)/.torch 2>/dev/null))
$(VENV)/.ready: FORCE
endif
endif

# pip compiles what it installs file by file, in one process. Nothing imports the tests of what is installed.
$(VENV)/.ready: pyproject.toml setup.py requirements/dev.txt
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 10) else "overhead-lint needs Python 3.10 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(cpu_torch)
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-compile -r requirements/dev.txt "$(TORCH)"
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation -e ".[pytest,dev]"
	$(BIN)/python -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib || true
	$(if $(CHOSEN),echo "$(CHOSEN)" > $(VENV)/.torch)
	touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy overhead_lint overhead_runtime pytest_overhead rules tests benchmarks compiled tools

# For the container of a CI run (CI is set there), where one is root and has apt-get. Without a browser its tests are skipped.
browser:
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
	  command -v $$name >/dev/null && exit; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing Chromium"; \
	  (timeout 120 apt-get update -qq && DEBIAN_FRONTEND=noninteractive timeout 240 apt-get install -y -qq --no-install-recommends \
	    chromium fonts-dejavu-core) >/dev/null 2>&1 && exit; \
	fi; \
	echo "no Chromium: tests of HTML reports in a browser are skipped"

# The inner loop: torch is hidden from it, so that what compiles or runs programs is skipped.
check: lint types
	OVERHEAD_TESTS_WITHOUT_TORCH=1 $(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder tests/rules tests/static

# Each by a process of its own: tests that need the same one would wait for its compiler. Where there is none, they say so.
CORES := contexts counters dispatch simulated
cores: $(CORES:%=core-%)

core-%: setup
	@$(BIN)/overhead-lint native build $* >/dev/null 2>&1 || true

# What comes before the tests keeps one processor busy each, or waits for the network. The types are checked
# beside all of it, and beside the first tests, which wait for programs that they run.
test:
	$(MAKE) -j4 --no-print-directory types tested

# One worker more than there are processors for it: many tests wait for programs that they run.
tested: lint docs $(if $(CI),browser) cores
	OVERHEAD_BUILT_SITE=build/site $(BIN)/python -m pytest -n $$($(BIN)/python -c 'from overhead_lint.support.processors import usable; print(usable() + 1)') --dist loadfile --no-loadscope-reorder

# Other versions, each in an environment of its own; PYTHON names versions here: make matrix TORCH="2.12.1 2.13.0" PYTHON="3.10 3.12"
matrix:
	python3 benchmarks/matrix.py --torch "$(TORCH)" --python "$(if $(filter python3,$(PYTHON)),$(shell python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])'),$(PYTHON))" --tests "$(or $(TESTS),tests)"

compiled-check: setup
	$(BIN)/python benchmarks/compiled_form.py

demo: setup
	$(BIN)/python benchmarks/demo.py

$(VENV)/.docs: requirements/docs.txt $(VENV)/.ready
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements/docs.txt
	touch $@

# The playground page runs on Pyodide, which comes by npm. Without that the page says that it cannot run.
docs/site/playground/node_modules: docs/site/playground/package-lock.json
	@{ command -v npm >/dev/null && cd docs/site/playground && npm ci --silent && touch node_modules; } || \
	  echo "npm gave no Pyodide: the site's playground will not run"

docs: $(VENV)/.docs docs/site/playground/node_modules
	$(BIN)/python tools/site_build.py
	$(BIN)/zensical build --strict --clean -f mkdocs.yml

$(VENV)/.dist: requirements/dist.txt $(VENV)/.ready
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements/dist.txt
	touch $@

dist: $(VENV)/.dist
	$(BIN)/python tools/distributions.py

# The server that its tests talk to is this checkout's.
vscode: setup
	cd editors/vscode && npm ci && OVERHEAD_LINT="$(abspath $(BIN))/overhead-lint" npm test
	mkdir -p build
	cp LICENSE editors/vscode/LICENSE
	cd editors/vscode && npx vsce package --no-dependencies --allow-missing-repository --out ../../build/overhead-lint.vsix

native-wheel: setup
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w build/dist ./overhead_native

new-rule:
	@$(PYTHON) tools/new_rule.py "$(CODE)" "$(NAME)" "$(FAMILY)"

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
