# The commands a person types. What they do is in scripts/ and CMakeLists.txt.
BUILD = build
MAKEFLAGS += --no-print-directory

all:
	scripts/setup --only-name demo
	scripts/build $(BUILD) -DCOZ_TESTS=OFF

demo:
	scripts/setup demo
	scripts/build $(BUILD) -DCOZ_TESTS=OFF
	scripts/demo $(BUILD)

check:
	scripts/setup check
	scripts/check $(BUILD)

bench:
	scripts/setup bench
	scripts/build $(BUILD) -DCOZ_TESTS=OFF
	scripts/bench $(BUILD)

fuzz:
	tests/fuzz/run

format:
	scripts/format

clean:
	rm -rf $(BUILD)

.PHONY: all demo check bench fuzz format clean
