# Everything below does its own set-up on a machine that has Python 3.11+ and make.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test browser check docs site truth soak sbom lab drift bench format clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(VENV)/core: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/dev: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]' --group dev
	@touch $@ $(VENV)/core

$(VENV)/browser: $(VENV)/dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group browser
	@touch $@

demo: $(VENV)/core ## ingest the sample incident and print its report
	@$(BIN)/loganalyst analyze sample_logs/one-step-4.1.0/logs

test: $(VENV)/dev ## run the test suite (all of it but the browser's)
	@$(BIN)/python -m pytest -n auto --dist loadgroup --ignore tests/browser

browser: $(VENV)/browser ## the tests of the HTML report in a real browser; needs Debian's package chromium
	@$(BIN)/python -m pytest tests/browser

check: $(VENV)/dev ## formatting, lint, types, generated docs
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/python docs/generate.py --check

$(VENV)/site: $(VENV)/dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group docs
	@touch $@

site: $(VENV)/site ## build the documentation site into site/, the notebook run with it
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

docs: $(VENV)/dev ## write the generated pages of docs/ and the outputs they show anew
	@$(BIN)/python docs/generate.py
	@$(BIN)/python docs/console.py

format: $(VENV)/dev ## rewrite the code as the formatter wants it
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

truth: $(VENV)/dev ## compare with the recorded truth of real incidents, print the scoreboard
	@$(BIN)/python -m tests.truth

MINUTES ?= 600

soak: $(VENV)/dev ## the reliability numbers in full, MINUTES at a time; goes on where it stopped
	@$(BIN)/python -m tests.soak --minutes $(MINUTES)

sbom: $(VENV)/dev ## write dist/sbom.cdx.json, the bill of materials of this installation
	@mkdir -p dist
	@$(BIN)/python -m tests.supply.sbom > dist/sbom.cdx.json

SCENE ?= one-step
KAFKA ?= newest
OPTIONS ?=
OUT ?=
CLIENTS ?=

lab: ## play SCENE on KAFKA into OUT with real brokers (Java 17+, Maven); `OPTIONS="pods=3"`, CLIENTS=2.8.2
	@$(PYTHON) -m lab play $(SCENE) $(OPTIONS) --kafka $(KAFKA) $(if $(CLIENTS),--clients $(CLIENTS)) $(if $(OUT),--out $(OUT))

drift: $(VENV)/core ## play the core scenes on KAFKA, list statements that the catalogue does not know
	@$(BIN)/python -m lab drift --kafka $(KAFKA)

clean: ## remove what the targets above made
	@rm -rf $(VENV) dist build site .soak .pytest_cache .ruff_cache .mypy_cache
