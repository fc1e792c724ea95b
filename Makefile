# Two commands do all the set-up on a fresh Debian: `make run` and `make test`.
.DELETE_ON_ERROR:
JOBS ?= $(shell nproc)
OUT ?= out

.PHONY: run test build bench counts docs tables figures format packages package python asan tsan fuzz tidy oracle oracle-check clean campaign campaign-short

# The command alone is built, not the tests.
run: packages
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target bristle_cli
	./build/bristle reproduce --all --out $(OUT)

# The tables of the README and of the documentation that hold results.
counts: run tables
	scripts/readme-tables $(OUT)

# The tables of the documentation that list what the program has, and what its commands print.
tables:
	scripts/docs-tables build/bristle
	tests/docs/check.py update build/bristle

# The pictures of the documentation, drawn by the program.
figures: run
	scripts/docs-figures build/bristle $(OUT)

# The documentation as a site that can be searched, in out/docs.
docs:
	@scripts/install-packages docs
	scripts/make-docs

# The pages are tested in a browser; without one, those tests say so and are skipped.
test: build
	-@scripts/install-packages browser
	ctest --preset release -j $(JOBS)

build: packages
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

bench: packages
	scripts/install-packages bench
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	bench/run

# The Python module for the Python of the system, and its tests. The C++ build does not need it.
python:
	scripts/install-packages python
	cmake --preset python
	cmake --build --preset python -j $(JOBS)
	PYTHONPATH=build/python /usr/bin/python3 -m pytest -q bindings/python/tests

# Debian packages and the sources as a tarball, in build/packages. They are tried on a bare Debian by
# scripts/test-packages, as root.
package:
	scripts/install-packages package
	cmake --preset package
	cmake --build --preset package -j $(JOBS)
	rm -rf build/packages
	cpack --config build/CPackConfig.cmake
	packaging/source-tarball build/packages

# The command, the gallery and the tests of some directories under the address and undefined-behaviour
# sanitizers; ASAN_ROOMS names the directories.
ASAN_ROOMS ?= io cli solve fuzz
empty :=
asan:
	scripts/install-packages clang
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS) --target bristle_cli $(ASAN_ROOMS:=_tests)
	ctest --preset asan -j $(JOBS) -R '^($(subst $(empty) ,|,$(ASAN_ROOMS))):|^experiments: every fact'

# The gallery and what else runs in several threads, under the thread sanitizer.
tsan:
	scripts/install-packages clang
	cmake --preset tsan
	cmake --build --preset tsan -j $(JOBS)
	scripts/run-threads build-tsan/bristle

# Every reader of files under libFuzzer, FUZZ_SECONDS each; see fuzz/run.
export FUZZ_SECONDS FUZZ_RUNS
fuzz:
	scripts/install-packages clang
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS)
	fuzz/run $(FUZZ_ENTRIES)

# clang-tidy on the program and what is tested with random input, headers included; see .clang-tidy.
tidy:
	scripts/install-packages tidy
	cmake --preset tidy
	run-clang-tidy -quiet -j $(JOBS) -p build-tidy '^$(CURDIR)/(build-tidy/(CMakeFiles|cli|fuzz)|src|cli|fuzz|campaign)/'

# The independent numbers of tests and experiments, see oracle/README.md.
oracle:
	@scripts/install-packages oracle
	oracle/run

oracle-check:
	@scripts/install-packages oracle
	oracle/run --check

# Random runs of the solver, see docs/reliability.md: all of them in about an hour on two cores, and
# a short selection for every change. Failing machines are left in $(OUT)/campaign.
SEED ?= 1
campaign: build
	mkdir -p $(OUT)/campaign
	build/bristle_campaign adaptive --seed $(SEED) --count 25000 --json $(OUT)/campaign/adaptive.json --keep $(OUT)/campaign
	build/bristle_campaign fixed --seed $(SEED) --count 100000 --json $(OUT)/campaign/fixed.json --keep $(OUT)/campaign
	campaign/kill.py build/bristle --seed $(SEED) --json $(OUT)/campaign/kill.json
	build/bristle_campaign pairs --seed $(SEED) --count 10000 --json $(OUT)/campaign/pairs.json --allow 0.02
	build/bristle_campaign machines --seed $(SEED) --count 3000 --json $(OUT)/campaign/machines.json --allow 0.03

campaign-short: build
	mkdir -p $(OUT)/campaign
	build/bristle_campaign adaptive --seed 1 --count 1500 --time 30 --json $(OUT)/campaign/adaptive.json
	build/bristle_campaign fixed --seed 1 --count 10000 --time 15 --json $(OUT)/campaign/fixed.json
	build/bristle_campaign pairs --seed 1 --count 100 --time 25 --json $(OUT)/campaign/pairs.json --allow 0.05
	build/bristle_campaign machines --seed 1 --count 30 --time 20 --json $(OUT)/campaign/machines.json --allow 0.05
	campaign/kill.py build/bristle --seed 1 --times 1 --json $(OUT)/campaign/kill.json

packages:
	@scripts/install-packages

format:
	@scripts/install-packages format
	git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-* out
