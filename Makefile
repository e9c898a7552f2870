# Everything runs in .venv, which is made at first use from pyproject.toml and made anew when that changes.
#
#   make demo                  watch a recorded game being refereed in the browser
#   make demo ARGS="--once"    referee it and print the score
#   make test                  style, types, import rules and tests
#   make ratchet               compare all sample recordings with the scores once reached (ARGS=--raise keeps better ones)
#   make coverage              which of the rules no test reaches
#   make clean                 remove .venv and what the tools have cached

SHELL := /bin/sh
VENV := .venv
PYTHON ?=
ARGS ?=
PYTEST_ARGS ?=

.PHONY: demo test ratchet coverage install clean

demo: $(VENV)/installed
	@$(VENV)/bin/python -m referee demo $(ARGS)

test: $(VENV)/installed-dev
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/python -m pytest $(PYTEST_ARGS)

ratchet: $(VENV)/installed-dev
	$(VENV)/bin/python -m tests.bench.ratchet $(ARGS)

coverage: $(VENV)/installed-dev
	$(VENV)/bin/coverage run -m pytest tests/games tests/match tests/test_events.py tests/test_log.py tests/test_match.py
	$(VENV)/bin/coverage report --fail-under=100

install: $(VENV)/installed

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# A suitable Python is one that runs (a shim may not), is 3.11 to 3.13 and has venv; the newest is taken.
# Debian ships ensurepip, without which a new environment has no pip, in a package of its own: where it is
# missing, the pip of that Python, if it has one, fills the environment from outside.
define create_venv
set -e; \
if [ -x $(VENV)/bin/python ] && $(VENV)/bin/python -m pip --version >/dev/null 2>&1; then exit 0; fi; \
found=; bare=; \
for candidate in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
    $$candidate -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || continue; \
    bare=$${bare:-$$candidate}; \
    $$candidate -c 'import ensurepip' 2>/dev/null || $$candidate -m pip --version >/dev/null 2>&1 || continue; \
    found=$$candidate; break; \
done; \
if [ -z "$$found" ] && [ -n "$$bare" ]; then \
    version=$$($$bare -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
    echo "referee: $$bare can make no virtual environment (no ensurepip, no pip): install its venv package, on Debian, Ubuntu and Raspberry Pi OS: apt install python$$version-venv" >&2; exit 2; \
fi; \
if [ -z "$$found" ]; then \
    echo "referee: no Python 3.11, 3.12 or 3.13 found (PATH): install one, or name it: make PYTHON=/path/to/python3" >&2; exit 2; \
fi; \
echo "Making $(VENV) with $$($$found --version)"; \
rm -rf $(VENV); \
if $$found -c 'import ensurepip' 2>/dev/null; then $$found -m venv $(VENV); \
else $$found -m venv --without-pip $(VENV); $$found -m pip --python $(VENV)/bin/python install --quiet pip; fi
endef

$(VENV)/installed: pyproject.toml
	@$(create_venv)
	@echo "Installing the referee and what it needs (once; some 150 MB to fetch)"
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml
	@$(create_venv)
	@echo "Installing the referee with its tools for development (once)"
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/installed $@
