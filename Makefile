# Two commands do all the set-up on a fresh Debian: `make run` and `make test`.
.DELETE_ON_ERROR:
JOBS ?= $(shell nproc)
OUT ?= out

.PHONY: run test build bench counts format packages asan tidy oracle oracle-check clean

run: build
	./build/bristle reproduce --all --out $(OUT)

# The tables of the README that hold results.
counts: run
	scripts/readme-tables $(OUT)

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

asan: packages
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

tidy:
	scripts/install-packages tidy
	cmake --preset tidy
	cmake --build --preset tidy -j $(JOBS)

# The independent numbers of tests and experiments, see oracle/README.md.
oracle:
	@scripts/install-packages oracle
	oracle/run

oracle-check:
	@scripts/install-packages oracle
	oracle/run --check

packages:
	@scripts/install-packages

format:
	@scripts/install-packages format
	git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-dev build-asan build-tidy build-bench out
