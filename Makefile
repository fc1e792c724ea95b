# Two commands do all the set-up on a fresh Debian: `make run` and `make test`.
.DELETE_ON_ERROR:
JOBS ?= $(shell nproc)
OUT ?= out

.PHONY: run test build bench format packages asan tidy clean

run: build
	./build/bristle reproduce --all --out $(OUT)

test: build
	ctest --preset release -j $(JOBS)

build: packages
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

bench: packages
	scripts/install-packages bench
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	bench/run

asan tidy: packages
	cmake --preset $@
	cmake --build --preset $@ -j $(JOBS)
	@if [ $@ = asan ]; then ctest --preset asan -j $(JOBS); fi

packages:
	@scripts/install-packages

format:
	git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-dev build-asan build-tidy build-bench out
