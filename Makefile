# `make run` and `make test` set up what they need by themselves (scripts/setup.sh), once.
PY := .venv/bin/python
ARGS ?=
export EXTRAS
.DEFAULT_GOAL := help
.PHONY: help install run test check format bench train lock clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' Makefile

install:  ## set up .venv with what a user needs; EXTRAS="onnxruntime paddle" adds backends
	@scripts/setup.sh run

dev:
	@scripts/setup.sh dev
.PHONY: dev

run: install  ## read the documents in samples/images: table, out/json, out/pictures
	$(PY) -m pipeline extract samples/images --out out/json --visualize out/pictures $(ARGS)

test: dev  ## run the tests (ARGS="tests/unit -k name" for some)
	$(PY) -m pytest $(ARGS)

check: dev  ## linters, types, import layers
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m mypy tests benchmarks scripts
	.venv/bin/python -c "from importlinter.cli import lint_imports_command as main; main()"

format: dev  ## put the code into the project's format
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: dev  ## speed and accuracy beside RapidOCR, then stage by stage
	mkdir -p out
	$(PY) -m benchmarks.peers --json out/peers.json $(ARGS)
	$(PY) -m benchmarks.stages

train:  ## train the network for fields as the shipped one was: DATA=path/to/sroie_train
	@EXTRAS="train $(EXTRAS)" scripts/setup.sh run
	$(PY) -m pipeline train layout-ner --recipe models/layout_ner/weights/recipe.json $(addprefix --data ,$(DATA)) $(ARGS)

lock: dev  ## compute requirements/*.lock after a change of pyproject.toml
	scripts/lock.sh $(ARGS)

clean:  ## remove what make made, .venv included
	rm -rf .venv out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
