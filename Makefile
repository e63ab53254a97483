# `make` lists the targets.
VENV     := .venv
BIN      := $(VENV)/bin
STAMP    := $(VENV)/.installed
PYTHONS  := python3 python3.14 python3.13 python3.12 python3.11
BENCHES  := windows state sql memory latency durability soak cacq stems registering condense strategies subscribers cluster profile

# Spark follows JAVA_HOME blindly, so it gets the one that was checked.
JAVA     = JAVA_HOME="$$(sh scripts/java.sh --home)"

.DEFAULT_GOAL := help
MINUTES  ?= 10
# Of bench-peers: rows that are timed, and which lines from which formats; by default all.
ROWS     ?= 20000000
LINES    ?=
FORMATS  ?=
TURNS    ?= 1

.PHONY: help setup demo test test-all fuzz torture soak check refactor-proof golden golden-checkpoint bench bench-peers bench-baseline bench-baseline-write lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## make .venv with everything in it, and see that Java is there
	@sh scripts/java.sh

$(BIN)/python:
	@for python in $(PYTHONS); do \
	  if $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    exec $$python -m venv $(VENV); \
	  fi; \
	done; \
	echo 'Tailrace needs Python 3.11 or newer with its venv module: install one (Debian: python3 python3-venv).' >&2; \
	exit 1

$(STAMP): requirements.lock pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -qq --no-deps --no-build-isolation -e .
	@touch $@

demo: setup ## run the Linear Road example from start to end
	$(JAVA) $(BIN)/tailrace demo linear-road

test: setup check ## lint, types, and all tests that are not slow; the same random examples each time
	$(JAVA) PYTHONHASHSEED=0 sh scripts/test.sh $(BIN)/pytest -m 'not slow'

test-all: setup check ## lint, types, and every test; random examples that are new each time
	$(JAVA) TAILRACE_SEEDS=fresh sh scripts/test.sh $(BIN)/pytest
	$(JAVA) $(BIN)/python -m tests.fuzz --minutes 10

fuzz: setup ## random scripts through Spark against the definition, on fresh seeds, for MINUTES=10
	$(JAVA) $(BIN)/python -m tests.fuzz --minutes $(MINUTES)

torture: setup ## crashes at every call to the disk, failing disks, damage, kills and a loaded server, for MINUTES=10
	$(JAVA) $(BIN)/python -m tests.torture --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

soak: setup ## a server under 5,000 rows a second, kills, bad queries and a restore, for MINUTES=60; exact in the end
	$(JAVA) $(BIN)/python -m tests.torture.soak --minutes $(if $(filter file,$(origin MINUTES)),60,$(MINUTES)) \
	  $(if $(SEED),--seed $(SEED))

check: $(STAMP) ## ruff and mypy, in seconds
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

refactor-proof: setup ## the AST of every statement before and after the redesign's moves, renames and docstrings
	$(BIN)/python scripts/refactor/proof.py

golden: setup ## rewrite the golden files from what the code gives now; read the diff before you commit it
	TAILRACE_GOLDEN=write $(BIN)/pytest tests/golden tests/test_examples.py

golden-checkpoint: setup ## make the stored checkpoint of tests/checkpoints anew, after a change of its format
	$(JAVA) $(BIN)/python -m tests.checkpoints.stored

bench: setup ## run every benchmark
	@set -e; for name in $(BENCHES); do $(JAVA) $(BIN)/tailrace bench $$name; done

bench-peers: setup ## Tailrace beside Flink SQL, which gets .venv-flink; ROWS=1000000 LINES="filter tumbling" for less
	$(JAVA) $(BIN)/python -m tailrace.bench.peers --rows $(ROWS) --turns $(TURNS) \
	  $(if $(LINES),--lines $(LINES)) $(if $(FORMATS),--formats $(FORMATS))

bench-baseline: setup ## run quick benchmarks, and print their figures beside the stored ones
	@$(JAVA) $(BIN)/python scripts/bench_baseline.py

bench-baseline-write: setup ## run quick benchmarks, and store their figures
	@$(JAVA) $(BIN)/python scripts/bench_baseline.py --write

lock: $(STAMP) ## pin the newest packages that pyproject.toml allows
	$(BIN)/pip-compile --quiet --upgrade --extra dev --extra bench --generate-hashes --allow-unsafe --strip-extras \
	  --no-header --no-annotate --no-emit-index-url --no-emit-trusted-host --no-emit-options \
	  -o $(VENV)/lock.txt pyproject.toml
	@sed -n '/^[^#]/q;p' requirements.lock | cat - $(VENV)/lock.txt > $(VENV)/lock.new
	@mv $(VENV)/lock.new requirements.lock

clean: ## remove .venv, .venv-flink, caches and outputs
	rm -rf $(VENV) .venv-flink build dist out *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -rf spark-warehouse metastore_db derby.log
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
