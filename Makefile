# Every target makes .venv on first use; it is made again only when pyproject.toml changes.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
JOBS ?= 2

.PHONY: setup test test-slow test-full check snapshot reference lint demo docs bench clean

setup: .venv/.dev-ready

# Large lanes run a seeded sample in test and test-slow; test-full runs everything and resumes where it was stopped.
# Workers take whole files in the order of tests/conftest.py, the longest first. Programs are compiled at LLVM's level 0 in
# test, as users have them in the others: same bits (tests/agreement/test_levels.py), a third of the compiler's time.
# lint runs beside the tests; what it prints is shown after theirs.
test: .venv/.dev-ready
	@mkdir -p build; $(MAKE) --no-print-directory lint >build/lint.txt 2>&1 & lint=$$!; \
	GOUGH_OPT=0 $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder -m 'not slow' $(PYTEST_ARGS); \
	tests=$$?; wait $$lint; linted=$$?; echo; echo "make lint:"; cat build/lint.txt; [ $$tests = 0 ] && [ $$linted = 0 ]

test-slow: .venv/.dev-ready
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder -m slow $(PYTEST_ARGS)

test-full: .venv/.dev-ready
	GOUGH_TESTS=full $(BIN)/python -m pytest -n $(JOBS) $(PYTEST_ARGS)

# Both lanes; then the commit that passed is noted in build/passed, if nothing but that commit was there.
check:
	@commit=$$(git rev-parse HEAD) && $(MAKE) test && $(MAKE) test-slow && \
	if [ -z "$$(git status --porcelain)" ] && [ "$$(git rev-parse HEAD)" = "$$commit" ]; then \
		echo "$$commit" >build/passed; echo "passed: $$commit"; \
	else echo "passed, but not as a commit: build/passed is left as it was"; fi

# Numbers of this tree; compare two files with `python tools/snapshot.py compare OLD NEW`.
FILE ?= build/snapshot.npz
snapshot: .venv/.dev-ready
	$(BIN)/python tools/snapshot.py take $(FILE) --jobs $(JOBS) $(SNAPSHOT_ARGS)

# Numbers of another commit, in build/reference/COMMIT.npz: it is checked out in build/reference, with an environment of
# today's package versions, and answers by its own questions and its own adapter.
REV ?= $(shell cat tools/reference)
reference: .venv/.dev-ready
	@mkdir -p build/reference
	@rev=$$(git rev-parse --verify '$(REV)^{commit}') && at=build/reference/$$rev && \
	{ test -d $$at || { git clone --quiet --shared --no-checkout . $$at && git -C $$at checkout --quiet --detach $$rev; }; } && \
	$(BIN)/python -m pip --disable-pip-version-check freeze --exclude-editable > build/reference/versions.txt && \
	PIP_CONSTRAINT=$$PWD/build/reference/versions.txt $(MAKE) --no-print-directory -C $$at setup && \
	cd $$at && .venv/bin/python tools/snapshot.py take ../$$rev.npz --jobs $(JOBS) $(SNAPSHOT_ARGS)

lint: .venv/.dev-ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

demo: .venv/.dev-ready
	@$(BIN)/python examples/stewart_forces.py

# The site, in docs/_build/html: code blocks run, warnings are errors.
docs: .venv/.dev-ready
	$(BIN)/python -m sphinx -q -W --keep-going docs docs/_build/html
	@echo "open docs/_build/html/index.html"

bench: .venv/.dev-ready
	$(BIN)/python -m benchmarks.engine $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.dynamics $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.simulation $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.calls $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.check $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.smoothing $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.forward_kinematics $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.assembly_modes $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.workspace $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.calibration $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.fastest $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.optimise $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.decisions $(BENCH_ARGS)

clean:
	rm -rf .venv build dist docs/_build docs/generated .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests benchmarks examples docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

.venv/.dev-ready: pyproject.toml
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "gough needs Python 3.11 or newer and found none: install it, or name it with make PYTHON=/path/to/python" >&2; \
		exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
